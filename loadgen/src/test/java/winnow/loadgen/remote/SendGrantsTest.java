package winnow.loadgen.remote;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.loadgen.worker.Command;
import winnow.loadgen.worker.Part;
import winnow.loadgen.worker.Provider;
import winnow.loadgen.worker.SharedCounters;
import winnow.loadgen.workload.DeliveryGuarantee;
import winnow.loadgen.workload.FilterKind;
import winnow.loadgen.workload.MessageSource;
import winnow.loadgen.workload.Point;

/// Three publishers on two machines, five copies of each message, 300 copies under way.
class SendGrantsTest {

    private static final int BOUND = 300;

    private static final Point POINT = Point.of(FilterKind.PROPERTY, 3, 5, 1);

    private final SharedCounters counters;

    SendGrantsTest(@TempDir Path directory) throws IOException {
        counters = SharedCounters.map(directory.resolve("counters"), 3, 6);
    }

    @Test
    void shouldGrantEachPublisherItsShare() {
        // given
        var first = grants(new Part(0, 2));
        var second = grants(new Part(1, 2));

        // then: 300 / 15, and a third of the 100 that are left
        assertThat(first.more()).containsExactly(20L, 20L);
        assertThat(second.more()).containsExactly(6L);
        assertThat(first.more()).containsExactly(20L, 20L);
    }

    @Test
    void shouldKeepTheBoundWhoeverSendsAndHoweverLateTheCountsAre() {
        // given: the last publisher sends nothing
        var first = grants(new Part(0, 2));
        var second = grants(new Part(1, 2));

        for (var round = 1; round <= 200; round++) {
            // when
            first.more();
            second.more();
            counters.sent(0, counters.reserved(0));
            counters.sent(1, counters.reserved(1) * 3 / 4);
            var sent = counters.sent();

            // then
            var underWay = counters.reserved() * 5 - counters.delivered();
            assertThat(underWay).isLessThanOrEqualTo(BOUND);
            assertThat(counters.reserved(2)).isLessThanOrEqualTo(20);
            if (round % 3 == 0) {
                counters.delivered(0, sent * 5);
            }
        }
        assertThat(counters.reserved(0)).isGreaterThan(500);
    }

    @Test
    void shouldGrantNothingWithoutABound() {
        var order = order(Part.ALL, 0);

        assertThat(new SendGrants(order, counters).more()).isEmpty();
        assertThat(counters.reserved()).isZero();
    }

    private SendGrants grants(Part publishers) {
        return new SendGrants(order(publishers, BOUND), counters);
    }

    private static Command.Open order(Part publishers, int bound) {
        return new Command.Open(
                new Provider("a.b.Factory", "fake:none", "", ""),
                publishers,
                Part.NONE,
                "test",
                POINT,
                new Command.MessageShape(
                        0, DeliveryGuarantee.NON_PERSISTENT, false, MessageSource.CACHED),
                bound,
                Command.Reserving.COORDINATOR,
                "");
    }
}

package winnow.loadgen.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import jakarta.jms.JMSException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import winnow.loadgen.fake.FakeConnectionFactory;
import winnow.loadgen.fake.Fault;
import winnow.loadgen.workload.DeliveryGuarantee;
import winnow.loadgen.workload.FilterKind;
import winnow.loadgen.workload.MessageSource;
import winnow.loadgen.workload.Point;

class PointLoadTest {

    private static final int STAMPED = 16;
    private static final long ENOUGH = 6_000;

    @TempDir private Path directory;
    private boolean async;
    private MessageSource source = MessageSource.CACHED;

    @Test
    void shouldDeliverToMatchingSubscribersOnly() throws Exception {
        // given
        var point = point(FilterKind.CORRELATION_ID, 2, 3);

        // when
        var result = run(point, Fault.NONE, 0);

        // then
        var sent = result.sent().getFirst();
        assertThat(sent.count()).isGreaterThanOrEqualTo(ENOUGH);
        assertThat(result.closed().receipts()).hasSize(5);
        assertThat(result.closed().receipts().subList(0, 2))
                .allSatisfy(receipt -> assertThat(receipt.tally()).isEqualTo(sent));
        assertThat(result.closed().receipts().subList(2, 5))
                .allSatisfy(receipt -> assertThat(receipt.tally()).isEqualTo(Tally.NONE));
        assertThat(result.closed().errors()).isEmpty();
    }

    @Test
    void shouldLetOthersShareConnections() throws Exception {
        // given
        var point =
                Point.of(FilterKind.PROPERTY, 2, 1, 20)
                        .with("identicalOthers", true)
                        .with("othersConnections", 3);

        // when
        var connections = FakeConnectionFactory.opened();
        var result = run(point, Fault.NONE, 0);

        // then: two publishers, one receiver, three for the crowd
        assertThat(FakeConnectionFactory.opened() - connections).isEqualTo(6);
        assertThat(result.closed().receipts()).hasSize(21);
        assertThat(result.closed().receipts().getFirst().tally())
                .isEqualTo(result.sent().getFirst());
        assertThat(result.closed().receipts().subList(1, 21))
                .allSatisfy(receipt -> assertThat(receipt.tally()).isEqualTo(Tally.NONE));
        assertThat(result.closed().errors()).isEmpty();
    }

    @Test
    void shouldCountWhatIsCompleteWithACompletionListener() throws Exception {
        // given
        async = true;
        var point = point(FilterKind.PROPERTY, 1, 0).with("groups", 3);

        // when
        var result = run(point, Fault.NONE, STAMPED);

        // then
        for (var subscriber = 0; subscriber < 3; subscriber++) {
            var receipt = result.closed().receipts().get(subscriber);
            assertThat(receipt.tally()).isEqualTo(result.sent().get(subscriber));
            assertThat(receipt.outOfSequence()).isZero();
            assertThat(receipt.tally().count()).isGreaterThan(ENOUGH / 4);
        }
        assertThat(result.closed().errors()).isEmpty();
    }

    @Test
    void shouldReportACompletionThatFailsAndNotCountIt() throws Exception {
        // given
        async = true;
        var point = point(FilterKind.NONE, 1, 0);

        // when
        var result = run(point, Fault.FAIL, 0);

        // then: the 50th of each of the two publishers
        assertThat(result.closed().errors())
                .hasSize(2)
                .allMatch(error -> error.contains("fake broker is out of order"));
        assertThat(result.closed().receipts().getFirst().tally())
                .isEqualTo(result.sent().getFirst());
    }

    @Test
    void shouldSendEveryIdInTurn() throws Exception {
        // given
        var point = point(FilterKind.PROPERTY, 1, 0).with("groups", 3);

        // when
        var result = run(point, Fault.NONE, STAMPED);

        // then
        assertThat(result.sent()).hasSize(3);
        for (var subscriber = 0; subscriber < 3; subscriber++) {
            var receipt = result.closed().receipts().get(subscriber);
            assertThat(receipt.tally()).isEqualTo(result.sent().get(subscriber));
            assertThat(receipt.outOfSequence()).isZero();
            assertThat(receipt.tally().count()).isGreaterThan(ENOUGH / 4);
        }
    }

    @Test
    void shouldSendToEveryTopicInTurn() throws Exception {
        // given: two subscribers on each of three topics
        var point = point(FilterKind.NONE, 2, 0).with("topics", 3);

        // when
        var result = run(point, Fault.NONE, STAMPED);

        // then
        assertThat(result.sent()).hasSize(3);
        assertThat(result.closed().receipts()).hasSize(6);
        for (var subscriber = 0; subscriber < 6; subscriber++) {
            var receipt = result.closed().receipts().get(subscriber);
            assertThat(receipt.tally())
                    .isEqualTo(result.sent().get(point.subscribedTopic(subscriber)));
            assertThat(receipt.outOfSequence()).isZero();
            assertThat(receipt.tally().count()).isGreaterThan(ENOUGH / 4);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"CORRELATION_ID", "PROPERTY"})
    void shouldJoinTheIdsOfASubscriberByOr(FilterKind filter) throws Exception {
        // given: six ids in turn, two for each of three subscribers, and one more subscriber
        var point = point(filter, 1, 1).with("groups", 3).with("alternatives", 2);

        // when
        var result = run(point, Fault.NONE, STAMPED);

        // then
        assertThat(result.sent()).hasSize(6);
        for (var subscriber = 0; subscriber < 3; subscriber++) {
            var receipt = result.closed().receipts().get(subscriber);
            var first = result.sent().get(2 * subscriber);
            assertThat(receipt.tally())
                    .isEqualTo(first.plus(result.sent().get(2 * subscriber + 1)));
            assertThat(receipt.outOfSequence()).isZero();
            assertThat(receipt.tally().count()).isGreaterThan(ENOUGH / 4);
        }
        assertThat(result.closed().receipts().getLast().tally()).isEqualTo(Tally.NONE);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldSendEachFreshMessageOnce(boolean withListener) throws Exception {
        // given
        async = withListener;
        source = MessageSource.FRESH;
        var point = point(FilterKind.PROPERTY, 1, 0).with("groups", 3);

        // when
        var before = FakeConnectionFactory.sentAgain();
        var result = run(point, Fault.NONE, STAMPED);

        // then
        assertThat(FakeConnectionFactory.sentAgain() - before).isZero();
        for (var subscriber = 0; subscriber < 3; subscriber++) {
            var receipt = result.closed().receipts().get(subscriber);
            assertThat(receipt.tally()).isEqualTo(result.sent().get(subscriber));
            assertThat(receipt.outOfSequence()).isZero();
        }
        assertThat(result.closed().errors()).isEmpty();
    }

    @Test
    void shouldSendCachedMessagesAgain() throws Exception {
        // given: one publisher, which sends more often than it has messages
        var point = Point.of(FilterKind.NONE, 1, 1, 0);

        // when
        var before = FakeConnectionFactory.sentAgain();
        var result = run(point, Fault.NONE, 0);

        // then
        var sent = result.sent().getFirst().count();
        assertThat(FakeConnectionFactory.sentAgain() - before)
                .isEqualTo(Math.toIntExact(sent - LoadPublisher.ringSize(1, 0)));
    }

    @Test
    void shouldNoticeCopiesInTheWrongOrderWhereBodiesHaveRoom() throws Exception {
        // given one publisher: copies of two may overtake each other
        var point = Point.of(FilterKind.NONE, 1, 1, 0);

        // when
        var result = run(point, Fault.REORDER, STAMPED);

        // then: 51 instead of 50, 50 instead of 52, 52 instead of 51
        var receipt = result.closed().receipts().getFirst();
        assertThat(receipt.tally()).isEqualTo(result.sent().getFirst());
        assertThat(receipt.outOfSequence()).isBetween(2L, 3L);
    }

    @Test
    void shouldNoticeThatCopiesAreNotOfTheMessagesSent() throws Exception {
        // given
        var point = point(FilterKind.NONE, 1, 0);

        // when
        var result = run(point, Fault.MISTAKE, 0);

        // then
        var receipt = result.closed().receipts().getFirst();
        assertThat(receipt.tally().count()).isEqualTo(result.sent().getFirst().count());
        assertThat(receipt.tally().checksum()).isNotEqualTo(result.sent().getFirst().checksum());
    }

    @Test
    @Timeout(30)
    void shouldReportASendThatFails() throws Exception {
        // given
        var point = point(FilterKind.NONE, 1, 0);
        var load = PointLoad.open(order(point, Fault.FAIL, 0));

        // when
        load.start();
        while (load.errors().isEmpty()) {
            Thread.onSpinWait();
        }
        load.stop();
        var closed = load.close();

        // then
        assertThat(closed.errors()).isNotEmpty();
        assertThat(closed.errors())
                .allMatch(error -> error.contains("fake broker is out of order"));
    }

    @Test
    void shouldSayWhyItCannotConnect() {
        // given
        var order = order(point(FilterKind.NONE, 1, 0), Fault.REFUSE, 0);

        // then
        assertThatExceptionOfType(JMSException.class)
                .isThrownBy(() -> PointLoad.open(order))
                .withMessage("fake broker refuses");
    }

    private record Result(List<Tally> sent, Reply.Closed closed) {}

    /// Two publishers and one bounded window; ends when enough has been sent.
    private Result run(Point point, Fault fault, int bodyBytes)
            throws JMSException, IOException, InterruptedException {
        var order = order(point, fault, bodyBytes);
        var counters =
                SharedCounters.map(
                        Path.of(order.counters()), point.publishers(), point.subscribers());
        var load = PointLoad.open(order);
        load.start();
        while (counters.sent() < ENOUGH) {
            Thread.onSpinWait();
        }
        var sent = load.stop();
        return new Result(sent, load.close());
    }

    private static Point point(FilterKind filter, int matching, int others) {
        return Point.of(filter, 2, matching, others);
    }

    private Command.Open order(Point point, Fault fault, int bodyBytes) {
        var provider = new Provider(FakeConnectionFactory.class.getName(), "fake:" + fault, "", "");
        return new Command.Open(
                provider,
                Part.ALL,
                Part.ALL,
                directory.getFileName().toString(),
                point,
                new Command.MessageShape(
                        bodyBytes, DeliveryGuarantee.NON_PERSISTENT, async, source),
                100,
                Command.Reserving.PUBLISHER,
                directory.resolve("counters").toString());
    }
}

package winnow.loadgen.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import jakarta.jms.JMSException;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import winnow.loadgen.fake.FakeConnectionFactory;
import winnow.loadgen.fake.Fault;
import winnow.loadgen.workload.DeliveryGuarantee;
import winnow.loadgen.workload.FilterKind;
import winnow.loadgen.workload.MessageSource;
import winnow.loadgen.workload.Point;

class LatencyProbeTest {

    /// 250 messages, of which the first 50 are for warming up.
    private static final Pace QUICK = new Pace(1_000, 50, 200);

    private static final long PATIENCE_MILLIS = 100;

    private boolean async;
    private int bodyBytes;

    @ParameterizedTest
    @EnumSource(names = {"NONE", "CORRELATION_ID", "PROPERTY"})
    void shouldMeasureEveryMessageAfterTheWarmUp(FilterKind filter) throws Exception {
        // given
        var others = filter == FilterKind.NONE ? 0 : 5;
        var point = Point.of(filter, 3, 2, others);

        // when
        var connections = FakeConnectionFactory.opened();
        var latencies = measure(point, Fault.NONE, QUICK);

        // then: all subscribers and one publisher
        assertThat(FakeConnectionFactory.opened() - connections).isEqualTo(2 + others + 1);
        assertThat(latencies.messages()).isEqualTo(200);
        assertThat(latencies.p50Nanos()).isPositive();
        assertThat(latencies.p99Nanos()).isGreaterThanOrEqualTo(latencies.p50Nanos());
        assertThat(latencies.p999Nanos()).isGreaterThanOrEqualTo(latencies.p99Nanos());
        assertThat(latencies.maxNanos()).isGreaterThanOrEqualTo(latencies.p999Nanos());
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 100})
    void shouldLeaveRoomForMoreThanTheDueTime(int bytes) throws Exception {
        // given
        bodyBytes = bytes;

        // then
        assertThat(measure(point(), Fault.NONE, QUICK).messages()).isEqualTo(200);
    }

    @Test
    void shouldSendToACompletionListener() throws Exception {
        // given
        async = true;

        // then
        assertThat(measure(point(), Fault.NONE, QUICK).messages()).isEqualTo(200);
    }

    @Test
    void shouldCountAStallForAllMessagesThatWereDueInIt() throws Exception {
        // given: 500 messages, the 50th of which stalls its send for the time of 200
        var pace = new Pace(500, 0, 1_000);

        // when
        var latencies = measure(point(), Fault.STALL, pace);

        // then: none was skipped, and 100 messages were due in the first half of the stall, of
        // which
        // each waited for the second; counted from their sends, only one message took that long
        assertThat(latencies.messages()).isEqualTo(500);
        assertThat(latencies.maxNanos()).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(400));
        assertThat(latencies.p99Nanos()).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(200));
    }

    @Test
    void shouldLeaveOutWhatTheWarmUpTook() throws Exception {
        // given: all that the stall holds up is due in the warm-up
        var pace = new Pace(500, 1_000, 100);

        // when
        var latencies = measure(point(), Fault.STALL, pace);

        // then
        assertThat(latencies.messages()).isEqualTo(50);
    }

    @ParameterizedTest
    @CsvSource({
        "LOSE, 'expected 250 messages to arrive, found 245 when 100 ms had passed since the last"
                + " was sent'",
        "DOUBLE, a message arrived twice or in the wrong order",
        "REORDER, a message arrived twice or in the wrong order",
        "BREAK, fake broker went away"
    })
    void shouldRefuseToMeasureABrokerThatIsWrong(Fault fault, String reason) {
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> measure(point(), fault, QUICK))
                .withMessageContaining(reason);
    }

    @Test
    void shouldReportASendThatFails() {
        assertThatExceptionOfType(JMSException.class)
                .isThrownBy(() -> measure(point(), Fault.FAIL, QUICK))
                .withMessage("fake broker is out of order");
    }

    @Test
    void shouldReportACompletionThatFails() {
        // given
        async = true;

        // then
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> measure(point(), Fault.FAIL, QUICK))
                .withMessageContaining("fake broker is out of order");
    }

    @Test
    void shouldSayWhyItCannotConnect() {
        assertThatExceptionOfType(JMSException.class)
                .isThrownBy(() -> measure(point(), Fault.REFUSE, QUICK))
                .withMessage("fake broker refuses");
    }

    @Test
    void shouldDemandAPointWhoseMessagesReachTheFirstSubscriber() {
        // given
        var unmatched = Point.of(FilterKind.PROPERTY, 1, 0, 2);
        var inTurn = Point.of(FilterKind.PROPERTY, 1, 1, 0).with("groups", 3);

        // then
        assertThatIllegalArgumentException()
                .isThrownBy(() -> measure(unmatched, Fault.NONE, QUICK))
                .withMessageContaining("found property r=0 n=2 publishers=1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> measure(inTurn, Fault.NONE, QUICK))
                .withMessageContaining("found property r=1 n=0 groups=3 publishers=1");
    }

    @ParameterizedTest
    @CsvSource({"0, 0, 1000", "1000, -1, 1000", "1000, 0, 0", "1, 1, 999"})
    void shouldDemandAPaceAtWhichMessagesAreDue(int rate, long warmupMillis, long durationMillis) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Pace(rate, warmupMillis, durationMillis));
    }

    @Test
    void shouldSpaceDueTimesEvenlyWithoutDrift() {
        // given: the message due at 1,000 ms is of the warm-up
        var pace = new Pace(3, 1_001, 1_999);

        // then
        assertThat(pace.warmupMessages()).isEqualTo(4);
        assertThat(pace.messages()).isEqualTo(9);
        assertThat(pace.dueNanos(0)).isZero();
        assertThat(pace.dueNanos(1)).isEqualTo(333_333_333);
        assertThat(pace.dueNanos(3)).isEqualTo(TimeUnit.SECONDS.toNanos(1));
        assertThat(pace.dueNanos(3_000_003)).isEqualTo(TimeUnit.SECONDS.toNanos(1_000_001));
    }

    private static Point point() {
        return Point.of(FilterKind.PROPERTY, 1, 1, 3);
    }

    private Reply.Latencies measure(Point point, Fault fault, Pace pace)
            throws JMSException, InterruptedException {
        var order =
                new Command.MeasureLatency(
                        new Provider(
                                FakeConnectionFactory.class.getName(), "fake:" + fault, "", ""),
                        UUID.randomUUID().toString(),
                        point,
                        new Command.MessageShape(
                                bodyBytes,
                                DeliveryGuarantee.NON_PERSISTENT,
                                async,
                                MessageSource.CACHED),
                        pace,
                        PATIENCE_MILLIS);
        return new LatencyProbe(order).measure();
    }
}

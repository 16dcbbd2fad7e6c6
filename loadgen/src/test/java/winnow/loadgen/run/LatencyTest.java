package winnow.loadgen.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import winnow.loadgen.fake.FakeConnectionFactory;
import winnow.loadgen.fake.Fault;
import winnow.loadgen.machine.BrokerProbe;
import winnow.loadgen.machine.CpuClock;
import winnow.loadgen.machine.ThreadProbe;
import winnow.loadgen.machine.TopicMatching;
import winnow.loadgen.run.Workers.Layout;
import winnow.loadgen.worker.Provider;
import winnow.loadgen.workload.DeliveryGuarantee;
import winnow.loadgen.workload.FilterKind;
import winnow.loadgen.workload.LoadSettings;
import winnow.loadgen.workload.MessageSource;
import winnow.loadgen.workload.Point;

/// With real worker processes that drive the fake provider.
class LatencyTest {

    private static final Point POINT = Point.of(FilterKind.PROPERTY, 2, 1, 4);

    private static final Duration PATIENCE = Duration.ofMillis(200);

    private static final LoadSettings SETTINGS =
            new LoadSettings(
                    Duration.ofMillis(50),
                    Duration.ofMillis(200),
                    Duration.ZERO,
                    DeliveryGuarantee.NON_PERSISTENT,
                    false,
                    MessageSource.CACHED,
                    1_000,
                    0,
                    1,
                    Duration.ZERO);

    @TempDir private Path directory;

    @Test
    void shouldMeasureLatencyBetweenPointsOfTheSameWorkers() throws Exception {
        try (var workers = start(Fault.NONE, Layout.TOGETHER)) {
            // given
            var runner = runner(workers);
            runner.run(POINT, SETTINGS, 1, 1);

            // when
            var latency = runner.latency(POINT, SETTINGS, 500, Duration.ofMillis(400));
            var measurement = runner.run(POINT, SETTINGS, 2, 1);

            // then
            assertThat(latency.ratePerSecond()).isEqualTo(500);
            assertThat(latency.messages()).isEqualTo(200);
            assertThat(latency.p50Micros()).isPositive();
            assertThat(latency.maxMicros()).isGreaterThanOrEqualTo(latency.p999Micros());
            assertThat(measurement.problems()).isEmpty();
            assertThat(runner.replaceWorkersAfterFailure()).isFalse();
        }
    }

    @Test
    void shouldStateLatencyInMicroseconds() throws Exception {
        try (var workers = start(Fault.STALL, Layout.TOGETHER)) {
            // when: the 50th of 52 messages is 400 ms late
            var latency = runner(workers).latency(POINT, SETTINGS, 40, Duration.ofMillis(1_250));

            // then: nanoseconds would be a thousand times that, seconds a millionth
            assertThat(latency.maxMicros()).isBetween(400_000.0, 100 * 400_000.0);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "BREAK, fake broker went away",
        "FAIL, fake broker is out of order",
        "LOSE, found 245 when 200 ms had passed since the last was sent",
        "REFUSE, fake broker refuses"
    })
    void shouldSayWhyThereIsNoLatency(Fault fault, String reason) throws Exception {
        try (var workers = start(fault, Layout.TOGETHER)) {
            // given
            var runner = runner(workers);

            // then
            assertThatExceptionOfType(LoadException.class)
                    .isThrownBy(() -> runner.latency(POINT, SETTINGS, 1_000, PATIENCE))
                    .withMessageContaining(reason);
            assertThat(runner.replaceWorkersAfterFailure()).isTrue();
        }
    }

    @Test
    void shouldDemandOneClock() throws Exception {
        try (var workers = start(Fault.NONE, Layout.SEPARATE)) {
            assertThatExceptionOfType(LoadException.class)
                    .isThrownBy(() -> runner(workers).latency(POINT, SETTINGS, 1_000, PATIENCE))
                    .withMessageContaining("found workers that are separate");
        }
    }

    @Test
    void shouldDemandATimeInWhichMessagesAreDue() throws Exception {
        try (var workers = start(Fault.NONE, Layout.TOGETHER)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> runner(workers).latency(POINT, SETTINGS, 0, PATIENCE));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> runner(workers).latency(POINT, SETTINGS, 1, PATIENCE));
        }
    }

    private Workers start(Fault fault, Layout layout) throws LoadException, InterruptedException {
        var provider = new Provider(FakeConnectionFactory.class.getName(), "fake:" + fault, "", "");
        var options = List.of("-Xmx128m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");
        return Workers.start(provider, Workers.local(provider, null, layout, options, directory));
    }

    private static PointRunner runner(Workers workers) {
        var cpu = CpuClock.ofProcess(ProcessHandle.current().pid());
        var broker = new BrokerProbe(cpu, ThreadProbe.unavailable(), TopicMatching.unknown(), true);
        return new PointRunner(workers, broker, "test", PATIENCE, null);
    }
}

package winnow.loadgen.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.loadgen.fake.FakeConnectionFactory;
import winnow.loadgen.fake.Fault;
import winnow.loadgen.worker.Provider;
import winnow.loadgen.worker.Reply;
import winnow.loadgen.workload.Delivery;
import winnow.loadgen.workload.FilterKind;
import winnow.loadgen.workload.LoadSettings;
import winnow.loadgen.workload.MessageSource;
import winnow.loadgen.workload.Point;
import winnow.loadgen.workload.PointUse;
import winnow.loadgen.workload.Sending;

/// With real worker processes that drive the fake provider.
class LoadRunTest {

    private static final List<Point> POINTS =
            List.of(
                    new Point(FilterKind.PROPERTY, Sending.ONE_ID, 2, 3, 4, PointUse.FIT),
                    new Point(FilterKind.PROPERTY, Sending.ONE_ID, 2, 0, 2, PointUse.FIT));

    private static final Duration PATIENCE = Duration.ofMillis(200);

    @TempDir private Path directory;

    private final ByteArrayOutputStream progress = new ByteArrayOutputStream();

    @Test
    void shouldMeasureEveryPointOfEveryRepetition() throws Exception {
        // given
        var settings = settings(2);

        // when
        var run = measure(Fault.NONE, settings);

        // then
        assertThat(run.measurements()).hasSize(4);
        assertThat(run.measurements())
                .allSatisfy(point -> {
                    assertThat(point.problems()).isEmpty();
                    assertThat(point.received()).isPositive();
                    assertThat(point.clientCpuSeconds()).isPositive();
                    assertThat(point.brokerCpuSeconds()).isPositive();
                });
        assertThat(run.measurements())
                .filteredOn(point -> point.point().matching() == 3)
                .allSatisfy(point -> {
                    assertThat(point.accounting().expected()).isPositive();
                    assertThat(point.accounting().delivered())
                            .isEqualTo(point.accounting().expected());
                });
        assertThat(progress.toString(StandardCharsets.UTF_8)).contains("test 4/4", "r=3 n=4");
    }

    @Test
    void shouldStoreWhatItMeasured() throws Exception {
        // given
        var run = measure(Fault.NONE, settings(1));

        // when
        var stored = ResultFiles.read(directory.resolve("points.jsonl"), Assertions::fail);

        // then
        assertThat(stored).containsExactly(run);
        assertThat(Files.readAllLines(directory.resolve("points.csv"))).hasSize(3);
    }

    @Test
    void shouldFailWhenTheBrokerLosesCopies() {
        assertThatExceptionOfType(LoadException.class)
                .isThrownBy(() -> measure(Fault.LOSE, settings(1)))
                .withMessageContaining("copies were lost");
    }

    @Test
    void shouldFailWhenTheBrokerDoublesCopies() {
        assertThatExceptionOfType(LoadException.class)
                .isThrownBy(() -> measure(Fault.DOUBLE, settings(1)))
                .withMessageContaining("copies arrived that nobody expected");
    }

    @Test
    void shouldFailWhenASendFails() {
        assertThatExceptionOfType(LoadException.class)
                .isThrownBy(() -> measure(Fault.FAIL, settings(1)))
                .withMessageContaining("fake broker is out of order");
    }

    @Test
    void shouldFailWithTheProvidersReasonWhenNobodyCanConnect() {
        assertThatExceptionOfType(LoadException.class)
                .isThrownBy(() -> measure(Fault.REFUSE, settings(1)))
                .withMessage("fake broker refuses");
    }

    @Test
    void shouldSayThatAWorkerIsOutOfMemory() {
        assertThatExceptionOfType(LoadException.class)
                .isThrownBy(() -> measure(Fault.NONE, settings(1, 300_000_000)))
                .withMessageContaining("out of memory: Java heap space");
    }

    @Test
    void shouldSayWhyAWorkerDoesNotStart() {
        assertThatExceptionOfType(LoadException.class)
                .isThrownBy(() -> {
                    try (var worker =
                            new WorkerProcess("", List.of("-Xmx1k"), directory.resolve("log"))) {
                        worker.answer(Reply.Opened.class, Duration.ofSeconds(10));
                    }
                })
                .withMessageContaining("Too small maximum heap");
    }

    private Run measure(Fault fault, LoadSettings settings)
            throws LoadException, IOException, InterruptedException {
        var provider = new Provider(FakeConnectionFactory.class.getName(), "fake:" + fault, "", "");
        var options = List.of("-Xmx128m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");
        var cpu = CpuClock.ofProcess(ProcessHandle.current().pid());
        try (var workers =
                        Workers.start(provider, null, Workers.Layout.TOGETHER, options, directory);
                var files = new ResultFiles(directory)) {
            var runner =
                    new PointRunner(
                            workers,
                            new BrokerProbe(cpu, TopicMatching.unknown()),
                            "test",
                            PATIENCE);
            var errors = new PrintStream(progress, true, StandardCharsets.UTF_8);
            return new LoadRun(runner, settings, files, errors)
                    .measure(RunSamples.header("test", settings), POINTS);
        }
    }

    private static LoadSettings settings(int repetitions) {
        return settings(repetitions, 0);
    }

    private static LoadSettings settings(int repetitions, int bodyBytes) {
        return new LoadSettings(
                Duration.ofMillis(50),
                Duration.ofMillis(500),
                Duration.ZERO,
                bodyBytes,
                Delivery.NON_PERSISTENT,
                false,
                MessageSource.CACHED,
                1_000,
                0,
                repetitions);
    }
}

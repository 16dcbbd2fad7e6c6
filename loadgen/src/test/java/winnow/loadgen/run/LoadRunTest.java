package winnow.loadgen.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import winnow.loadgen.fake.FakeConnectionFactory;
import winnow.loadgen.fake.Fault;
import winnow.loadgen.machine.BrokerProbe;
import winnow.loadgen.machine.Calibration;
import winnow.loadgen.machine.CpuClock;
import winnow.loadgen.machine.ThreadProbe;
import winnow.loadgen.machine.TopicMatching;
import winnow.loadgen.worker.Provider;
import winnow.loadgen.worker.Reply;
import winnow.loadgen.workload.DeliveryGuarantee;
import winnow.loadgen.workload.FilterKind;
import winnow.loadgen.workload.LoadSettings;
import winnow.loadgen.workload.MessageSource;
import winnow.loadgen.workload.Point;

/// With real worker processes that drive the fake provider.
class LoadRunTest {

    private static final List<Point> POINTS =
            List.of(Point.of(FilterKind.PROPERTY, 2, 3, 4), Point.of(FilterKind.PROPERTY, 2, 0, 2));

    private static final Duration PATIENCE = Duration.ofMillis(200);

    @TempDir private Path directory;

    private final List<String> warnings = new ArrayList<>();

    private @Nullable Calibration calibration;

    private final ByteArrayOutputStream progress = new ByteArrayOutputStream();

    @Test
    void shouldMeasureEveryPointOfEveryRepetition() throws Exception {
        // given
        var settings = settings(3);

        // when
        var run = measure(Fault.NONE, settings);

        // then
        assertThat(run.measurements()).hasSize(6);
        assertThat(run.measurements())
                .allSatisfy(point -> {
                    assertThat(point.problems()).isEmpty();
                    assertThat(run.verdict(point).notes()).isNotEmpty();
                    assertThat(point.received()).isPositive();
                    assertThat(point.clientCpuSeconds()).isPositive();
                    assertThat(point.brokerCpuSeconds()).isPositive();
                    // A machine that is busy elsewhere leaves a short point without any.
                    assertThat(point.moments())
                            .isSortedAccordingTo(Comparator.comparingDouble(Moment::seconds));
                });
        assertThat(run.measurements()).flatMap(Measurement::moments).isNotEmpty();
        assertThat(run.measurements())
                .filteredOn(point -> point.point().matching() == 3)
                .allSatisfy(point -> {
                    assertThat(point.accounting().expected()).isPositive();
                    assertThat(point.accounting().delivered())
                            .isEqualTo(point.accounting().expected());
                });
        assertThat(progress.toString(StandardCharsets.UTF_8)).contains("test 6/6", "r=3 n=4");
    }

    @Test
    void shouldMeasureDisturbedPointsAgainWithinTheBudget() throws Exception {
        // given: a fixed piece of work takes twice as long around the first two points
        var calls = new AtomicInteger();
        calibration = () -> calls.incrementAndGet() <= 4 ? 14_000 : 7_000;

        // when
        var run = measure(Fault.NONE, settings(3, MessageSource.CACHED, Duration.ofMinutes(1)));

        // then
        assertThat(run.measurements()).hasSize(8);
        assertThat(run.slots()).isEqualTo(6);
        assertThat(run.replaced()).containsExactlyElementsOf(run.measurements().subList(0, 2));
        assertThat(run.measurements().subList(6, 8))
                .extracting(Measurement::repetition)
                .containsOnly(1);
        assertThat(progress.toString(StandardCharsets.UTF_8)).contains("test 8/8  again ");
    }

    @Test
    void shouldStoreWhatItMeasured() throws Exception {
        // given
        var run = measure(Fault.NONE, settings(1));

        // when
        var stored = ResultFiles.read(directory.resolve("points.jsonl"), warnings::add);

        // then
        assertThat(stored).containsExactly(run);
        assertThat(run.isComplete()).isTrue();
        assertThat(run.header().plannedPoints()).isEqualTo(2);
        assertThat(Files.readAllLines(directory.resolve("points.csv"))).hasSize(3);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldMeasureOnWhereTheDiskIsFull() throws Exception {
        // given
        Files.createSymbolicLink(directory.resolve("points.jsonl"), Path.of("/dev/full"));

        // when
        var run = measure(Fault.NONE, settings(1));

        // then
        assertThat(run.measurements()).hasSize(2);
        assertThat(progress.toString(StandardCharsets.UTF_8))
                .containsOnlyOnce("measuring on, without storing points")
                .contains("cannot write results to " + directory, "test 2/2");
    }

    @Test
    void shouldSendAFreshMessageEachTime() throws Exception {
        // given
        var settings = settings(1, MessageSource.FRESH, Duration.ZERO);

        // when
        var run = measure(Fault.NONE, settings);

        // then
        assertThat(run.leftOut()).noneMatch(line -> line.startsWith("failed"));
        assertThat(Files.readString(directory.resolve("points.csv"))).contains(",fresh,");
        assertThat(Files.readString(directory.resolve("points.jsonl")))
                .contains("\"messages\":\"fresh\"");
    }

    @ParameterizedTest
    @CsvSource({
        "LOSE, copies were lost",
        "DOUBLE, copies arrived that nobody expected",
        "FAIL, fake broker is out of order"
    })
    void shouldMarkWrongPointsAsFailedAndGoOn(Fault fault, String reason) throws Exception {
        // when
        var run = measure(fault, settings(3));

        // then
        assertThat(run.measurements()).hasSize(6);
        assertThat(run.failedPoints()).isPositive();
        assertThat(run.leftOut()).anySatisfy(line -> assertThat(line).contains("failed", reason));
        assertThat(run.valid())
                .allSatisfy(point -> assertThat(point.problems()).isEmpty())
                .hasSizeLessThanOrEqualTo(6 - run.failedPoints());
        assertThat(progress.toString(StandardCharsets.UTF_8)).contains("test 6/6", reason);
        assertThat(Files.readAllLines(directory.resolve("points.csv")))
                .anySatisfy(line -> assertThat(line).contains(",failed,", reason));
    }

    @Test
    void shouldMarkAPointWithoutFiguresAsFailedAndMeasureTheOthersWithNewWorkers()
            throws Exception {
        // given: the worker halts in the point with two matching subscribers
        var halting = Point.of(FilterKind.PROPERTY, 2, 2, 0);
        var points = List.of(POINTS.get(0), halting, POINTS.get(1));

        // when
        var run = measure(Fault.HALT, settings(3), points);

        // then
        assertThat(run.measurements()).hasSize(6);
        assertThat(run.measurements()).allSatisfy(point -> assertThat(point.problems()).isEmpty());
        assertThat(run.failures())
                .extracting(FailedPoint::point, FailedPoint::repetition)
                .containsExactly(tuple(halting, 1), tuple(halting, 2), tuple(halting, 3));
        assertThat(run.failures())
                .allSatisfy(failed -> assertThat(failed.reason()).contains("worker ended"));
        assertThat(progress.toString(StandardCharsets.UTF_8))
                .contains("test 9/9", "warm-up")
                // The end is noticed when the worker is told something, or when it is to answer.
                .containsPattern("test \\d/\\d .* failed: (cannot measure: )?worker ended: ");
        assertThat(ResultFiles.read(directory.resolve("points.jsonl"), warnings::add))
                .containsExactly(run);
        assertThat(Files.readAllLines(directory.resolve("points.csv")))
                .hasSize(10)
                .allSatisfy(
                        line -> assertThat(line.split(",", -1)).hasSizeGreaterThanOrEqualTo(35));
    }

    @Test
    void shouldGoOnAfterAWarmUpThatFailed() throws Exception {
        // given: the worker halts in it
        var halting = Point.of(FilterKind.PROPERTY, 2, 2, 0);
        var settings = settings(1);

        // when
        var run =
                with(
                        Fault.HALT,
                        settings,
                        load -> {
                            load.tryWarmUp(List.of(halting), Duration.ofMillis(20));
                            return load.measure(
                                    RunSamples.header("test", settings), POINTS, Duration.ZERO);
                        });

        // then
        assertThat(run.measurements()).hasSize(2);
        assertThat(run.failures()).isEmpty();
        assertThat(progress.toString(StandardCharsets.UTF_8)).contains("warm-up failed: ");
    }

    @Test
    void shouldNotTryEveryPointOfABrokerThatIsGone() throws Exception {
        // when
        var run = measure(Fault.REFUSE, settings(3));

        // then
        assertThat(run.measurements()).isEmpty();
        assertThat(run.failures())
                .extracting(FailedPoint::reason)
                .containsExactly(
                        "fake broker refuses",
                        "fake broker refuses",
                        "fake broker refuses",
                        "not tried, because the points before it failed",
                        "not tried, because the points before it failed",
                        "not tried, because the points before it failed");
    }

    @Test
    void shouldSayThatAWorkerIsOutOfMemory() throws Exception {
        // when
        var points = POINTS.stream().map(point -> point.with("bodyBytes", 300_000_000)).toList();
        var run = measure(Fault.NONE, settings(1), points);

        // then
        assertThat(run.failures())
                .hasSize(2)
                .allSatisfy(failed ->
                        assertThat(failed.reason()).contains("out of memory: Java heap space"));
    }

    @Test
    void shouldSayWhyAWorkerDoesNotStart() {
        assertThatExceptionOfType(LoadException.class)
                .isThrownBy(() -> {
                    try (var worker =
                            new WorkerStart("", List.of("-Xmx1k"))
                                    .process("worker", directory.resolve("log"))) {
                        worker.answer(Reply.Opened.class, Duration.ofSeconds(10));
                    }
                })
                .withMessageContaining("Too small maximum heap");
    }

    private Run measure(Fault fault, LoadSettings settings)
            throws LoadException, IOException, InterruptedException {
        return measure(fault, settings, POINTS);
    }

    private Run measure(Fault fault, LoadSettings settings, List<Point> points)
            throws LoadException, IOException, InterruptedException {
        var header = RunSamples.header("test", settings);
        return with(fault, settings, load -> load.measure(header, points, Duration.ofMillis(20)));
    }

    @FunctionalInterface
    private interface Measuring {
        Run by(LoadRun load) throws LoadException, InterruptedException;
    }

    private Run with(Fault fault, LoadSettings settings, Measuring measuring)
            throws LoadException, IOException, InterruptedException {
        var provider = new Provider(FakeConnectionFactory.class.getName(), "fake:" + fault, "", "");
        var options = List.of("-Xmx128m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");
        var cpu = CpuClock.ofProcess(ProcessHandle.current().pid());
        try (var workers =
                        Workers.start(
                                provider,
                                Workers.local(
                                        provider,
                                        null,
                                        Workers.Layout.TOGETHER,
                                        options,
                                        directory));
                var files = new ResultFiles(directory)) {
            var runner =
                    new PointRunner(
                            workers,
                            new BrokerProbe(
                                    cpu, ThreadProbe.unavailable(), TopicMatching.unknown(), true),
                            "test",
                            PATIENCE,
                            calibration);
            var errors = new PrintStream(progress, true, StandardCharsets.UTF_8);
            return measuring.by(
                    new LoadRun(runner, settings, files, new RunProgress.Lines(errors, "test")));
        }
    }

    private static LoadSettings settings(int repetitions) {
        return settings(repetitions, MessageSource.CACHED, Duration.ZERO);
    }

    private static LoadSettings settings(
            int repetitions, MessageSource source, Duration repeatBudget) {
        return new LoadSettings(
                Duration.ofMillis(50),
                Duration.ofMillis(500),
                Duration.ZERO,
                DeliveryGuarantee.NON_PERSISTENT,
                false,
                source,
                1_000,
                0,
                repetitions,
                repeatBudget);
    }
}

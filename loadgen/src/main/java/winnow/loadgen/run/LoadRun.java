package winnow.loadgen.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Random;
import winnow.loadgen.worker.Failures;
import winnow.loadgen.workload.LoadSettings;
import winnow.loadgen.workload.Point;

/// Walks through all points of a scenario in random order. A point that fails is noted with its
/// reason and the run goes on. Owned by the coordinator's thread.
public final class LoadRun {

    /// Different shapes of load that the warm-up stage goes through; one shape alone would compile
    /// the broker for that shape.
    private static final int WARM_UP_SHAPES = 5;

    /// Always the same shapes, so that runs can be compared: with this seed the quick grid of 4.9
    /// gives small and large r and n.
    private static final long WARM_UP_SEED = 11;

    /// Times that one measurement is repeated at most.
    private static final int MOST_REPEATS = 3;

    /// Failed points in a row, after which the rest is not tried: each may take minutes.
    private static final int GIVE_UP_AFTER = 3;

    private final PointRunner runner;
    private final LoadSettings settings;
    private final ResultFiles files;
    private final RunProgress progress;
    private int failedInARow;

    public LoadRun(
            PointRunner runner, LoadSettings settings, ResultFiles files, RunProgress progress) {
        this.runner = runner;
        this.settings = settings;
        this.files = files;
        this.progress = progress;
    }

    /// Steps that [#warmUp] shows for so many points.
    public static int warmUpSteps(int points, Duration total) {
        return total.isZero() ? 0 : Math.min(WARM_UP_SHAPES, points);
    }

    /// Time that each of them takes.
    public static Duration warmUpStep(int points, Duration total) {
        return total.dividedBy(Math.max(1, warmUpSteps(points, total)));
    }

    /// Lets the just-in-time compilers of broker and workers do their work before anything is
    /// measured.
    ///
    /// @param total time of sending, divided over several of the points
    /// @throws LoadException if one of them fails
    public void warmUp(List<Point> points, Duration total)
            throws LoadException, InterruptedException {
        if (total.isZero()) {
            return;
        }
        var mixed = new ArrayList<>(points);
        Collections.shuffle(mixed, new Random(WARM_UP_SEED));
        var shapes = warmUpSteps(points.size(), total);
        var each = settings.lasting(warmUpStep(points.size(), total));
        for (var shape = 0; shape < shapes; shape++) {
            var point = mixed.get(shape);
            progress.begin("warm-up " + point.label());
            var measurement = runner.run(point, each, shape + 1, 1);
            if (!measurement.problems().isEmpty()) {
                throw new LoadException(
                        point.label() + ": " + String.join("; ", measurement.problems()));
            }
            progress.end(rate(measurement), summary(measurement));
        }
    }

    /// The same, but a warm-up that fails is only noted: what is wrong shows in the points.
    ///
    /// @throws LoadException if there are no workers to go on with
    public void tryWarmUp(List<Point> points, Duration total)
            throws LoadException, InterruptedException {
        try {
            warmUp(points, total);
        } catch (LoadException | RuntimeException failed) {
            progress.fail("warm-up failed: " + Failures.describe(failed));
            runner.replaceWorkersAfterFailure();
        }
    }

    /// Measures every point as often as the settings say.
    ///
    /// @param description of the run, without the number of its points; its seed shuffles them
    /// @param warmUp as in [#warmUp], for workers that replace those of a failed point
    /// @return what was measured, though it may not be in the files: [ResultFiles#failure]
    public Run measure(RunHeader description, List<Point> points, Duration warmUp)
            throws InterruptedException {
        var run = begin(description, points);
        var random = new Random(description.seed());
        for (var repetition = 1; repetition <= settings.repetitions(); repetition++) {
            run = repetition(run, points, warmUp, repetition, random);
        }
        return repeated(run);
    }

    /// A run without points, written down.
    public Run begin(RunHeader description, List<Point> points) {
        var header = description.planning(points.size() * settings.repetitions());
        store(() -> files.write(header));
        return new Run(header, List.of());
    }

    /// Measures every point once, in random order.
    ///
    /// @param run gets the points; [#begin] has written it down, perhaps for other workers
    /// @param repetition 1 for the first
    /// @return the run with these points
    public Run repetition(
            Run run, List<Point> points, Duration warmUp, int repetition, Random random)
            throws InterruptedException {
        var more = run;
        var order = new ArrayList<>(points);
        Collections.shuffle(order, random);
        for (var point : order) {
            progress.begin(run.header().scenario() + " " + point.label());
            var result = measure(points, warmUp, point, more.points() + 1, repetition);
            failedInARow = result instanceof FailedPoint ? failedInARow + 1 : 0;
            more = noted(more, result);
        }
        return more;
    }

    @FunctionalInterface
    private interface Storing {
        void run() throws LoadException;
    }

    /// Stores if it can; what it cannot store is still in memory.
    private void store(Storing storing) {
        try {
            storing.run();
        } catch (LoadException unwritten) {
            progress.show(
                    "%s: measuring on, without storing points%n"
                            .formatted(Failures.describe(unwritten)));
        }
    }

    private Run noted(Run run, PointResult result) {
        switch (result) {
            case Measurement measurement -> {
                store(() -> files.write(run.header(), measurement));
                var more = run.with(measurement);
                show(more, measurement);
                return more;
            }
            case FailedPoint failed -> {
                store(() -> files.write(run.header(), failed));
                progress.fail("failed: " + failed.reason());
                return run.with(failed);
            }
        }
    }

    /// Measures disturbed points again, the worst first, each in a calmer moment than the first
    /// time if there is one, until all are good enough or the time for it is used up.
    private Run repeated(Run first) throws InterruptedException {
        var end = System.nanoTime() + settings.repeatBudget().toNanos();
        var run = first;
        var tries = new HashMap<List<Object>, Integer>();
        while (true) {
            var left = end - System.nanoTime() - settings.estimatedTime().toNanos();
            var worst =
                    run.repeatable().stream()
                            .filter(one -> tries.getOrDefault(slot(one), 0) < MOST_REPEATS)
                            .findFirst();
            if (left < 0 || worst.isEmpty()) {
                return run;
            }
            var measured = worst.get();
            tries.merge(slot(measured), 1, Integer::sum);
            progress.expectNow(settings.estimatedTime());
            failedInARow = 0;
            progress.begin("again " + run.header().scenario() + " " + measured.point().label());
            runner.awaitCalm(
                    run.validity(measured).disturbance(),
                    run.referenceMicros(),
                    Duration.ofNanos(left / 4));
            var again =
                    measure(
                            List.of(),
                            Duration.ZERO,
                            measured.point(),
                            run.points() + 1,
                            measured.repetition());
            run = noted(run, again);
            if (again instanceof FailedPoint) {
                return run;
            }
        }
    }

    private static List<Object> slot(Measurement measurement) {
        return List.of(measurement.point(), measurement.repetition());
    }

    private void show(Run run, Measurement measurement) {
        var verdict = run.verdict(measurement);
        if (verdict.status() == Verdict.Status.FAILED) {
            progress.fail("failed: " + verdict.reason());
        } else {
            progress.end(
                    rate(measurement),
                    summary(measurement)
                            + (verdict.isValid() ? "" : ", left out of fits: " + verdict.reason())
                            + (run.validity(measurement).isDisturbed() ? ", disturbed" : ""));
        }
    }

    private PointResult measure(
            List<Point> points, Duration warmUp, Point point, int position, int repetition)
            throws InterruptedException {
        if (failedInARow >= GIVE_UP_AFTER) {
            return new FailedPoint(
                    position, repetition, point, "not tried, because the points before it failed");
        }
        try {
            if (runner.replaceWorkersAfterFailure()) {
                progress.expect(
                        warmUpSteps(points.size(), warmUp), warmUpStep(points.size(), warmUp));
                tryWarmUp(points, warmUp);
            }
            return runner.run(point, settings, position, repetition);
        } catch (LoadException | RuntimeException failed) {
            return new FailedPoint(position, repetition, point, Failures.describe(failed));
        }
    }

    private static String rate(Measurement measurement) {
        return "%,.0f msg/s".formatted(measurement.overallPerSecond());
    }

    private static String summary(Measurement measurement) {
        var broker = measurement.brokerMicrosPerMessage();
        return "%,.0f msg/s overall, broker %s, client %.2f us per message"
                .formatted(
                        measurement.overallPerSecond(),
                        broker.isPresent() ? "%.2f us".formatted(broker.getAsDouble()) : "unknown",
                        measurement.clientMicrosPerMessage());
    }
}

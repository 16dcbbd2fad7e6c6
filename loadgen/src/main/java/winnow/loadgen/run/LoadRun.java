package winnow.loadgen.run;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import winnow.loadgen.workload.LoadSettings;
import winnow.loadgen.workload.Point;

/// Walks through all points of a scenario in random order and stops at the first that cannot be
/// believed. Owned by the coordinator's thread.
public final class LoadRun {

    /// Different shapes of load that the warm-up stage goes through; one shape alone would compile
    /// the broker for that shape.
    private static final int WARM_UP_SHAPES = 5;

    /// Always the same shapes, so that runs can be compared: with this seed the quick grid of 4.9
    /// gives small and large r and n.
    private static final long WARM_UP_SEED = 11;

    private final PointRunner runner;
    private final LoadSettings settings;
    private final ResultFiles files;
    private final PrintStream errors;

    /// @param errors where progress is shown
    public LoadRun(
            PointRunner runner, LoadSettings settings, ResultFiles files, PrintStream errors) {
        this.runner = runner;
        this.settings = settings;
        this.files = files;
        this.errors = errors;
    }

    /// Lets the just-in-time compilers of broker and workers do their work before anything is
    /// measured.
    ///
    /// @param total time of sending, divided over several of the points
    public void warmUp(List<Point> points, Duration total)
            throws LoadException, InterruptedException {
        if (total.isZero()) {
            return;
        }
        var mixed = new ArrayList<>(points);
        Collections.shuffle(mixed, new Random(WARM_UP_SEED));
        var shapes = Math.min(WARM_UP_SHAPES, points.size());
        var each = settings.lasting(total.dividedBy(shapes));
        try (var progress = Progress.on(errors, "warm-up", shapes)) {
            for (var shape = 0; shape < shapes; shape++) {
                var point = mixed.get(shape);
                progress.begin(point.label());
                var measurement = runner.run(point, each, shape + 1, 1);
                failIfDoubtful(measurement);
                progress.end(summary(measurement));
            }
        }
    }

    /// Measures every point as often as the settings say.
    ///
    /// @param header describes the run; its seed shuffles the points
    public Run measure(RunHeader header, List<Point> points)
            throws LoadException, IOException, InterruptedException {
        files.write(header);
        var random = new Random(header.seed());
        var measurements = new ArrayList<Measurement>();
        try (var progress =
                Progress.on(errors, header.scenario(), points.size() * settings.repetitions())) {
            for (var repetition = 1; repetition <= settings.repetitions(); repetition++) {
                var order = new ArrayList<>(points);
                Collections.shuffle(order, random);
                for (var point : order) {
                    progress.begin(point.label());
                    var measurement =
                            runner.run(point, settings, measurements.size() + 1, repetition);
                    files.write(header, measurement);
                    measurements.add(measurement);
                    failIfDoubtful(measurement);
                    progress.end(summary(measurement));
                }
            }
        }
        return new Run(header, measurements);
    }

    private static void failIfDoubtful(Measurement measurement) throws LoadException {
        if (!measurement.problems().isEmpty()) {
            throw new LoadException(measurement.doubt());
        }
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

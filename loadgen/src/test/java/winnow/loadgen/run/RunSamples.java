package winnow.loadgen.run;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import winnow.loadgen.model.ServiceTimes;
import winnow.loadgen.workload.Extent;
import winnow.loadgen.workload.FilterKind;
import winnow.loadgen.workload.LoadSettings;
import winnow.loadgen.workload.Point;
import winnow.loadgen.workload.PointUse;
import winnow.loadgen.workload.Scenarios;
import winnow.loadgen.workload.Sending;

/// Runs for tests.
public final class RunSamples {

    private RunSamples() {}

    /// The header of a run on two processors.
    public static RunHeader header(String scenario, LoadSettings settings) {
        return new RunHeader(
                scenario,
                "Title of " + scenario,
                "paper",
                FilterKind.PROPERTY,
                settings,
                "a.b.Factory",
                "fake:none",
                "together",
                "winnow load run </script> /*SCRIPT*/",
                "2026-11-21T12:00:00Z",
                42,
                "fake",
                new Machine("Processor", 2, 1L << 34, "Linux", "JVM 25"));
    }

    /// The quick grid of 4.9 for a broker that follows the model exactly.
    public static Run exactRun(ServiceTimes times) {
        var scenario = Scenarios.named("4.9-property");
        var points = scenario.points(scenario.quick());
        return new Run(
                header("4.9-property", LoadSettings.defaults(Extent.QUICK, LoadSettings.NO_BOUND)),
                points.stream().map(point -> exact(point, times)).toList());
    }

    /// Adds a run to the files in a directory.
    public static void store(Run run, Path directory) throws IOException, LoadException {
        try (var files = new ResultFiles(directory)) {
            files.write(run.header());
            for (var measurement : run.measurements()) {
                files.write(run.header(), measurement);
            }
        }
    }

    /// A point without a model: no filters, unknown broker CPU time.
    public static Measurement withoutBrokerCpu() {
        return measurement(withoutFilters(), null);
    }

    static Measurement withBrokerCpu(double seconds) {
        return measurement(withoutFilters(), seconds);
    }

    static Measurement withoutMessages() {
        return measurement(withoutFilters(), 0.1, 0);
    }

    private static Point withoutFilters() {
        return new Point(FilterKind.NONE, Sending.ONE_ID, 1, 1, 0, PointUse.FIT);
    }

    private static Measurement exact(Point point, ServiceTimes times) {
        var service = times.serviceSeconds(point.installedFilters(), point.matching());
        return measurement(point, 100_000 * service);
    }

    private static Measurement measurement(Point point, @Nullable Double brokerCpuSeconds) {
        return measurement(point, brokerCpuSeconds, 100_000);
    }

    private static Measurement measurement(
            Point point, @Nullable Double brokerCpuSeconds, long received) {
        return new Measurement(
                1,
                1,
                point,
                2,
                received,
                received * point.matching(),
                brokerCpuSeconds,
                0.4,
                0.5,
                0.99,
                0.01,
                0.2,
                "linear",
                new Accounting(100_000, 100_000, 0, 0, 0, 0),
                List.of());
    }
}

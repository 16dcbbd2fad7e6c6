package winnow.loadgen;

import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import winnow.loadgen.workload.Extent;
import winnow.loadgen.workload.FilterKind;
import winnow.loadgen.workload.Grid;
import winnow.loadgen.workload.Point;
import winnow.loadgen.workload.Scenario;

/// Which points of a scenario are measured.
final class PointOptions {

    @Option(
            names = "--quick",
            description = "Fewer and shorter points: about a minute for a scenario.")
    private boolean quick;

    @Option(
            names = "--filter",
            paramLabel = "KIND",
            description = "Other filters: ${COMPLETION-CANDIDATES}.")
    private @Nullable FilterKind filter;

    @Option(
            names = "--publishers",
            paramLabel = "N",
            split = ",",
            description = "Other numbers of publishers.")
    private @Nullable List<Integer> publishers;

    @Option(
            names = {"--subscribers", "--matching"},
            paramLabel = "N",
            split = ",",
            description = "Other numbers of matching subscribers (r).")
    private @Nullable List<Integer> matching;

    @Option(
            names = "--others",
            paramLabel = "N",
            split = ",",
            description = "Other numbers of subscribers whose filters do not match (n).")
    private @Nullable List<Integer> others;

    Extent extent() {
        return quick ? Extent.QUICK : Extent.FULL;
    }

    /// The scenario with what the user wants otherwise.
    Scenario adapt(Scenario named) {
        var adapted = filter == null ? named : named.withFilter(filter);
        return publishers == null ? adapted : adapted.withPublishers(publishers);
    }

    /// The points of an adapted scenario. Whoever chooses numbers gets just these, none held out.
    ///
    /// @throws IllegalArgumentException if the numbers do not suit the scenario
    List<Point> points(Scenario scenario) {
        var grid = extent().grid(scenario);
        if (matching == null && others == null) {
            return scenario.points(grid);
        }
        return scenario.points(
                new Grid(
                        matching == null ? grid.matching() : matching,
                        others == null ? grid.others() : others,
                        List.of()));
    }
}

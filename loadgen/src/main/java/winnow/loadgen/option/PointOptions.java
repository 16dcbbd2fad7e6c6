package winnow.loadgen.option;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import winnow.loadgen.workload.Axes;
import winnow.loadgen.workload.Extent;
import winnow.loadgen.workload.FilterKind;
import winnow.loadgen.workload.Scenario;

/// Which points of a scenario are measured.
public final class PointOptions {

    @Option(
            names = "--quick",
            description = "Fewer and shorter points: about a minute for a scenario.")
    private boolean quick;

    @Option(
            names = "--filter",
            paramLabel = "KIND",
            description =
                    "These filters alone, or instead of those of the scenario:"
                            + " ${COMPLETION-CANDIDATES}.")
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

    @Option(
            names = "--body-bytes",
            paramLabel = "BYTES",
            split = ",",
            description =
                    "Other sizes of bodies. From 8 bytes on the order of messages is checked too.")
    private @Nullable List<Integer> bodyBytes;

    @Option(
            names = "--axis",
            paramLabel = "NAME=VALUES",
            description =
                    "Other values of any axis of a scenario, such as topics=1,20. The axes are"
                            + " publishers, matching, others, groups, topics, alternatives,"
                            + " conditions, order, properties, bodyBytes, filter, identicalOthers"
                            + " and othersConnections.")
    private Map<String, String> axes = new LinkedHashMap<>();

    public Extent extent() {
        return quick ? Extent.QUICK : Extent.FULL;
    }

    /// The scenario with what the user wants otherwise. Whoever chooses numbers of what is held out
    /// gets just these, none held out.
    ///
    /// @throws IllegalArgumentException if there is no such axis
    public Scenario adapt(Scenario named) {
        var chosen = new LinkedHashMap<String, List<?>>();
        put(chosen, "publishers", publishers);
        put(chosen, "matching", matching);
        put(chosen, "others", others);
        put(chosen, "bodyBytes", bodyBytes);
        axes.forEach((axis, values) -> chosen.put(axis, Axes.parse(axis, values)));
        return (filter == null ? named : named.withFilter(filter)).with(chosen);
    }

    private static void put(
            Map<String, List<?>> chosen, String axis, @Nullable List<Integer> values) {
        if (values != null) {
            chosen.put(axis, values);
        }
    }
}

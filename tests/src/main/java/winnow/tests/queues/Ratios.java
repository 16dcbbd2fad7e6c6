package winnow.tests.queues;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// What the aims are stated in: Winnow against the floor and against the peers.
final class Ratios {
    private static final String RATE = "msg/s";
    private static final String CPU = "broker us/msg";
    private static final String WINNOW = "winnow";

    private Ratios() {}

    /// A line for each that can be told.
    static List<String> of(Results results, BenchmarkOptions options) {
        List<String> lines = new ArrayList<>();
        for (int producers : options.producers()) {
            String point = SyncedSends.point(producers);
            double ours = results.figure(SyncedSends.NAME, point, WINNOW, RATE);
            double floor = floor(results, SyncedSends.NAME, point, Floor.BARE, RATE);
            add(lines, "synced, " + point + ": Winnow / floor", ours, floor);
            for (String peer : List.of("artemis", "classic")) {
                double theirs = results.figure(SyncedSends.NAME, point, peer, RATE);
                add(lines, "synced, " + point + ": Winnow / " + peer, ours, theirs);
            }
        }
        for (int pairs : FastFlows.PAIRS) {
            String point = FastFlows.point(pairs);
            for (String peer : List.of("artemis", "classic")) {
                add(
                        lines,
                        "not persistent, " + point + ": broker CPU " + peer + " / Winnow",
                        results.figure(FastFlows.NAME, point, peer, CPU),
                        results.figure(FastFlows.NAME, point, WINNOW, CPU));
            }
        }
        addBacklog(lines, results, QueueBacklog.RESTART, "seconds");
        addBacklog(lines, results, QueueBacklog.DRAIN, RATE);
        addBacklog(lines, results, QueueBacklog.DRAIN, CPU);
        return lines;
    }

    private static void addBacklog(
            List<String> lines, Results results, String point, String column) {
        add(
                lines,
                "backlog, " + point + ", " + column + ": Winnow / floor",
                results.figure(QueueBacklog.NAME, point, WINNOW, column),
                floor(results, QueueBacklog.NAME, point, BacklogFloor.FLOOR, column));
    }

    /// The mean of before and after, as far as there are both.
    private static double floor(
            Results results, String scenario, String point, String name, String column) {
        double before = results.figure(scenario, point, name + " before", column);
        double after = results.figure(scenario, point, name + " after", column);
        return before > 0 && after > 0 ? (before + after) / 2 : before + after;
    }

    private static void add(List<String> lines, String what, double upper, double lower) {
        if (upper > 0 && lower > 0) {
            lines.add(String.format(Locale.ROOT, "- %s = %.2f", what, upper / lower));
        }
    }
}

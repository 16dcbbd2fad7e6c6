package winnow.loadgen.diff;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import winnow.loadgen.report.Estimate;

/// Results B over results A. Immutable.
///
/// @param unit of the speeds
/// @param points that both have
/// @param mean geometric mean of their ratios
/// @param low lower end of its 95 % interval, by the scatter of the points around it (Student's t);
///   null of one point alone
/// @param high upper end of it; null likewise
/// @param onlyInA points without a partner
/// @param onlyInB points without a partner
/// @param settings that differ, each `name: A / B`
public record ResultDiff(
        String unit,
        List<PointRatio> points,
        double mean,
        @Nullable Double low,
        @Nullable Double high,
        List<String> onlyInA,
        List<String> onlyInB,
        List<String> settings) {

    private static final double CONFIDENCE = 0.95;

    /// @throws IllegalArgumentException if they have nothing in common
    public static ResultDiff of(StoredResults a, StoredResults b) {
        if (!a.kind().equals(b.kind())) {
            throw new IllegalArgumentException(
                    "expected results of the same command, found %s in A and %s in B"
                            .formatted(a.kind(), b.kind()));
        }
        var common = a.speeds().keySet().stream().filter(b.speeds()::containsKey).toList();
        if (common.isEmpty()) {
            throw new IllegalArgumentException(
                    "expected points that both have, found %d in A, such as [%s], and %d in B,"
                                    .formatted(
                                            a.speeds().size(),
                                            a.speeds().keySet().iterator().next(),
                                            b.speeds().size())
                            + " such as [%s]".formatted(b.speeds().keySet().iterator().next()));
        }
        var points = new ArrayList<PointRatio>();
        for (var point : common) {
            points.add(
                    PointRatio.of(
                            point,
                            a.speeds().getOrDefault(point, List.of()),
                            b.speeds().getOrDefault(point, List.of()),
                            common.size()));
        }
        var logs = points.stream().mapToDouble(one -> Math.log(one.ratio())).toArray();
        var mean = Estimate.of(logs, CONFIDENCE);
        var alone = points.size() == 1 ? points.getFirst() : null;
        return new ResultDiff(
                a.unit(),
                points,
                Math.exp(mean.mean()),
                alone == null ? Double.valueOf(Math.exp(mean.low())) : alone.low(),
                alone == null ? Double.valueOf(Math.exp(mean.high())) : alone.high(),
                without(a, b),
                without(b, a),
                settings(a, b));
    }

    private static List<String> without(StoredResults one, StoredResults other) {
        return one.speeds().keySet().stream()
                .filter(point -> !other.speeds().containsKey(point))
                .toList();
    }

    private static List<String> settings(StoredResults a, StoredResults b) {
        var names = new TreeSet<>(a.settings().keySet());
        names.addAll(b.settings().keySet());
        var different = new ArrayList<String>();
        for (var name : names) {
            var ofA = a.settings().getOrDefault(name, Set.of("unknown"));
            var ofB = b.settings().getOrDefault(name, Set.of("unknown"));
            if (!ofA.equals(ofB)) {
                different.add(
                        "%s: %s / %s"
                                .formatted(
                                        name,
                                        String.join(" and ", ofA),
                                        String.join(" and ", ofB)));
            }
        }
        return different;
    }

    /// True if B is certainly slower by more than a share: the interval of the geometric mean ends
    /// below, or that of a point, widened for the number of points.
    public boolean isSlowerByMoreThan(double share) {
        return (high != null && high < 1 - share)
                || points.stream().anyMatch(point -> point.isSlowerByMoreThan(share));
    }

    /// In one sentence.
    @JsonProperty
    public String verdict() {
        if (low == null || high == null) {
            return "B / A is %s; there is no interval: the point was measured once"
                    .formatted(number(mean));
        }
        var interval = "%s, 95 %% %s to %s".formatted(number(mean), number(low), number(high));
        if (high < 1) {
            return "B is slower: B / A is " + interval;
        }
        return low > 1
                ? "B is faster: B / A is " + interval
                : "no difference shows: B / A is " + interval;
    }

    /// For people, each line ended.
    public String text() {
        var out = new StringBuilder();
        if (!settings.isEmpty()) {
            out.append("warning: these settings differ (A / B), so the difference may be theirs: ")
                    .append(String.join("; ", settings))
                    .append('\n');
        }
        out.append("A and B in ").append(unit).append('\n');
        out.append(row("B / A", "95 %", "A", "B", "n", "point"));
        for (var one : points) {
            var lowest = one.low();
            var highest = one.high();
            out.append(
                    row(
                            number(one.ratio()),
                            lowest == null || highest == null
                                    ? "no interval"
                                    : number(lowest) + " to " + number(highest),
                            String.format(Locale.ROOT, "%,.0f", one.speedA()),
                            String.format(Locale.ROOT, "%,.0f", one.speedB()),
                            one.repetitionsA() + ", " + one.repetitionsB(),
                            one.point()));
        }
        onlyInA.forEach(point -> out.append("only in A: ").append(point).append('\n'));
        onlyInB.forEach(point -> out.append("only in B: ").append(point).append('\n'));
        if (points.stream().anyMatch(one -> one.low() == null)) {
            out.append("no interval: the point was measured only once in A or in B\n");
        }
        return out.append("geometric mean of %d points: ".formatted(points.size()))
                .append(verdict())
                .append('\n')
                .toString();
    }

    private static String row(
            String ratio, String interval, String a, String b, String count, String point) {
        return String.format(
                Locale.ROOT,
                "%7s  %-15s %12s %12s  %-5s %s%n",
                ratio,
                interval,
                a,
                b,
                count,
                point);
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.3f", value);
    }
}

package winnow.loadgen.diff;

import java.util.List;
import org.hipparchus.distribution.continuous.TDistribution;
import org.hipparchus.stat.StatUtils;
import org.jspecify.annotations.Nullable;

/// Speed of one point in B over that in A: below 1 where B is slower. Immutable.
///
/// The interval is Welch's, of the logarithms of the repetitions, whose scatter may differ.
///
/// @param point name of the point
/// @param speedA geometric mean over the repetitions in A
/// @param speedB the same in B
/// @param repetitionsA their number in A
/// @param repetitionsB their number in B
/// @param ratio B / A
/// @param low lower end of the 95 % interval; null if A or B has no repetitions
/// @param high upper end of it
/// @param highOfAll upper end of a wider interval, so that those of all points hold together with
///   95 %; null likewise
public record PointRatio(
        String point,
        double speedA,
        double speedB,
        int repetitionsA,
        int repetitionsB,
        double ratio,
        @Nullable Double low,
        @Nullable Double high,
        @Nullable Double highOfAll) {

    private static final double OUTSIDE = 0.05;

    /// @param points number of all that are compared
    static PointRatio of(String point, List<Double> a, List<Double> b, int points) {
        var logsA = logs(a);
        var logsB = logs(b);
        var difference = StatUtils.mean(logsB) - StatUtils.mean(logsA);
        var speedA = Math.exp(StatUtils.mean(logsA));
        var speedB = Math.exp(StatUtils.mean(logsB));
        var ratio = Math.exp(difference);
        if (a.size() < 2 || b.size() < 2) {
            return new PointRatio(
                    point, speedA, speedB, a.size(), b.size(), ratio, null, null, null);
        }
        var half = halfWidth(logsA, logsB, OUTSIDE);
        // Bonferroni
        var halfOfAll = halfWidth(logsA, logsB, OUTSIDE / points);
        return new PointRatio(
                point,
                speedA,
                speedB,
                a.size(),
                b.size(),
                ratio,
                Math.exp(difference - half),
                Math.exp(difference + half),
                Math.exp(difference + halfOfAll));
    }

    private static double halfWidth(double[] a, double[] b, double outside) {
        var ofA = StatUtils.variance(a) / a.length;
        var ofB = StatUtils.variance(b) / b.length;
        var sum = ofA + ofB;
        if (sum == 0) {
            return 0;
        }
        var freedom = sum * sum / (ofA * ofA / (a.length - 1) + ofB * ofB / (b.length - 1));
        return Math.sqrt(sum)
                * new TDistribution(freedom).inverseCumulativeProbability(1 - outside / 2);
    }

    private static double[] logs(List<Double> speeds) {
        return speeds.stream().mapToDouble(Math::log).toArray();
    }

    /// True if it is certainly slower by more than a share, among all points.
    boolean isSlowerByMoreThan(double share) {
        return highOfAll != null && highOfAll < 1 - share;
    }
}

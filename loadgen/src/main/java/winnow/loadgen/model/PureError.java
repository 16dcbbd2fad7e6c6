package winnow.loadgen.model;

import java.util.List;

/// The scatter of measurements of the same point, in log B. Immutable.
///
/// @param standardDeviation of one measurement of the mean weight; not a number without repetitions
/// @param degreesOfFreedom measurements beyond the first of each point
/// @param varianceOfMedian of the median of a point's readings of weight 1; not a number without
///   repetitions
record PureError(double standardDeviation, int degreesOfFreedom, double varianceOfMedian) {

    static PureError of(List<Observation> observations) {
        var freedom = freedom(observations);
        if (freedom == 0) {
            return new PureError(Double.NaN, 0, Double.NaN);
        }
        var variance = squares(observations) / freedom;
        return new PureError(
                Math.sqrt(variance / meanWeight(observations)),
                freedom,
                variance * shareOfMedian(meanReadings(observations)));
    }

    /// Variance of the median of k normal values over theirs: 1 for 1, 0.44 for 3, 0.28 for 5
    /// (exact: 0.449, 0.287).
    private static double shareOfMedian(double readings) {
        return Math.PI / 2 / (readings + Math.PI / 2 - 1);
    }

    private static double squares(List<Observation> observations) {
        var squares = 0.0;
        for (var point : observations) {
            var weights = point.readings().stream().mapToDouble(one -> one.weight()).sum();
            var mean =
                    point.readings().stream()
                                    .mapToDouble(
                                            one -> one.weight() * Math.log(one.serviceSeconds()))
                                    .sum()
                            / weights;
            for (var reading : point.readings()) {
                var off = Math.log(reading.serviceSeconds()) - mean;
                squares += reading.weight() * off * off;
            }
        }
        return squares;
    }

    private static int freedom(List<Observation> observations) {
        return observations.stream().mapToInt(point -> point.readings().size() - 1).sum();
    }

    private static double meanWeight(List<Observation> observations) {
        return observations.stream()
                .flatMap(point -> point.readings().stream())
                .mapToDouble(Observation.Reading::weight)
                .average()
                .orElseThrow();
    }

    private static double meanReadings(List<Observation> observations) {
        return observations.stream()
                .mapToInt(point -> point.readings().size())
                .average()
                .orElseThrow();
    }
}

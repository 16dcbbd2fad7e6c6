package winnow.loadgen.forecast;

/// A distribution that is a mixture of uniform ones, kept as its distribution function on a grid.
/// Owned by the thread that adds to it until it is read.
final class RampMixture implements Waiting {

    private static final int CELLS = 1 << 14;

    private final double step;
    private final double[] kinks = new double[CELLS + 2];
    private final double[] cumulated = new double[CELLS + 1];
    private double total;
    private double sum;

    /// @param longest no value is larger
    RampMixture(double longest) {
        step = longest / CELLS;
    }

    /// Adds a uniform distribution.
    ///
    /// @param weight what it counts
    /// @param from its lowest value
    /// @param length how far it reaches; 0 for one value
    void add(double weight, double from, double length) {
        var width = Math.max(length, step);
        var begin = length < step ? from + (length - step) / 2 : from;
        kink(Math.max(0, begin), weight / width);
        kink(Math.max(0, begin) + width, -weight / width);
        total += weight;
        sum += weight * (from + length / 2);
    }

    /// The slope changes between two points of the grid: both get a share.
    private void kink(double at, double change) {
        var cell = Math.clamp((int) (at / step), 0, CELLS);
        var share = Math.clamp(at / step - cell, 0, 1);
        kinks[cell] += change * (1 - share);
        kinks[cell + 1] += change * share;
    }

    /// To be called when all is added.
    RampMixture complete() {
        var slope = 0.0;
        for (var i = 1; i <= CELLS; i++) {
            slope += kinks[i - 1];
            cumulated[i] = cumulated[i - 1] + slope * step;
        }
        return this;
    }

    @Override
    public double meanSeconds() {
        return sum / total;
    }

    @Override
    public double quantileSeconds(double probability) {
        var wanted = probability * total;
        var high = CELLS;
        var low = 0;
        while (high - low > 1) {
            var middle = (high + low) / 2;
            if (cumulated[middle] < wanted) {
                low = middle;
            } else {
                high = middle;
            }
        }
        var rise = cumulated[high] - cumulated[low];
        return (low + (rise > 0 ? (wanted - cumulated[low]) / rise : 1)) * step;
    }
}

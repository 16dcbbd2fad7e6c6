package winnow.loadgen.chart;

import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;

/// A linear axis from zero on. Immutable.
///
/// @param high highest value, a multiple of the step
/// @param step between two ticks: 1, 2 or 5 times a power of ten
record LinearAxis(double high, double step, double fromPixel, double toPixel) implements ChartAxis {

    private static final double[] STEPS = {1, 2, 5, 10};

    private static final int MOST_TICKS = 8;

    /// From zero to the highest value.
    static LinearAxis around(DoubleSummaryStatistics values, double fromPixel, double toPixel) {
        var most = values.getCount() == 0 || values.getMax() == 0 ? 1 : values.getMax();
        var power = Math.pow(10, Math.floor(Math.log10(most / MOST_TICKS)));
        var step = power;
        for (var candidate : STEPS) {
            step = candidate * power;
            if (most / step <= MOST_TICKS) {
                break;
            }
        }
        return new LinearAxis(Math.ceil(most / step * 0.9999) * step, step, fromPixel, toPixel);
    }

    @Override
    public double pixel(double value) {
        return fromPixel + value / high * (toPixel - fromPixel);
    }

    @Override
    public List<Double> ticks() {
        var ticks = new ArrayList<Double>();
        for (var number = 0; number * step <= high * 1.0001; number++) {
            ticks.add(number * step);
        }
        return ticks;
    }
}

package winnow.loadgen.chart;

import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;

/// A logarithmic axis from one pixel to another. Immutable.
///
/// @param low lowest value, 1, 2 or 5 times a power of ten
/// @param high highest value, likewise
record LogAxis(double low, double high, double fromPixel, double toPixel) implements ChartAxis {

    private static final double[] STEPS = {1, 2, 5, 10};

    /// More steps than these are labeled at powers of ten only.
    private static final double LABELED_DECADES = 2.1;

    /// Around all values.
    static LogAxis around(DoubleSummaryStatistics values, double fromPixel, double toPixel) {
        var low = values.getCount() == 0 ? 1 : down(values.getMin());
        var high = values.getCount() == 0 ? 10 : up(values.getMax());
        return new LogAxis(low, high > low ? high : low * 10, fromPixel, toPixel);
    }

    private static double down(double value) {
        var power = Math.pow(10, Math.floor(Math.log10(value)));
        var result = power;
        for (var step : STEPS) {
            result = step * power <= value * 1.0001 ? step * power : result;
        }
        return result;
    }

    private static double up(double value) {
        var power = Math.pow(10, Math.floor(Math.log10(value)));
        for (var step : STEPS) {
            if (step * power >= value * 0.9999) {
                return step * power;
            }
        }
        return 10 * power;
    }

    @Override
    public double pixel(double value) {
        var share = Math.log(value / low) / Math.log(high / low);
        return fromPixel + share * (toPixel - fromPixel);
    }

    @Override
    public List<Double> ticks() {
        var wide = Math.log10(high / low) > LABELED_DECADES;
        var ticks = new ArrayList<Double>();
        var power = Math.pow(10, Math.floor(Math.log10(low)));
        for (; power <= high * 1.0001; power *= 10) {
            for (var step = 0; step < (wide ? 1 : 3); step++) {
                var value = STEPS[step] * power;
                if (value >= low * 0.9999 && value <= high * 1.0001) {
                    ticks.add(value);
                }
            }
        }
        return ticks;
    }

    /// 1500000 as `1.5 M`.
    static String label(double value) {
        if (value >= 0.9999e6) {
            return plain(value / 1e6) + " M";
        }
        return value >= 0.9999e3 ? plain(value / 1e3) + " k" : plain(value);
    }

    private static String plain(double value) {
        return String.format(Locale.ROOT, "%.3f", value)
                .replaceAll("(?<=\\.\\d{0,3})0+$", "")
                .replaceAll("\\.$", "");
    }
}

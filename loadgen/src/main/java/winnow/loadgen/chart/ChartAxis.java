package winnow.loadgen.chart;

import java.util.DoubleSummaryStatistics;
import java.util.List;
import winnow.loadgen.workload.AxisScale;

/// Maps values to pixels.
sealed interface ChartAxis permits LogAxis, LinearAxis {

    /// Around all values.
    static ChartAxis around(
            AxisScale scale, DoubleSummaryStatistics values, double fromPixel, double toPixel) {
        return switch (scale) {
            case LOG -> LogAxis.around(values, fromPixel, toPixel);
            case LINEAR -> LinearAxis.around(values, fromPixel, toPixel);
        };
    }

    /// Pixel of a value; of one beyond the ends, where the axis would go on.
    double pixel(double value);

    /// Pixel of the lowest value.
    double fromPixel();

    /// Pixel of the highest value.
    double toPixel();

    /// Values with a line and a label.
    List<Double> ticks();

    /// Pixel of a value; of one beyond the ends, the nearer end.
    default double pixelWithin(double value) {
        var low = Math.min(fromPixel(), toPixel());
        var high = Math.max(fromPixel(), toPixel());
        var pixel = pixel(value);
        return Double.isNaN(pixel) ? fromPixel() : Math.clamp(pixel, low, high);
    }
}

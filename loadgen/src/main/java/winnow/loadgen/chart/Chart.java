package winnow.loadgen.chart;

import java.util.List;
import java.util.stream.Stream;
import winnow.loadgen.workload.AxisScale;

/// Points and curves over two axes. Values that an axis cannot have are not shown: negative ones,
/// and zero on a logarithmic axis. Immutable.
///
/// @param title what it shows, for those who do not see it
/// @param description what can be read from it
/// @param across name of the horizontal axis
/// @param up name of the vertical axis
/// @param acrossScale scale of the horizontal axis
/// @param upScale scale of the vertical axis
/// @param around places that the axes reach besides those shown, so that charts can be compared
public record Chart(
        String title,
        String description,
        String across,
        String up,
        AxisScale acrossScale,
        AxisScale upScale,
        List<Series> series,
        List<Place> around) {

    /// Times as far as its mark that an error bar may widen an axis, if it reaches below zero: its
    /// interval says little.
    private static final double MOST_BAR = 2;

    public Chart {
        series = series.stream().map(one -> one.on(acrossScale, upScale)).toList();
        around = List.copyOf(around);
    }

    /// With logarithmic axes that reach as far as the series do.
    public Chart(String title, String description, String across, String up, List<Series> series) {
        this(title, description, across, up, AxisScale.LOG, AxisScale.LOG, series, List.of());
    }

    /// The same chart, whose axes reach more places.
    public Chart reaching(List<Place> places) {
        return new Chart(title, description, across, up, acrossScale, upScale, series, places);
    }

    /// All that is shown.
    public Stream<Place> places() {
        return Stream.concat(
                around.stream(), series.stream().flatMap(one -> one.places(acrossScale, upScale)));
    }

    /// @param label stands at its end; empty for none
    /// @param style number of its color and marker; [#PAPER] for the paper's values
    /// @param curve joined by a dashed line; may be empty
    /// @param isJoined whether a line joins the marks
    public record Series(
            String label, int style, List<Mark> marks, List<Place> curve, boolean isJoined) {

        /// Style of values that the paper states.
        public static final int PAPER = -1;

        public Series {
            marks = List.copyOf(marks);
            curve = List.copyOf(curve);
        }

        /// The part that two axes can show.
        private Series on(AxisScale across, AxisScale up) {
            return new Series(
                    label,
                    style,
                    marks.stream().filter(mark -> mark.at().isOn(across, up)).toList(),
                    curve.stream().filter(place -> place.isOn(across, up)).toList(),
                    isJoined);
        }

        /// Places that the axes reach; the lower end of a bar only as far as the scale goes.
        private Stream<Place> places(AxisScale across, AxisScale up) {
            return Stream.concat(
                            curve.stream(),
                            marks.stream()
                                    .flatMap(mark ->
                                            Stream.of(
                                                    mark.at(),
                                                    near(mark, mark.low()),
                                                    near(mark, mark.high()))))
                    .filter(place -> place.isOn(across, up));
        }

        /// An end of an error bar, as far as the axis need reach it.
        private static Place near(Mark mark, double end) {
            var up = mark.at().up();
            return new Place(
                    mark.at().across(),
                    mark.low() > 0 ? end : Math.clamp(end, up / MOST_BAR, up * MOST_BAR));
        }
    }

    /// A value on each axis.
    public record Place(double across, double up) {
        private boolean isOn(AxisScale acrossScale, AxisScale upScale) {
            return isOn(acrossScale, across) && isOn(upScale, up);
        }

        private static boolean isOn(AxisScale scale, double value) {
            return Double.isFinite(value)
                    && switch (scale) {
                        case LOG -> value > 0;
                        case LINEAR -> value >= 0;
                    };
        }
    }

    /// Appearance of a point.
    public enum Kind {
        /// Filled.
        MEASURED,
        /// Hollow.
        HELD_OUT,
        /// A grey cross.
        DISTURBED
    }

    /// A measured point.
    ///
    /// @param low lower end of its error bar; the value itself for none
    /// @param high upper end of its error bar
    /// @param note shown when it is pointed at
    public record Mark(Place at, double low, double high, Kind kind, String note) {}
}

package winnow.loadgen.chart;

import java.util.List;
import java.util.stream.Stream;

/// Points and curves over two logarithmic axes. Values that are not positive are not shown.
/// Immutable.
///
/// @param title what it shows, for those who do not see it
/// @param description what can be read from it
/// @param across name of the horizontal axis
/// @param up name of the vertical axis
/// @param around places that the axes reach besides those shown, so that charts can be compared
public record Chart(
        String title,
        String description,
        String across,
        String up,
        List<Series> series,
        List<Place> around) {

    public Chart {
        series = List.copyOf(series);
        around = List.copyOf(around);
    }

    /// With axes that reach as far as the series do.
    public Chart(String title, String description, String across, String up, List<Series> series) {
        this(title, description, across, up, series, List.of());
    }

    /// All that is shown.
    public Stream<Place> places() {
        return Stream.concat(around.stream(), series.stream().flatMap(Series::places));
    }

    /// @param label stands at its end
    /// @param style number of its color and marker
    /// @param curve joined by a dashed line; may be empty
    /// @param isJoined whether a line joins the marks
    public record Series(
            String label, int style, List<Mark> marks, List<Place> curve, boolean isJoined) {

        public Series {
            marks = marks.stream().filter(mark -> mark.at().isPositive()).toList();
            curve = curve.stream().filter(Place::isPositive).toList();
        }

        Stream<Place> places() {
            return Stream.concat(
                            curve.stream(),
                            marks.stream()
                                    .flatMap(mark ->
                                            Stream.of(
                                                    mark.at(),
                                                    new Place(mark.at().across(), mark.low()),
                                                    new Place(mark.at().across(), mark.high()))))
                    .filter(Place::isPositive);
        }
    }

    /// A value on each axis.
    public record Place(double across, double up) {
        boolean isPositive() {
            return across > 0 && up > 0 && Double.isFinite(across) && Double.isFinite(up);
        }
    }

    /// How a point is shown.
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

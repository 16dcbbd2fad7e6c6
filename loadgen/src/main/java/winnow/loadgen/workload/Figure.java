package winnow.loadgen.workload;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Drawing of a scenario's points, and statements of the paper on them. Immutable.
///
/// @param number of the paper's figure; null if there is none
/// @param across horizontal axis
/// @param acrossScale its scale
/// @param upScale scale of the vertical axes
/// @param perBrokerCpu whether rates are those of a broker that has one processor to itself, like
///   the paper's, as far as its CPU time is known; else they are by the clock
/// @param series names of the axes of [Point] that tell the curves apart
/// @param values what is drawn, a curve each; those of one unit in one chart
/// @param ratio two curves that are divided; null for none
/// @param limit whether the rate of a bare socket is measured and drawn, too
/// @param confidence of the intervals of each point
/// @param paper values that the paper states
/// @param says what else the paper concludes, in sentences
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Figure(
        @Nullable String number,
        HorizontalAxis across,
        AxisScale acrossScale,
        AxisScale upScale,
        boolean perBrokerCpu,
        List<String> series,
        List<Quantity> values,
        @Nullable Ratio ratio,
        boolean limit,
        double confidence,
        List<Stated> paper,
        List<String> says) {

    private static final double USUAL_CONFIDENCE = 0.95;

    /// Axis that tells points to fit from those to predict.
    private static final String USE = "use";

    public Figure {
        acrossScale = acrossScale == null ? AxisScale.LOG : acrossScale;
        upScale = upScale == null ? AxisScale.LOG : upScale;
        series = series == null ? List.of() : List.copyOf(series);
        values = values == null ? List.of(Quantity.OVERALL) : List.copyOf(values);
        confidence = confidence == 0 ? USUAL_CONFIDENCE : confidence;
        paper = paper == null ? List.of() : List.copyOf(paper);
        says = says == null ? List.of() : List.copyOf(says);
        if (across == null || !Axes.names().containsAll(series)) {
            throw new IllegalArgumentException(
                    "expected an axis across, and series out of %s, found %s, %s"
                            .formatted(Axes.names(), across, series));
        }
        if (!(confidence > 0 && confidence < 1)) {
            throw new IllegalArgumentException(
                    "expected a confidence between 0 and 1, found " + confidence);
        }
    }

    /// A value of the paper.
    ///
    /// @param series name of the curve that it belongs to; empty for none
    /// @param value axis that it is on
    /// @param across place on the horizontal axis
    /// @param up the value
    public record Stated(String series, Quantity value, double across, double up) {}

    /// One curve over another.
    ///
    /// @param name of the quotient
    /// @param of name of the one
    /// @param to name of the other
    /// @param paper what the paper has for many topics or filters
    public record Ratio(String name, String of, String to, double paper) {}

    /// Name of the curve of a point; empty if all are of one.
    public String seriesOf(Point point) {
        return series.stream()
                .map(axis -> named(axis, Axes.text(point, axis)))
                .filter(name -> !name.isEmpty())
                .collect(Collectors.joining(", "));
    }

    /// The same figure, with a curve for each value of an axis on which points differ that would
    /// lie on one curve at one place: whoever measures more than the scenario has does not get the
    /// mean of different things.
    public Figure apart(Collection<Point> points) {
        var atPlace =
                points.stream()
                        .distinct()
                        .collect(
                                Collectors.groupingBy(
                                        point -> Map.entry(across.of(point), seriesOf(point))))
                        .values();
        var told = new ArrayList<>(series);
        Axes.names().stream()
                .filter(axis -> !axis.equals(USE) && !series.contains(axis))
                .filter(axis ->
                        atPlace.stream()
                                .anyMatch(group ->
                                        group.stream()
                                                        .map(point -> Axes.text(point, axis))
                                                        .distinct()
                                                        .count()
                                                > 1))
                .forEach(told::add);
        return with(told, paper, says);
    }

    /// The same figure without the paper's values and statements, which are of another experiment.
    Figure withoutPaper() {
        return with(series, List.of(), List.of());
    }

    private Figure with(List<String> otherSeries, List<Stated> otherPaper, List<String> otherSays) {
        return new Figure(
                number,
                across,
                acrossScale,
                upScale,
                perBrokerCpu,
                otherSeries,
                values,
                ratio,
                limit,
                confidence,
                otherPaper,
                otherSays);
    }

    private static String named(String axis, String value) {
        return switch (axis) {
            case "series" -> value;
            case "filter" -> value.equals("none") ? "no filter" : value;
            case "matching" -> "r = " + value;
            case "order" -> value + " rejects";
            default -> axis + " = " + value;
        };
    }
}

package winnow.loadgen.workload;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// An experiment with a name. Immutable.
///
/// @param name as on the command line
/// @param section of the FioranoMQ paper
/// @param title one line for people
/// @param source which part of the paper it repeats, and in what it differs
/// @param figure how its points are drawn
/// @param full what a full run measures: the points of all these products
/// @param quick the same of a quick run, with fewer points
public record Scenario(
        String name,
        String section,
        String title,
        String source,
        Figure figure,
        List<Axes> full,
        List<Axes> quick) {

    private static final String FILTER = "filter";
    private static final String USE = "use";

    public Scenario {
        full = List.copyOf(full);
        quick = List.copyOf(quick);
    }

    /// Every point once.
    ///
    /// @throws IllegalArgumentException if an axis or a combination cannot be
    public List<Point> points(Extent extent) {
        return points(axes(extent));
    }

    private List<Axes> axes(Extent extent) {
        return switch (extent) {
            case FULL -> full;
            case QUICK -> quick;
        };
    }

    /// The points of some products; one that is also held out is only held out.
    static List<Point> points(List<Axes> products) {
        var points = new LinkedHashMap<Point, Point>();
        for (var product : products) {
            for (var point : product.points()) {
                points.merge(
                        point.with(USE, PointUse.FIT),
                        point,
                        (one, other) -> other.use() == PointUse.HELD_OUT ? other : one);
            }
        }
        return List.copyOf(points.values());
    }

    /// Time of all measurements and of a bare socket, the first warm-up and points measured again
    /// not included.
    public Duration estimatedTime(Extent extent, LoadSettings settings) {
        var points = points(extent);
        var bodies =
                figure.limit() ? points.stream().mapToInt(Point::bodyBytes).distinct().count() : 0;
        return settings.estimatedTime()
                .multipliedBy((long) points.size() * settings.repetitions())
                .plus(settings.bareSocketTime().multipliedBy(bodies));
    }

    /// The same experiment with another kind of filter, and said to be another than the paper's. Of
    /// an experiment with several kinds the part with this one.
    public Scenario withFilter(FilterKind other) {
        if (full.stream().anyMatch(axes -> axes.has(FILTER, other))) {
            return withAxes(only(full, other), only(quick, other));
        }
        var filters = other == FilterKind.NONE ? "without filters" : "with " + other + " filters";
        return new Scenario(
                name,
                section,
                title + ", but " + filters,
                "like " + source + ", but " + filters,
                figure,
                set(full, FILTER, List.of(other)),
                set(quick, FILTER, List.of(other)));
    }

    /// The same experiment with other values on some axes, and said to be another than the paper's.
    /// Whoever chooses what is held out chooses that none is.
    ///
    /// @param values by axis
    public Scenario with(Map<String, ? extends List<?>> values) {
        var changed = this;
        for (var axis : values.entrySet()) {
            changed =
                    changed.withAxes(
                            chosen(changed.full, axis.getKey(), axis.getValue()),
                            chosen(changed.quick, axis.getKey(), axis.getValue()));
        }
        if (values.isEmpty()) {
            return this;
        }
        var others =
                values.entrySet().stream()
                        .map(axis ->
                                axis.getKey()
                                        + " = "
                                        + axis.getValue().stream()
                                                .map(String::valueOf)
                                                .collect(Collectors.joining(", ")))
                        .sorted()
                        .collect(Collectors.joining(", but "));
        return new Scenario(
                name,
                section,
                title + ", but " + others,
                "like " + source + ", but " + others,
                figure.withoutPaper(),
                changed.full,
                changed.quick);
    }

    private Scenario withAxes(List<Axes> otherFull, List<Axes> otherQuick) {
        return new Scenario(name, section, title, source, figure, otherFull, otherQuick);
    }

    private static List<Axes> only(List<Axes> products, FilterKind kind) {
        return products.stream()
                .filter(axes -> axes.has(FILTER, kind))
                .map(axes -> axes.with(FILTER, List.of(kind)))
                .toList();
    }

    private static List<Axes> set(List<Axes> products, String axis, List<?> values) {
        return products.stream().map(axes -> axes.with(axis, values)).toList();
    }

    private static List<Axes> chosen(List<Axes> products, String axis, List<?> values) {
        var fitted =
                products.stream()
                        .filter(axes -> !axes.has(USE, PointUse.HELD_OUT) || !axes.has(axis))
                        .toList();
        return set(fitted, axis, values);
    }
}

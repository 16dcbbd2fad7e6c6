package winnow.loadgen.worker;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import winnow.loadgen.workload.FilterKind;
import winnow.loadgen.workload.Point;

/// Selectors over application properties, and the properties of the messages that they are for. Ids
/// are `#number`.
final class PropertyFilter {

    private PropertyFilter() {}

    /// Selector for the messages of a subscriber's ids: the conditions for each of them joined by
    /// AND, the ids joined by OR.
    ///
    /// @param firstId the first of the ids
    static String selector(Point point, int firstId) {
        return IntStream.range(firstId, firstId + point.alternatives())
                .mapToObj(id -> conditions(point, id))
                .collect(Collectors.joining(" OR "));
    }

    private static String conditions(Point point, int id) {
        var all =
                properties(point, id).entrySet().stream()
                        .limit(point.conditions())
                        .map(property ->
                                property.getKey() + " = " + Provider.literal(property.getValue()))
                        .collect(Collectors.joining(" AND "));
        return point.alternatives() == 1 || point.conditions() == 1 ? all : "(" + all + ")";
    }

    /// Properties of a message of one id: the id in one of them, #0 in the others.
    static Map<String, String> properties(Point point, int id) {
        var properties = new LinkedHashMap<String, String>();
        var count =
                point.filter() == FilterKind.PROPERTY
                        ? Math.max(point.conditions(), point.properties())
                        : point.properties();
        var decisive = point.order().decisive(point.conditions(), id);
        for (var number = 1; number <= count; number++) {
            properties.put(count == 1 ? "p" : "p" + number, number == decisive ? "#" + id : "#0");
        }
        return properties;
    }
}

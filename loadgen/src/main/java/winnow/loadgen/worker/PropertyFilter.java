package winnow.loadgen.worker;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import winnow.loadgen.workload.FilterKind;

/// Selectors over application properties, and the properties of the messages that they are for. Ids
/// are `#number`.
final class PropertyFilter {

    /// The paper's largest: "we define k = 25 properties in all messages".
    static final int COMPONENTS = 25;

    private PropertyFilter() {}

    /// What selects the messages of one id.
    static String selector(FilterKind filter, int id) {
        return switch (filter) {
            case NONE, CORRELATION_ID -> "";
            case PROPERTY -> equal("p", "#" + id);
            case AND_FIRST, AND_MIDDLE, AND_LAST ->
                    properties(filter, id).entrySet().stream()
                            .map(property -> equal(property.getKey(), property.getValue()))
                            .collect(Collectors.joining(" AND "));
            case OR ->
                    IntStream.rangeClosed(1, COMPONENTS)
                            .mapToObj(number -> equal("p", alternative(id, number)))
                            .collect(Collectors.joining(" OR "));
        };
    }

    /// What a message of one id carries.
    static Map<String, String> properties(FilterKind filter, int id) {
        var properties = new LinkedHashMap<String, String>();
        switch (filter) {
            case NONE, CORRELATION_ID -> {}
            case PROPERTY, OR -> properties.put("p", "#" + id);
            case AND_FIRST, AND_MIDDLE, AND_LAST -> {
                for (var number = 1; number <= COMPONENTS; number++) {
                    var differs = number == differing(filter);
                    properties.put("p" + number, differs ? "#" + id : "#0");
                }
            }
        }
        return properties;
    }

    private static int differing(FilterKind filter) {
        return switch (filter) {
            case AND_FIRST -> 1;
            case AND_MIDDLE -> (COMPONENTS + 1) / 2;
            default -> COMPONENTS;
        };
    }

    /// Values that no message carries, then the id.
    private static String alternative(int id, int number) {
        return number == COMPONENTS ? "#" + id : "#" + id + "." + number;
    }

    private static String equal(String name, String value) {
        return name + " = " + Provider.literal(value);
    }
}

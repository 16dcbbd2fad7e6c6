package winnow.loadgen.workload;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/// Named axes, each with its values, whose product is measured. The axes are the components of
/// [Point]; those that are not named have their default. Immutable.
///
/// @param values by the name of the axis; in files a list, or a value alone
public record Axes(Map<String, List<JsonNode>> values) {

    private static final ObjectMapper JSON = new ObjectMapper();

    /// The paper's set-up from section 4.2 on: five publishers, one topic, empty bodies.
    private static final Map<String, Object> DEFAULTS = defaults();

    /// Names of axes that a label says by themselves.
    private static final List<String> UNNAMED = List.of("filter", "series");

    public Axes {
        var copy = new LinkedHashMap<String, List<JsonNode>>();
        values.forEach((name, several) -> copy.put(name, List.copyOf(several)));
        values = copy;
    }

    private static Map<String, Object> defaults() {
        var defaults = new LinkedHashMap<String, Object>();
        defaults.put("series", "");
        defaults.put("filter", FilterKind.NONE);
        defaults.put("matching", 1);
        defaults.put("others", 0);
        defaults.put("groups", 1);
        defaults.put("topics", 1);
        defaults.put("alternatives", 1);
        defaults.put("conditions", 1);
        defaults.put("order", Order.FIRST);
        defaults.put("properties", 0);
        defaults.put("bodyBytes", 0);
        defaults.put("publishers", 5);
        defaults.put("identicalOthers", false);
        defaults.put("othersConnections", 0);
        defaults.put("use", PointUse.FIT);
        return defaults;
    }

    /// Names of all axes.
    public static List<String> names() {
        return List.copyOf(DEFAULTS.keySet());
    }

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    static Axes of(Map<String, JsonNode> values) {
        var axes = new LinkedHashMap<String, List<JsonNode>>();
        values.forEach((name, value) -> axes.put(name, list(value)));
        return new Axes(axes);
    }

    private static List<JsonNode> list(JsonNode value) {
        return value.isArray()
                ? StreamSupport.stream(value.spliterator(), false).toList()
                : List.of(value);
    }

    @Override
    @JsonValue
    public Map<String, List<JsonNode>> values() {
        return values;
    }

    /// Values of an axis as they are typed, separated by commas.
    ///
    /// @throws IllegalArgumentException if there is no such axis
    public static List<?> parse(String axis, String values) {
        var usual = DEFAULTS.get(axis);
        if (usual == null) {
            throw new IllegalArgumentException(
                    "expected an axis out of %s, found '%s'".formatted(names(), axis));
        }
        return Arrays.stream(values.split(",", -1))
                .map(value -> usual instanceof Integer ? number(axis, value) : value)
                .toList();
    }

    private static Object number(String axis, String value) {
        try {
            return Integer.valueOf(value);
        } catch (NumberFormatException other) {
            throw new IllegalArgumentException(
                    "expected numbers for the axis %s, found '%s'".formatted(axis, value), other);
        }
    }

    /// Every combination once; the last axis varies first.
    ///
    /// @throws IllegalArgumentException if an axis or a combination cannot be
    public List<Point> points() {
        var products = List.of(JSON.createObjectNode());
        for (var axis : values.entrySet()) {
            var longer = new ArrayList<ObjectNode>();
            for (var product : products) {
                for (var value : axis.getValue()) {
                    longer.add(product.deepCopy().set(axis.getKey(), value));
                }
            }
            products = longer;
        }
        return products.stream().map(Axes::completed).toList();
    }

    /// The same axes, one of them with other values.
    Axes with(String axis, List<?> others) {
        var more = new LinkedHashMap<>(values);
        more.put(axis, others.stream().map(JSON::<JsonNode>valueToTree).toList());
        return new Axes(more);
    }

    /// True if the values of an axis are given.
    boolean has(String axis) {
        return values.containsKey(axis);
    }

    /// True if a value of an axis is given.
    boolean has(String axis, Object value) {
        return values.getOrDefault(axis, List.of()).contains(JSON.<JsonNode>valueToTree(value));
    }

    static Point point(Map<String, ?> axes) {
        return completed(JSON.<ObjectNode>valueToTree(axes));
    }

    static Point with(Point point, String axis, Object value) {
        return completed(JSON.<ObjectNode>valueToTree(point).set(axis, JSON.valueToTree(value)));
    }

    /// A point's value on an axis, as text.
    static String text(Point point, String axis) {
        return JSON.<ObjectNode>valueToTree(point).path(axis).asText();
    }

    /// Values of a point that are not the usual ones, and its numbers of copies and publishers.
    static String label(Point point) {
        var values = JSON.<ObjectNode>valueToTree(point);
        var usual = JSON.<ObjectNode>valueToTree(DEFAULTS);
        return names().stream()
                .filter(name ->
                        name.equals("matching")
                                || name.equals("publishers")
                                || (name.equals("others") && point.filter() != FilterKind.NONE)
                                || !values.get(name).equals(usual.get(name)))
                .map(name ->
                        UNNAMED.contains(name)
                                ? values.get(name).asText()
                                : symbol(name) + "=" + values.get(name).asText())
                .collect(Collectors.joining(" "));
    }

    private static String symbol(String axis) {
        return switch (axis) {
            case "matching" -> "r";
            case "others" -> "n";
            case "bodyBytes" -> "body";
            default -> axis;
        };
    }

    private static Point completed(ObjectNode axes) {
        var all = JSON.<ObjectNode>valueToTree(DEFAULTS);
        all.setAll(axes);
        try {
            return JSON.treeToValue(all, Point.class);
        } catch (UnrecognizedPropertyException unknown) {
            throw new IllegalArgumentException(
                    "expected an axis out of %s, found '%s'"
                            .formatted(names(), unknown.getPropertyName()),
                    unknown);
        } catch (ValueInstantiationException refused) {
            throw new IllegalArgumentException(
                    refused.getCause() == null
                            ? refused.getOriginalMessage()
                            : refused.getCause().getMessage(),
                    refused);
        } catch (JsonProcessingException unsuitable) {
            throw new IllegalArgumentException(unsuitable.getOriginalMessage(), unsuitable);
        }
    }
}

package winnow.broker.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import winnow.selector.engine.Selector;
import winnow.selector.error.InvalidSelectorSyntaxException;
import winnow.selector.explain.Evaluation;
import winnow.selector.explain.Explanation;
import winnow.selector.explain.Warning;
import winnow.selector.expression.Truth;

/// `winnow selector eval`: TRUE, FALSE or UNKNOWN for a message, and the same for each atom.
@Command(
        name = "eval",
        mixinStandardHelpOptions = true,
        description = {
            "Prints whether a selector is TRUE, FALSE or UNKNOWN for a message, and why.",
            "",
            "Only TRUE is a match. Each part is printed with its value; what decides is marked.",
            "The values that the message has for the names of the selector follow, and warnings.",
            "",
            "The message is a JSON object of properties, and header fields by JMS name:",
            "  {\"price\": 5, \"symbol\": \"ABC\", \"open\": true, \"JMSPriority\": 4}",
            "A whole number is an int or, if it is too large, a long; a fraction is a",
            "double. Other types are written with their name, as {\"x\": {\"float\": 1.5}}: byte,",
            "short, int, long, float, double. null means that the property is missing."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:TRUE", "1:FALSE or UNKNOWN", "2:wrong usage or not a selector"})
final class SelectorEvalCommand implements Callable<Integer> {

    private static final JsonMapper READER =
            JsonMapper.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .build();

    @Mixin private SelectorCommand.Input input = new SelectorCommand.Input();

    @Option(
            names = "--message",
            paramLabel = "JSON",
            description = "the message (default: one without any property)",
            defaultValue = "{}")
    private String message = "{}";

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        CommandLine line = spec.commandLine();
        Selector selector;
        try {
            selector = input.parse();
        } catch (InvalidSelectorSyntaxException e) {
            return SelectorCommand.refuse(line, input, e);
        }
        Evaluation evaluation = Evaluation.of(selector.expression(), readMessage());
        List<Warning> warnings = new ArrayList<>(evaluation.warnings());
        warnings.addAll(Explanation.of(selector).warnings());
        if (input.isJson()) {
            SelectorCommand.print(line.getOut(), toJson(evaluation, warnings));
        } else {
            print(line.getOut(), evaluation, warnings);
        }
        return evaluation.truth() == Truth.TRUE ? 0 : 1;
    }

    private static void print(PrintWriter out, Evaluation evaluation, List<Warning> warnings) {
        out.println(evaluation.truth());
        for (Evaluation.AtomTruth atom : evaluation.atoms()) {
            String mark = atom.decides() && evaluation.atoms().size() > 1 ? "  <- decides" : "";
            out.printf("  %-7s  %s%s%n", atom.truth(), atom.text(), mark);
        }
        for (Evaluation.Value value : evaluation.values()) {
            out.println("value     " + value.name() + " " + describe(value.value()));
        }
        SelectorCommand.print(out, warnings);
        out.flush();
    }

    private static String describe(@Nullable Object value) {
        if (value == null) {
            return "is missing";
        }
        String text =
                value instanceof String string
                        ? "'" + string.replace("'", "''") + "'"
                        : String.valueOf(value);
        return "is " + text + " (" + type(value) + ")";
    }

    private static String type(Object value) {
        return switch (value) {
            case Integer _ -> "int";
            default -> value.getClass().getSimpleName().toLowerCase(Locale.ROOT);
        };
    }

    private ObjectNode toJson(Evaluation evaluation, List<Warning> warnings) {
        ObjectNode root = SelectorCommand.JSON.createObjectNode();
        root.put("selector", input.text()).put("truth", evaluation.truth().name());
        ArrayNode atoms = root.putArray("atoms");
        for (Evaluation.AtomTruth atom : evaluation.atoms()) {
            atoms.addObject()
                    .put("atom", atom.text())
                    .put("truth", atom.truth().name())
                    .put("decides", atom.decides());
        }
        ArrayNode values = root.putArray("values");
        for (Evaluation.Value value : evaluation.values()) {
            Object found = value.value();
            ObjectNode node = values.addObject().put("name", value.name());
            node.put("type", found == null ? "missing" : type(found));
            node.putPOJO("value", found);
        }
        SelectorCommand.add(root, warnings);
        return root;
    }

    private Map<String, Object> readMessage() {
        JsonNode root;
        try {
            root = READER.readTree(message);
        } catch (JsonProcessingException e) {
            throw invalid(
                    "expected a JSON object for --message, found an error in it at column "
                            + e.getLocation().getColumnNr());
        }
        if (!root.isObject()) {
            throw invalid("expected a JSON object for --message, found " + message);
        }
        Map<String, Object> values = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> entry : root.properties()) {
            if (!entry.getValue().isNull()) {
                values.put(entry.getKey(), value(entry.getKey(), entry.getValue()));
            }
        }
        return values;
    }

    private Object value(String name, JsonNode node) {
        if (name.equals("JMSDeliveryMode") && node.isIntegralNumber()) {
            return deliveryMode(node);
        }
        if (node.isTextual()) {
            return node.textValue();
        }
        if (node.isBoolean()) {
            return node.booleanValue();
        }
        if (node.isIntegralNumber()) {
            Object exact = exact(name, node, Long.MIN_VALUE, Long.MAX_VALUE);
            return node.canConvertToInt() ? (Object) node.intValue() : exact;
        }
        if (node.isNumber()) {
            return node.doubleValue();
        }
        if (node.isObject() && node.size() == 1) {
            Map.Entry<String, JsonNode> typed = node.properties().iterator().next();
            return typed(name, typed.getKey(), typed.getValue());
        }
        throw unexpected(name, "a number, a string, true, false, null or {\"TYPE\": NUMBER}", node);
    }

    private Object typed(String name, String type, JsonNode node) {
        return switch (type) {
            case "byte" -> (byte) exact(name, node, Byte.MIN_VALUE, Byte.MAX_VALUE);
            case "short" -> (short) exact(name, node, Short.MIN_VALUE, Short.MAX_VALUE);
            case "int" -> (int) exact(name, node, Integer.MIN_VALUE, Integer.MAX_VALUE);
            case "long" -> exact(name, node, Long.MIN_VALUE, Long.MAX_VALUE);
            case "float" -> (float) number(name, node);
            case "double" -> number(name, node);
            default ->
                    throw invalid(
                            "expected byte, short, int, long, float or double as the type of '%s',"
                                            .formatted(name)
                                    + " found '%s'".formatted(type));
        };
    }

    private long exact(String name, JsonNode node, long min, long max) {
        if (!node.isIntegralNumber()
                || !node.canConvertToLong()
                || node.longValue() < min
                || node.longValue() > max) {
            throw unexpected(name, "a whole number from %d to %d".formatted(min, max), node);
        }
        return node.longValue();
    }

    private double number(String name, JsonNode node) {
        if (!node.isNumber()) {
            throw unexpected(name, "a number", node);
        }
        return node.doubleValue();
    }

    /// As the constants of `jakarta.jms.DeliveryMode`; selectors see the names.
    private String deliveryMode(JsonNode node) {
        return switch (node.asText()) {
            case "1" -> "NON_PERSISTENT";
            case "2" -> "PERSISTENT";
            default -> throw unexpected("JMSDeliveryMode", "1 or 2", node);
        };
    }

    private CommandLine.ParameterException unexpected(String name, String what, JsonNode node) {
        return invalid("expected %s for '%s', found %s".formatted(what, name, node));
    }

    private CommandLine.ParameterException invalid(String text) {
        return new CommandLine.ParameterException(spec.commandLine(), text);
    }
}

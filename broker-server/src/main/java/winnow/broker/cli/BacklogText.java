package winnow.broker.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Map;
import winnow.wire.Printable;

/// Queues, stored subscriptions and their messages as text. Owned by the command's thread.
final class BacklogText {
    private static final String NUMBERS = "%,12d %,12d %,14d %,9d %,16d  ";
    private static final String HEADS = "%12s %12s %14s %9s %16s  ";

    private final PrintWriter out;
    private final String none;

    /// @param none stands in place of a list without entries
    BacklogText(PrintWriter out, String none) {
        this.out = out;
        this.none = none;
    }

    void queues(JsonNode queues) {
        heads("QUEUE");
        for (JsonNode queue : queues) {
            numbers(queue.path("backlog"));
            out.println(
                    plain(queue.path("name"))
                            + (queue.path("temporary").asBoolean() ? " (temporary)" : "")
                            + (queue.path("paused").asBoolean() ? " (paused)" : "")
                            + damaged(queue.path("counts").path("damaged").asLong()));
        }
        end(queues);
    }

    private static String damaged(long messages) {
        return messages == 0 ? "" : format(" (damaged, put aside: %,d)", messages);
    }

    void subscriptions(JsonNode subscriptions) {
        out.print(format("%8s ", "ID"));
        heads("SUBSCRIPTION");
        for (JsonNode one : subscriptions) {
            out.print(format("%8d ", one.path("id").asLong()));
            numbers(one.path("backlog"));
            out.println(subscription(one));
        }
        end(subscriptions);
    }

    private static String subscription(JsonNode one) {
        StringBuilder text = new StringBuilder(plain(one.path("name")));
        text.append(" of topic ").append(plain(one.path("topic")));
        if (!one.path("clientId").asText().isEmpty()) {
            text.append(", client ").append(plain(one.path("clientId")));
        }
        text.append(one.path("shared").asBoolean() ? ", shared" : "");
        text.append(one.path("durable").asBoolean() ? ", durable" : "");
        text.append(one.path("noLocal").asBoolean() ? ", no local" : "");
        if (!one.path("selector").asText().isEmpty()) {
            text.append(", selector ").append(plain(one.path("selector")));
        }
        if (!one.path("correlationIdFilter").asText().isEmpty()) {
            text.append(", correlation ID ").append(plain(one.path("correlationIdFilter")));
        }
        return text.toString();
    }

    private void heads(String last) {
        out.println(
                format(HEADS, "MESSAGES", "AVAILABLE", "UNACKNOWLEDGED", "CONSUMERS", "BYTES")
                        + last);
    }

    private void numbers(JsonNode backlog) {
        out.print(
                format(
                        NUMBERS,
                        backlog.path("messages").asLong(),
                        backlog.path("available").asLong(),
                        backlog.path("unacknowledged").asLong(),
                        backlog.path("consumers").asLong(),
                        backlog.path("bytes").asLong()));
    }

    private void end(JsonNode list) {
        if (list.isEmpty()) {
            out.println(none);
        }
    }

    void messages(JsonNode messages) {
        for (JsonNode message : messages) {
            message(message);
        }
        end(messages);
    }

    private void message(JsonNode message) {
        JsonNode id = message.path("messageId");
        out.println(
                format(
                        "#%d%s, %s, priority %d%s",
                        message.path("sequence").asLong(),
                        id.isNull() ? "" : " " + plain(id),
                        message.path("persistent").asBoolean() ? "persistent" : "not persistent",
                        message.path("priority").asInt(),
                        deliveries(message.path("deliveries").asInt())));
        header("sent", message.path("timestamp"));
        header("expires", message.path("expiration"));
        header("deliver at", message.path("deliveryTime"));
        header("correlation", message.path("correlationId"));
        header("type", message.path("type"));
        header("reply to", message.path("replyTo"));
        for (Map.Entry<String, JsonNode> property : message.path("properties").properties()) {
            header(Printable.line(property.getKey()), property.getValue());
        }
        body(message);
    }

    private static String deliveries(int count) {
        return switch (count) {
            case 0 -> "";
            case 1 -> ", delivered once before";
            default -> ", delivered " + count + " times before";
        };
    }

    private void header(String name, JsonNode value) {
        if (!value.isNull()) {
            out.println(format("    %-12s %s", name, plain(value)));
        }
    }

    private void body(JsonNode message) {
        String type = message.path("bodyType").asText();
        long bytes = message.path("bodyBytes").asLong();
        if (message.path("bodyStart").isNull() && bytes > 0) {
            out.println(
                    format(
                            "    %-12s %,d bytes of %s, stored in parts, not shown",
                            "body", bytes, type));
            return;
        }
        if (type.equals("none") || message.path("bodyStart").isNull()) {
            out.println(format("    %-12s %s", "body", type.equals("none") ? "none" : "null"));
            return;
        }
        out.println(
                format(
                        "    %-12s %,d %s of %s%s: %s%s",
                        "body",
                        bytes,
                        bytes == 1 ? "byte" : "bytes",
                        type,
                        type.equals("text") ? "" : " in base 64",
                        plain(message.path("bodyStart")),
                        message.path("truncated").asBoolean() ? "..." : ""));
    }

    private static String plain(JsonNode text) {
        return Printable.line(text.asText());
    }

    @SuppressWarnings("AnnotateFormatMethod") // the formats stand beside their values
    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}

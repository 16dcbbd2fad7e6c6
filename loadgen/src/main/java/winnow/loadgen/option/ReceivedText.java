package winnow.loadgen.option;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import jakarta.jms.BytesMessage;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.ObjectMessage;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import java.time.Instant;
import java.util.Base64;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A message as one line, received or published.
public final class ReceivedText {

    /// Properties that the provider adds; of interest to programs only.
    private static final String PROVIDERS_OWN = "JMSX";

    /// Control characters, separators of lines, and what changes the direction of a text.
    private static final Pattern COMMANDS =
            Pattern.compile("[\\p{Cc}\\u2028\\u2029\\u202A-\\u202E\\u2066-\\u2069]");

    private static final String DELIVERY_COUNT = "JMSXDeliveryCount";
    private static final String BODY = "body";
    private static final String BODY_BYTES = "bodyBytes";

    private static final ObjectMapper JSON = new ObjectMapper();

    private ReceivedText() {}

    /// Body last, after what is set of correlation ID and properties: `[correlationId=#7 region=EU]
    /// 42`.
    public static String text(Message message) throws JMSException {
        var labels = new LinkedHashMap<String, Object>();
        if (message.getJMSCorrelationID() != null) {
            labels.put("correlationId", message.getJMSCorrelationID());
        }
        if (message.getJMSType() != null) {
            labels.put("type", message.getJMSType());
        }
        labels.putAll(properties(message));
        labels.keySet().removeIf(name -> name.startsWith(PROVIDERS_OWN));
        var prefix =
                labels.entrySet().stream()
                        .map(label -> label.getKey() + "=" + label.getValue())
                        .collect(Collectors.joining(" ", "[", "] "));
        return visible((labels.isEmpty() ? "" : prefix) + bodyText(message));
    }

    /// With escapes as in JSON for what a terminal would obey: whoever publishes must neither begin
    /// a line nor move the cursor.
    public static String visible(String text) {
        return COMMANDS.matcher(text)
                .replaceAll(found ->
                        switch (found.group().charAt(0)) {
                            case '\n' -> "\\\\n";
                            case '\r' -> "\\\\r";
                            case '\t' -> "\\\\t";
                            default -> "\\\\u%04x".formatted((int) found.group().charAt(0));
                        });
    }

    /// The same of several lines, each ended.
    public static String visibleLines(String text) {
        return text.lines()
                .map(line -> visible(line) + "%n".formatted())
                .collect(Collectors.joining());
    }

    /// One JSON object. A field has the name that it has in the broker's API, which shows only the
    /// beginning of a body, as `bodyStart`.
    public static String json(Message message) throws JMSException, JsonProcessingException {
        var fields = new LinkedHashMap<String, @Nullable Object>();
        fields.put("messageId", message.getJMSMessageID());
        fields.put("destination", String.valueOf(message.getJMSDestination()));
        fields.put("deliveries", earlierDeliveries(message));
        fields.put("timestamp", time(message.getJMSTimestamp()));
        fields.put("expiration", time(message.getJMSExpiration()));
        fields.put("deliveryTime", time(delayedUntil(message)));
        fields.put("priority", message.getJMSPriority());
        fields.put("persistent", message.getJMSDeliveryMode() == DeliveryMode.PERSISTENT);
        fields.put("correlationId", message.getJMSCorrelationID());
        fields.put("type", message.getJMSType());
        var replyTo = message.getJMSReplyTo();
        fields.put("replyTo", replyTo == null ? null : replyTo.toString());
        fields.put("properties", properties(message));
        putBody(message, fields);
        return visible(JSON.writeValueAsString(fields));
    }

    /// Number of earlier deliveries, at least.
    private static int earlierDeliveries(Message message) throws JMSException {
        var least = message.getJMSRedelivered() ? 1 : 0;
        return message.propertyExists(DELIVERY_COUNT)
                ? Math.max(least, message.getIntProperty(DELIVERY_COUNT) - 1)
                : least;
    }

    /// 0 if it was to be delivered at once: providers then say when it was sent.
    private static long delayedUntil(Message message) throws JMSException {
        var time = message.getJMSDeliveryTime();
        return time > message.getJMSTimestamp() ? time : 0;
    }

    private static @Nullable String time(long millis) {
        return millis == 0 ? null : Instant.ofEpochMilli(millis).toString();
    }

    /// A text as it is, bytes in base 64; of other kinds of messages only which it is.
    private static void putBody(Message message, Map<String, @Nullable Object> fields)
            throws JMSException {
        switch (message) {
            case TextMessage text -> {
                var body = text.getText();
                fields.put("bodyType", "text");
                fields.put(BODY_BYTES, body == null ? 0 : body.getBytes(UTF_8).length);
                fields.put(BODY, body);
            }
            case BytesMessage bytes -> {
                var body = bytesOf(bytes);
                fields.put("bodyType", "bytes");
                fields.put(BODY_BYTES, body.length);
                fields.put(BODY, Base64.getEncoder().encodeToString(body));
            }
            default -> {
                fields.put("bodyType", otherType(message));
                fields.put(BODY_BYTES, null);
                fields.put(BODY, null);
            }
        }
    }

    private static String otherType(Message message) {
        return switch (message) {
            case MapMessage _ -> "map";
            case StreamMessage _ -> "stream";
            case ObjectMessage _ -> "object";
            default -> "none";
        };
    }

    private static String bodyText(Message message) throws JMSException {
        return switch (message) {
            case TextMessage text -> String.valueOf(text.getText());
            case BytesMessage bytes -> "<%,d bytes>".formatted(bytes.getBodyLength());
            default -> "<no text>";
        };
    }

    private static byte[] bytesOf(BytesMessage message) throws JMSException {
        var bytes = new byte[Math.toIntExact(message.getBodyLength())];
        message.readBytes(bytes);
        return bytes;
    }

    private static Map<String, Object> properties(Message message) throws JMSException {
        var properties = new TreeMap<String, Object>();
        Enumeration<?> names = message.getPropertyNames();
        while (names.hasMoreElements()) {
            var name = String.valueOf(names.nextElement());
            properties.put(name, message.getObjectProperty(name));
        }
        return properties;
    }
}

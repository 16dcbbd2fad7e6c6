package winnow.loadgen;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.TextMessage;
import java.util.Base64;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// A message as one line, received or published.
final class ReceivedText {

    /// Properties that the provider adds; of interest to programs only.
    private static final String PROVIDERS_OWN = "JMSX";

    /// Control characters, separators of lines, and what changes the direction of a text.
    private static final Pattern COMMANDS =
            Pattern.compile("[\\p{Cc}\\u2028\\u2029\\u202A-\\u202E\\u2066-\\u2069]");

    private static final ObjectMapper JSON = new ObjectMapper();

    private ReceivedText() {}

    /// Body last, after what is set of correlation ID and properties: `[correlationId=#7 region=EU]
    /// 42`.
    static String text(Message message) throws JMSException {
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
    static String visible(String text) {
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
    static String visibleLines(String text) {
        return text.lines()
                .map(line -> visible(line) + "%n".formatted())
                .collect(Collectors.joining());
    }

    /// One JSON object.
    static String json(Message message) throws JMSException, JsonProcessingException {
        var fields = new LinkedHashMap<String, Object>();
        fields.put("messageId", message.getJMSMessageID());
        fields.put("timestampMillis", message.getJMSTimestamp());
        fields.put("destination", String.valueOf(message.getJMSDestination()));
        if (message.getJMSCorrelationID() != null) {
            fields.put("correlationId", message.getJMSCorrelationID());
        }
        if (message.getJMSType() != null) {
            fields.put("type", message.getJMSType());
        }
        fields.put("priority", message.getJMSPriority());
        if (message.getJMSExpiration() != 0) {
            fields.put("expirationMillis", message.getJMSExpiration());
        }
        fields.put("redelivered", message.getJMSRedelivered());
        fields.put("properties", properties(message));
        switch (message) {
            case TextMessage text -> fields.put("text", text.getText());
            case BytesMessage bytes ->
                    fields.put("bodyBase64", Base64.getEncoder().encodeToString(bytesOf(bytes)));
            default -> fields.put("body", "not text or bytes");
        }
        return visible(JSON.writeValueAsString(fields));
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

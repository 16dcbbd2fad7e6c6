package winnow.broker.admin;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import winnow.wire.BodyType;
import winnow.wire.DestinationKind;
import winnow.wire.MessageBlock;
import winnow.wire.PropertyCursor;
import winnow.wire.PropertyType;
import winnow.wire.WireReader;

/// A stored message for people.
///
/// @param sequence its number in its queue or topic
/// @param deliveries how often it was delivered before, at least
/// @param timestamp when it was sent, as the others by ISO 8601; null if it does not say
/// @param expiration null if it never expires
/// @param deliveryTime before which it is not delivered; null if it may be at once
/// @param bodyBytes length of the body
/// @param bodyStart first part of it: a text as it is, anything else in base 64
/// @param truncated whether there is more of the body
record StoredMessageInfo(
        long sequence,
        int deliveries,
        @Nullable String messageId,
        @Nullable String timestamp,
        @Nullable String expiration,
        @Nullable String deliveryTime,
        int priority,
        boolean persistent,
        @Nullable String correlationId,
        @Nullable String type,
        @Nullable String replyTo,
        Map<String, @Nullable Object> properties,
        String bodyType,
        int bodyBytes,
        @Nullable String bodyStart,
        boolean truncated) {
    private static final int TEXT_BYTES = 1024;
    private static final int BINARY_BYTES = 256;

    /// Reads a message block.
    ///
    /// @param partsBytes of a body that is in parts, of which nothing is shown; otherwise 0
    /// @param names of properties by their numbers, from 1
    static StoredMessageInfo of(
            long sequence,
            int deliveries,
            byte[] bytes,
            int partsBytes,
            IntFunction<String> names) {
        MessageBlock block = new MessageBlock();
        block.parseFields(bytes, 0, bytes.length);
        boolean text = block.bodyType() == BodyType.TEXT;
        int shown = Math.min(block.bodyLength(), text ? TEXT_BYTES : BINARY_BYTES);
        return new StoredMessageInfo(
                sequence,
                deliveries,
                block.has(MessageBlock.HAS_MESSAGE_ID) ? block.messageId() : null,
                time(block.timestamp()),
                time(block.expiration()),
                time(block.deliveryTime()),
                block.priority(),
                block.persistent(),
                string(bytes, block.correlationIdIndex(), block.correlationIdLength()),
                string(bytes, block.typeIndex(), block.typeLength()),
                replyTo(block),
                properties(block, names),
                block.bodyType().name().toLowerCase(Locale.ROOT),
                block.bodyLength() + partsBytes,
                block.nullBody() || partsBytes > 0 ? null : body(block, text, shown),
                shown < block.bodyLength() + partsBytes);
    }

    private static @Nullable String time(long millis) {
        return millis == 0 ? null : Instant.ofEpochMilli(millis).toString();
    }

    private static @Nullable String string(byte[] bytes, int index, int length) {
        return length < 0 ? null : new String(bytes, index, length, StandardCharsets.UTF_8);
    }

    private static @Nullable String replyTo(MessageBlock block) {
        if (!block.has(MessageBlock.HAS_REPLY_TO)) {
            return null;
        }
        WireReader in = new WireReader().wrap(block.array(), block.replyToIndex(), block.end());
        String kind = DestinationKind.read(in).name().toLowerCase(Locale.ROOT);
        return kind + " " + in.readString();
    }

    private static String body(MessageBlock block, boolean text, int shown) {
        byte[] bytes = new byte[shown];
        System.arraycopy(block.array(), block.bodyIndex(), bytes, 0, shown);
        return text
                ? wholeCharacters(bytes, shown < block.bodyLength())
                : Base64.getEncoder().encodeToString(bytes);
    }

    /// The text without a character that was cut.
    private static String wholeCharacters(byte[] bytes, boolean cut) {
        int end = bytes.length;
        if (cut) {
            while (end > bytes.length - 3 && (bytes[end - 1] & 0xC0) == 0x80) {
                end--;
            }
            end -= (bytes[end - 1] & 0x80) != 0 ? 1 : 0;
        }
        return new String(bytes, 0, end, StandardCharsets.UTF_8);
    }

    private static Map<String, @Nullable Object> properties(
            MessageBlock block, IntFunction<String> names) {
        Map<String, @Nullable Object> properties = new LinkedHashMap<>();
        PropertyCursor cursor = new PropertyCursor();
        block.properties(cursor);
        while (cursor.next()) {
            String name = cursor.nameId() == 0 ? cursor.inlineName() : names.apply(cursor.nameId());
            properties.put(name, value(cursor));
        }
        return properties;
    }

    private static @Nullable Object value(PropertyCursor cursor) {
        return switch (cursor.type()) {
            case PropertyType.NULL -> null;
            case PropertyType.FALSE -> false;
            case PropertyType.TRUE -> true;
            case PropertyType.FLOAT -> cursor.floating();
            case PropertyType.DOUBLE -> cursor.doubleFloating();
            case PropertyType.STRING -> cursor.string();
            default -> cursor.integer();
        };
    }

    /// About the length of it as text.
    int characters() {
        int sum = bodyStart == null ? 200 : 200 + bodyStart.length();
        for (Map.Entry<String, @Nullable Object> property : properties.entrySet()) {
            sum += property.getKey().length();
            sum += property.getValue() instanceof String text ? text.length() : 8;
        }
        return sum;
    }
}

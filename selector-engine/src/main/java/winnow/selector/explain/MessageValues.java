package winnow.selector.explain;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import winnow.selector.slot.SlotValues;
import winnow.selector.slot.Slots;

/// A message as a map from the names that selectors use, header fields included, to values of the
/// types that properties have. Null and absent are the same.
public final class MessageValues {

    private MessageValues() {}

    /// Resets the values and sets those that the slots' selectors use.
    public static void set(
            SlotValues values, Slots slots, Map<String, ? extends @Nullable Object> message) {
        values.reset(slots);
        message.forEach((name, value) -> set(values, slotOf(name, slots), value));
    }

    /// Sets one value of a message that was reset for the slots, if their selectors use the name.
    public static void set(SlotValues values, Slots slots, String name, @Nullable Object value) {
        if (value != null) {
            set(values, slotOf(name, slots), value);
        }
    }

    /// True if selectors use the name.
    public static boolean isUsed(Slots slots, String name) {
        int slot = slotOf(name, slots);
        return slot >= 0 && slots.uses(slot);
    }

    private static int slotOf(String name, Slots slots) {
        return switch (name) {
            case "JMSCorrelationID" -> Slots.CORRELATION_ID;
            case "JMSType" -> Slots.TYPE;
            case "JMSMessageID" -> Slots.MESSAGE_ID;
            case "JMSPriority" -> Slots.PRIORITY;
            case "JMSTimestamp" -> Slots.TIMESTAMP;
            case "JMSDeliveryMode" -> Slots.DELIVERY_MODE;
            default -> slots.slotOf(name);
        };
    }

    private static void set(SlotValues values, int slot, @Nullable Object value) {
        switch (value) {
            case null -> {}
            case Boolean b -> values.setBoolean(slot, b);
            case Byte b -> values.setByte(slot, b);
            case Short s -> values.setShort(slot, s);
            case Integer i -> values.setInt(slot, i);
            case Long l -> values.setLong(slot, l);
            case Float f -> values.setFloat(slot, f);
            case Double d -> values.setDouble(slot, d);
            case String s -> {
                byte[] utf8 = s.getBytes(UTF_8);
                values.setString(slot, utf8, 0, utf8.length);
            }
            default -> values.setOther(slot);
        }
    }
}

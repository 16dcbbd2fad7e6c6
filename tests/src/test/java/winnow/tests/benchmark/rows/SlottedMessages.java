package winnow.tests.benchmark.rows;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import winnow.selector.slot.SlotValues;
import winnow.selector.slot.Slots;

/// The messages of a workload with the slots that selectors name: kinds and numbers in flat arrays,
/// strings as they travel. Reading a message only calls setters, as the broker's decoder does.
/// Immutable; any thread.
final class SlottedMessages {
    private static final byte INT = 0;
    private static final byte LONG = 1;
    private static final byte DOUBLE = 2;
    private static final byte FALSE = 3;
    private static final byte TRUE = 4;
    private static final byte STRING = 5;

    private final Slots slots;

    /// Where the values of each message begin, and the end of the last.
    private final int[] starts;

    private final int[] slotOf;
    private final byte[] kinds;

    /// A number, the bits of a double, or the offset and the length of a string.
    private final long[] bits;

    /// All strings.
    private final byte[] utf8;

    /// @param slots of an index that has all names of the workload
    SlottedMessages(List<Message> messages, Slots slots) {
        this.slots = slots;
        starts = new int[messages.size() + 1];
        for (int i = 0; i < messages.size(); i++) {
            starts[i + 1] = starts[i] + messages.get(i).properties().size();
        }
        int count = starts[messages.size()];
        slotOf = new int[count];
        kinds = new byte[count];
        bits = new long[count];
        Map<String, Integer> slotByName = new HashMap<>();
        ByteArrayOutputStream strings = new ByteArrayOutputStream();
        int next = 0;
        for (Message message : messages) {
            for (Map.Entry<String, Object> property : message.properties().entrySet()) {
                slotOf[next] = slotByName.computeIfAbsent(property.getKey(), slots::slotOf);
                set(next, property.getValue(), strings);
                next++;
            }
        }
        utf8 = strings.toByteArray();
    }

    private void set(int i, Object value, ByteArrayOutputStream strings) {
        switch (value) {
            case String text -> {
                byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
                kinds[i] = STRING;
                bits[i] = (long) strings.size() << Integer.SIZE | encoded.length;
                strings.writeBytes(encoded);
            }
            case Integer number -> {
                kinds[i] = INT;
                bits[i] = number;
            }
            case Long number -> {
                kinds[i] = LONG;
                bits[i] = number;
            }
            case Double number -> {
                kinds[i] = DOUBLE;
                bits[i] = Double.doubleToRawLongBits(number);
            }
            case Boolean flag -> kinds[i] = flag ? TRUE : FALSE;
            default -> throw new IllegalStateException("no such type: " + value);
        }
    }

    /// @param message number of it
    void read(int message, SlotValues values) {
        values.reset(slots);
        int end = starts[message + 1];
        for (int i = starts[message]; i < end; i++) {
            int slot = slotOf[i];
            long value = bits[i];
            switch (kinds[i]) {
                case INT -> values.setInt(slot, (int) value);
                case LONG -> values.setLong(slot, value);
                case DOUBLE -> values.setDouble(slot, Double.longBitsToDouble(value));
                case FALSE -> values.setBoolean(slot, false);
                case TRUE -> values.setBoolean(slot, true);
                default -> values.setString(slot, utf8, (int) (value >> Integer.SIZE), (int) value);
            }
        }
    }
}

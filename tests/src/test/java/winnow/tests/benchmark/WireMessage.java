package winnow.tests.benchmark;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import winnow.selector.slot.SlotValues;
import winnow.selector.slot.Slots;
import winnow.wire.PropertyCursor;
import winnow.wire.PropertyType;
import winnow.wire.WireWriter;

/// The properties of a message as they travel, and their way into slots.
final class WireMessage {

    private final byte[] block;

    private WireMessage(byte[] block) {
        this.block = block;
    }

    /// What one event loop keeps to read messages of one topic: the numbers of names, and the slot
    /// of each.
    static final class Reader {

        private final List<String> names = new ArrayList<>();
        private final PropertyCursor cursor = new PropertyCursor();
        private int[] slotByName = {};

        private int number(String name) {
            if (!names.contains(name)) {
                names.add(name);
            }
            return names.indexOf(name) + 1;
        }

        /// Encodes a message.
        WireMessage message(Map<String, Object> properties) {
            WireWriter out = new WireWriter(256);
            properties.forEach((name, value) -> {
                out.writeVarint(number(name));
                write(value, out);
            });
            return new WireMessage(out.toByteArray());
        }

        /// Looks the slots up; once all selectors are there and all messages are made.
        void prepare(Slots slots) {
            slotByName = new int[names.size() + 1];
            for (int i = 0; i < names.size(); i++) {
                slotByName[i + 1] = slots.slotOf(names.get(i));
            }
        }

        /// Sets the properties that selectors name.
        void read(WireMessage message, Slots slots, SlotValues values) {
            values.reset(slots);
            cursor.start(message.block, 0, message.block.length);
            while (cursor.next()) {
                int slot = slotByName[cursor.nameId()];
                if (slot >= 0) {
                    set(slot, values);
                }
            }
        }

        private void set(int slot, SlotValues values) {
            switch (cursor.type()) {
                case PropertyType.INT -> values.setInt(slot, (int) cursor.integer());
                case PropertyType.DOUBLE -> values.setDouble(slot, cursor.doubleFloating());
                case PropertyType.STRING ->
                        values.setString(
                                slot, cursor.array(), cursor.valueIndex(), cursor.valueLength());
                default -> throw new IllegalStateException("type " + cursor.type());
            }
        }
    }

    private static void write(Object value, WireWriter out) {
        switch (value) {
            case Integer i -> {
                out.writeByte(PropertyType.INT);
                out.writeInt(i);
            }
            case Double d -> {
                out.writeByte(PropertyType.DOUBLE);
                out.writeLong(Double.doubleToRawLongBits(d));
            }
            case String s -> {
                out.writeByte(PropertyType.STRING);
                out.writeString(s);
            }
            default -> throw new IllegalArgumentException("no wire form for " + value);
        }
    }
}

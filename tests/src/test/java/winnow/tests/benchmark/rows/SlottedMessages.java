package winnow.tests.benchmark.rows;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import winnow.selector.slot.SlotValues;
import winnow.selector.slot.Slots;

/// The messages of a workload with the slots that selectors name, strings as they travel.
/// Immutable; any thread.
final class SlottedMessages {
    private final Slots slots;
    private final int[][] slotsOf;
    private final Object[][] valuesOf;

    /// @param slots of an index that has all names of the workload
    SlottedMessages(List<Message> messages, Slots slots) {
        this.slots = slots;
        slotsOf = new int[messages.size()][];
        valuesOf = new Object[messages.size()][];
        Map<String, Integer> slotByName = new HashMap<>();
        for (int i = 0; i < slotsOf.length; i++) {
            Map<String, Object> properties = messages.get(i).properties();
            slotsOf[i] =
                    properties.keySet().stream()
                            .mapToInt(name -> slotByName.computeIfAbsent(name, slots::slotOf))
                            .toArray();
            valuesOf[i] = properties.values().stream().map(SlottedMessages::encoded).toArray();
        }
    }

    private static Object encoded(Object value) {
        return value instanceof String text ? text.getBytes(StandardCharsets.UTF_8) : value;
    }

    /// @param message number of it
    void read(int message, SlotValues values) {
        values.reset(slots);
        int[] slotOf = slotsOf[message];
        Object[] valueOf = valuesOf[message];
        for (int i = 0; i < slotOf.length; i++) {
            int slot = slotOf[i];
            switch (valueOf[i]) {
                case byte[] text -> values.setString(slot, text, 0, text.length);
                case Integer number -> values.setInt(slot, number);
                case Long number -> values.setLong(slot, number);
                case Double number -> values.setDouble(slot, number);
                case Boolean flag -> values.setBoolean(slot, flag);
                default -> throw new IllegalStateException("no such type: " + valueOf[i]);
            }
        }
    }
}

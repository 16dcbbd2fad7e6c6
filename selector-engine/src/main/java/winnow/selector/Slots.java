package winnow.selector;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/// The names, and per name the string constants, that the selectors of one topic use. A name has a
/// small number, its slot, so that a message's values are array elements and its strings small
/// numbers. Slots `0..5` are header fields, `6` is never set, properties follow from `7`.
///
/// One writer: the topic's owner calls [Selector#bind], which adds what the selector needs. Any
/// number of readers, without locks: they follow one volatile reference to an immutable snapshot,
/// and constant tables only grow. Nothing is ever renumbered; a topic that wants to forget names
/// starts a new instance.
///
/// A reader calls [SlotValues#reset] first and then asks [#slotOf] and [#uses]; what it sees is
/// then at least as new as what the values will be matched against.
public final class Slots {

    public static final int CORRELATION_ID = 0;
    public static final int TYPE = 1;
    public static final int MESSAGE_ID = 2;
    public static final int PRIORITY = 3;
    public static final int TIMESTAMP = 4;

    /// A string slot: the constants `PERSISTENT` and `NON_PERSISTENT` are what selectors compare.
    public static final int DELIVERY_MODE = 5;

    /// Slot of the properties that a provider sets on receive (`JMSXDeliveryCount` ..). They do not
    /// exist yet when selectors are evaluated, so no message has a value here.
    static final int SET_ON_RECEIVE = 6;

    /// The first slot that is a property.
    public static final int FIRST_PROPERTY = 7;

    private final long hashSeed;
    private final Map<String, Integer> properties = new HashMap<>();
    private @Nullable ConstantTable[] tables = new ConstantTable[FIRST_PROPERTY];
    private int usedFixedSlots;
    private boolean changed;
    private volatile Snapshot current;

    public Slots() {
        this(ThreadLocalRandom.current().nextLong());
    }

    /// @param hashSeed makes the hash of strings unpredictable for those who send them
    public Slots(long hashSeed) {
        this.hashSeed = hashSeed;
        this.current = new Snapshot(0, Map.of(), tables.clone(), 0);
    }

    /// Slot of a property, or -1 if no selector uses it. Header fields have no slot by name, so
    /// that a property cannot pose as one. Any thread.
    public int slotOf(String property) {
        Integer slot = current.properties.get(property);
        return slot == null ? -1 : slot;
    }

    /// Number of slots, the fixed ones included. Any thread.
    public int size() {
        return current.size();
    }

    /// Whether a selector uses the slot, so that its value is worth setting. Any thread.
    public boolean uses(int slot) {
        return current.uses(slot);
    }

    /// Whether a selector uses any property, so that properties are worth decoding. Any thread.
    public boolean usesProperties() {
        return !current.properties.isEmpty();
    }

    /// Grows whenever a name or constant is added. A reader that remembers answers of [#slotOf]
    /// asks again when [SlotValues#version] is not the one it remembered them for. Any thread.
    public int version() {
        return current.version;
    }

    /// The slot of a name as selectors write it, added if it is new. Writer only; readers see it
    /// after [#publish].
    public int require(String name) {
        int fixed = fixedSlot(name);
        if (fixed >= 0) {
            if ((usedFixedSlots & 1 << fixed) == 0) {
                usedFixedSlots |= 1 << fixed;
                changed = true;
            }
            return fixed;
        }
        Integer known = properties.get(name);
        if (known != null) {
            return known;
        }
        int slot = FIRST_PROPERTY + properties.size();
        properties.put(name, slot);
        tables = Arrays.copyOf(tables, slot + 1);
        changed = true;
        return slot;
    }

    /// The number of a string constant within its slot, added if it is new. Writer only; readers
    /// see it after [#publish].
    public int requireConstant(int slot, byte[] utf8) {
        ConstantTable table = tables[slot];
        if (table == null) {
            table = new ConstantTable(hashSeed);
            tables = tables.clone();
            tables[slot] = table;
            changed = true;
        }
        int known = table.find(utf8, 0, utf8.length);
        if (known != SlotValues.NO_CONSTANT) {
            return known;
        }
        changed = true;
        return table.add(utf8);
    }

    /// Shows readers everything added so far, at once, and returns the version they need to have
    /// seen for it. Writer only.
    public int publish() {
        if (changed) {
            boolean sameNames = current.properties.size() == properties.size();
            current =
                    new Snapshot(
                            current.version + 1,
                            sameNames ? current.properties : Map.copyOf(properties),
                            tables,
                            usedFixedSlots);
            changed = false;
        }
        return current.version;
    }

    /// Whether a name is a property that the provider sets on receive, so that no selector can see
    /// it.
    public static boolean isSetOnReceive(String name) {
        return fixedSlot(name) == SET_ON_RECEIVE;
    }

    Snapshot current() {
        return current;
    }

    private static int fixedSlot(String name) {
        return switch (name) {
            case "JMSCorrelationID" -> CORRELATION_ID;
            case "JMSType" -> TYPE;
            case "JMSMessageID" -> MESSAGE_ID;
            case "JMSPriority" -> PRIORITY;
            case "JMSTimestamp" -> TIMESTAMP;
            case "JMSDeliveryMode" -> DELIVERY_MODE;
            case "JMSXDeliveryCount", "JMSXRcvTimestamp", "JMSXConsumerTXID", "JMSXState" ->
                    SET_ON_RECEIVE;
            default -> -1;
        };
    }

    /// What readers follow. The maps and arrays are never changed once they are here; the constant
    /// tables in the array grow, which harms nobody: see [ConstantTable].
    static final class Snapshot {

        final int version;
        final Map<String, Integer> properties;
        final @Nullable ConstantTable[] tables;
        private final int usedFixedSlots;

        Snapshot(
                int version,
                Map<String, Integer> properties,
                @Nullable ConstantTable[] tables,
                int usedFixedSlots) {
            this.version = version;
            this.properties = properties;
            this.tables = tables;
            this.usedFixedSlots = usedFixedSlots;
        }

        int size() {
            return FIRST_PROPERTY + properties.size();
        }

        boolean uses(int slot) {
            return slot < FIRST_PROPERTY ? (usedFixedSlots >> slot & 1) != 0 : slot < size();
        }
    }
}

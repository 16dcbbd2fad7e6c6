package winnow.selector.slot;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/// The names, and per name the string constants, that the selectors of one topic use. A name has a
/// small number, its slot, so that a message's values are array elements and its strings small
/// numbers. Slots `0..5` are header fields, `6` is never set, properties follow from `7`.
///
/// One writer: the topic's owner calls [winnow.selector.engine.Selector#bind], or has a
/// [winnow.selector.index.SelectorIndex], which add what selectors need. Any number of readers,
/// without locks: they follow one volatile reference to a snapshot. Names and constants count their
/// uses; one that is released as often as it was required is forgotten and its number used again,
/// in a newer version. So whatever is made from a version must only see messages of that version or
/// a later one.
///
/// All that a snapshot refers to is shared with later ones and changed in place, so that adding a
/// name costs the same however many there are. A reader may therefore see what is newer than its
/// version, which harms nobody: what needs it does not look at its message. The number of a name
/// that was forgotten is used again only after a version has shown that it is not in use.
///
/// A reader calls [SlotValues#reset] first and then asks [#slotOf] and [#uses]; what it sees is
/// then at least as new as what the values will be matched against.
public final class Slots implements SlotRegistry {

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

    private static final VarHandle CURRENT =
            Release.of(MethodHandles.lookup(), "current", Snapshot.class);

    private static final VarHandle TABLES =
            MethodHandles.arrayElementVarHandle(ConstantTable[].class);

    private static final List<String> FIXED_NAMES =
            List.of(
                    "JMSCorrelationID",
                    "JMSType",
                    "JMSMessageID",
                    "JMSPriority",
                    "JMSTimestamp",
                    "JMSDeliveryMode",
                    "set on receive");

    private final long hashSeed;
    private final Map<String, Integer> properties = new ConcurrentHashMap<>();

    /// By slot, as are names and uses; some at the end may not be numbered yet.
    private @Nullable ConstantTable[] tables = new ConstantTable[FIRST_PROPERTY];

    /// The name of a property that is used.
    private @Nullable String[] names = new String[FIRST_PROPERTY];

    private int[] uses = new int[FIRST_PROPERTY];

    /// Bit by slot: whether it is used. A word per 64 slots is copied for each snapshot.
    private long[] used = new long[1];

    /// Number of slots that are used that a message may have a value for.
    private int usedSlots;

    /// Slots are numbered below this.
    private int limit = FIRST_PROPERTY;

    /// Numbers to use again: the first are free, those behind were forgotten since [#publish].
    private int[] free = new int[8];

    private int freeCount;
    private int forgottenCount;
    private boolean changed;
    private boolean namesChanged;
    private volatile Snapshot current;

    public Slots() {
        this(ThreadLocalRandom.current().nextLong());
    }

    /// @param hashSeed makes the hash of strings unpredictable for those who send them
    public Slots(long hashSeed) {
        this(hashSeed, 0);
    }

    /// @param firstVersion what [#version] begins with
    public Slots(long hashSeed, long firstVersion) {
        this.hashSeed = hashSeed;
        this.current = snapshot(firstVersion, firstVersion, used.clone());
    }

    /// Slot of a property, or -1 if no selector uses it. Header fields have no slot by name, so
    /// that a property cannot pose as one. Any thread.
    public int slotOf(String property) {
        Integer slot = properties.get(property);
        return slot == null || !current.uses(slot) ? -1 : slot;
    }

    /// Number of slots, the fixed ones included. Any thread.
    public int size() {
        return current.size();
    }

    /// True if a selector uses the slot, so that its value is worth setting. Any thread.
    public boolean uses(int slot) {
        return current.uses(slot);
    }

    /// True if a selector uses any property, so that properties are worth decoding. Any thread.
    public boolean usesProperties() {
        return current.usesProperties;
    }

    /// Grows whenever a name or constant is added. Any thread.
    public long version() {
        return current.version;
    }

    /// Grows whenever a name is added or forgotten. A reader that remembers answers of [#slotOf]
    /// asks again when this is not what it was before it asked. Any thread.
    public long namesVersion() {
        return current.namesVersion;
    }

    /// The slot of a name as selectors write it, -1 if it has none. Counts no use. Writer only.
    public int find(String name) {
        int fixed = fixedSlot(name);
        return fixed >= 0 ? fixed : properties.getOrDefault(name, -1);
    }

    /// The slot of a name as selectors write it, added if it is new. Counts a use. Writer only;
    /// readers see it after [#publish].
    @Override
    public int require(String name) {
        int known = find(name);
        int slot = known < 0 ? add(name) : known;
        if (uses[slot]++ == 0) {
            used[slot >> 6] |= 1L << slot;
            usedSlots += slot == SET_ON_RECEIVE ? 0 : 1;
            changed = true;
            namesChanged = true;
        }
        return slot;
    }

    /// Counts one more use of a slot that is in use. Writer only.
    public void use(int slot) {
        uses[slot]++;
    }

    private int add(String name) {
        int slot = takeFree();
        if (slot < 0) {
            slot = limit++;
            if (slot == names.length) {
                int length = 2 * slot;
                names = Arrays.copyOf(names, length);
                uses = Arrays.copyOf(uses, length);
                used = Arrays.copyOf(used, (length + Long.SIZE - 1) / Long.SIZE);
                tables = Arrays.copyOf(tables, length);
            }
        }
        names[slot] = name;
        properties.put(name, slot);
        return slot;
    }

    /// Negative if there is none.
    private int takeFree() {
        if (freeCount == 0) {
            return -1;
        }
        int slot = free[--freeCount];
        if (forgottenCount > 0) {
            // The last of those that were forgotten fills the gap.
            free[freeCount] = free[freeCount + forgottenCount];
        }
        return slot;
    }

    private void forget(int slot) {
        int end = freeCount + forgottenCount;
        if (end == free.length) {
            free = Arrays.copyOf(free, 2 * end);
        }
        free[end] = slot;
        forgottenCount++;
    }

    /// The name of a slot that is in use. Writer only.
    public String nameOf(int slot) {
        String name = slot < FIRST_PROPERTY ? FIXED_NAMES.get(slot) : names[slot];
        if (name == null) {
            throw new IllegalArgumentException("slot " + slot + " is not in use");
        }
        return name;
    }

    /// The text of a constant that is in use. Writer only.
    public String constantOf(int slot, int constant) {
        ConstantTable table = tables[slot];
        if (table == null) {
            throw new IllegalArgumentException("slot " + slot + " has no constants");
        }
        return table.text(constant);
    }

    /// Takes one use of a slot back; after the last it is forgotten. Its constants must have been
    /// released. Writer only.
    public void release(int slot) {
        uses[slot]--;
        if (uses[slot] > 0) {
            return;
        }
        used[slot >> 6] &= ~(1L << slot);
        usedSlots -= slot == SET_ON_RECEIVE ? 0 : 1;
        String name = names[slot];
        if (name != null) {
            properties.remove(name);
            names[slot] = null;
            forget(slot);
        }
        TABLES.setRelease(tables, slot, null);
        changed = true;
        namesChanged = true;
    }

    /// The number of a string constant within its slot, or [SlotValues#NO_CONSTANT]. Counts no use.
    /// Writer only.
    public int findConstant(int slot, byte[] utf8) {
        ConstantTable table = tables[slot];
        return table == null ? SlotValues.NO_CONSTANT : table.find(utf8, 0, utf8.length);
    }

    /// The number of a string constant within its slot, added if it is new. Counts a use. Writer
    /// only; readers see it after [#publish].
    @Override
    public int requireConstant(int slot, byte[] utf8) {
        ConstantTable table = tables[slot];
        if (table == null) {
            table = new ConstantTable(hashSeed);
            TABLES.setRelease(tables, slot, table);
            changed = true;
        }
        int known = table.use(utf8);
        if (known != SlotValues.NO_CONSTANT) {
            return known;
        }
        changed = true;
        return table.add(utf8);
    }

    /// Takes one use of a constant back; after the last it is forgotten. Writer only.
    public void releaseConstant(int slot, int constant) {
        ConstantTable table = tables[slot];
        if (table == null) {
            throw new IllegalStateException("slot " + slot + " has no constants");
        }
        table.release(constant);
    }

    /// Number of constants of all slots. Writer only.
    public int constants() {
        int constants = 0;
        for (ConstantTable table : tables) {
            constants += table == null ? 0 : table.size();
        }
        return constants;
    }

    /// Shows readers everything added so far, at once, and returns the version they need to have
    /// seen for it. Writer only.
    public long publish() {
        return changed ? publishNext() : current.version;
    }

    /// The same, with a new version even if nothing was added. Writer only.
    public long publishNext() {
        freeCount += forgottenCount;
        forgottenCount = 0;
        if (8 * properties.size() < limit - FIRST_PROPERTY) {
            shrink();
        }
        Snapshot old = current;
        Snapshot next =
                namesChanged
                        ? snapshot(old.version + 1, old.namesVersion + 1, used.clone())
                        : snapshot(old.version + 1, old.namesVersion, old.used);
        CURRENT.setRelease(this, next);
        changed = false;
        namesChanged = false;
        return next.version;
    }

    private Snapshot snapshot(long version, long namesVersion, long[] shown) {
        boolean usesProperties = !properties.isEmpty();
        return new Snapshot(version, namesVersion, tables, shown, limit, usedSlots, usesProperties);
    }

    /// Forgets the numbers above all that are used, if these are most.
    private void shrink() {
        int inUse = BitSet.valueOf(used).previousSetBit(limit - 1) + 1;
        int length = Math.max(inUse, FIRST_PROPERTY);
        if (2 * (length - FIRST_PROPERTY) > limit - FIRST_PROPERTY) {
            return;
        }
        limit = length;
        names = Arrays.copyOf(names, length);
        uses = Arrays.copyOf(uses, length);
        used = Arrays.copyOf(used, (length + Long.SIZE - 1) / Long.SIZE);
        tables = Arrays.copyOf(tables, length);
        free = Arrays.stream(free, 0, freeCount).filter(slot -> slot < length).toArray();
        freeCount = free.length;
        free = Arrays.copyOf(free, Math.max(8, 2 * freeCount));
    }

    /// True if a name is a property that the provider sets on receive, so that no selector can see
    /// it.
    public static boolean isSetOnReceive(String name) {
        return fixedSlot(name) == SET_ON_RECEIVE;
    }

    /// The constants of a slot, null if there are none. Any thread.
    static @Nullable ConstantTable tableOf(@Nullable ConstantTable[] tables, int slot) {
        return (ConstantTable) TABLES.getAcquire(tables, slot);
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

    /// State that readers follow. The array of tables, and the tables, are changed in place: see
    /// [Slots] and [ConstantTable].
    static final class Snapshot {

        final long version;
        final long namesVersion;
        final @Nullable ConstantTable[] tables;

        /// Bit by slot: whether it is used.
        final long[] used;

        private final int limit;

        /// Number of slots that are used that a message may have a value for.
        final int usedSlots;

        private final boolean usesProperties;

        private Snapshot(
                long version,
                long namesVersion,
                @Nullable ConstantTable[] tables,
                long[] used,
                int limit,
                int usedSlots,
                boolean usesProperties) {
            this.version = version;
            this.namesVersion = namesVersion;
            this.tables = tables;
            this.used = used;
            this.limit = limit;
            this.usedSlots = usedSlots;
            this.usesProperties = usesProperties;
        }

        int size() {
            return limit;
        }

        boolean uses(int slot) {
            return slot < limit && (used[slot >> 6] & 1L << slot) != 0;
        }
    }
}

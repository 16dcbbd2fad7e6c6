package winnow.selector.slot;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The values of one message by slot, made once and then read by every matcher of its topic.
///
/// Owned by one event loop and used again for each message: [#reset], then the setters, then any
/// number of [winnow.selector.engine.Matcher#matches]. Strings are borrowed from the message's
/// buffer until the next reset. A setter ignores slots that no selector used when [#reset] was
/// called, and -1. Setting costs about 2 ns per value; a string is looked up when it is first
/// compared, or before that by [#lookUpStrings].
public final class SlotValues {

    /// The kinds of values, in an order that makes "is a number" one comparison.
    public static final byte MISSING = 0;

    /// Present, but nothing that a selector can look into, such as a byte array.
    public static final byte OTHER = 1;

    public static final byte STRING = 2;
    public static final byte FALSE = 3;
    public static final byte TRUE = 4;

    /// byte, short, int and long.
    public static final byte EXACT = 5;

    public static final byte FLOAT = 6;
    public static final byte DOUBLE = 7;

    /// Constant number of a string that no selector mentions for its slot, and of any non-string.
    public static final int NO_CONSTANT = -1;

    /// One message in this many is sampled. 256: what a sampled message costs more is then below 1
    /// ns per evaluation, and 1000 messages per second still give four samples.
    private static final int SAMPLE_PERIOD = 256;

    /// Bytes of strings that are looked up together, some 13 µs, but for a longer one alone.
    private static final int BYTES_TOGETHER = 64 * 1024;

    /// Looking a string up takes 0.2 ns per byte, a pattern 1 to 3.
    private static final int BYTES_PER_SCANNED_BYTE = 8;

    private static final byte[] NO_BYTES = {};

    private byte[] kinds = new byte[Slots.FIRST_PROPERTY];

    /// An exact number; the bits of a double; or the offset and the length of a string.
    private long[] bits = new long[Slots.FIRST_PROPERTY];

    /// True if an exact number is a byte, short or int.
    private boolean[] ints = new boolean[Slots.FIRST_PROPERTY];

    /// The array that strings are in, but for those that are in [#otherTexts].
    private byte[] text = NO_BYTES;

    /// True if a string of this message is in [#text], which is else that of a message before: as
    /// long as it is the same array, it need not be written again.
    private boolean hasText;

    /// By slot, the array that the string is in if that is another one. Messages have nearly always
    /// one array for all. When it was written for each slot, and the number of the constant beside
    /// its code, messages with 25 strings took 14 % longer.
    private byte[] @Nullable [] otherTexts = new byte[Slots.FIRST_PROPERTY][];

    private boolean hasOtherTexts;

    /// By slot, see [ValueCode]. To look up which constant a string is costs more than everything
    /// else, so it is done when it is asked for.
    private int[] codes = newCodes(Slots.FIRST_PROPERTY);

    /// The slots set since the last reset, so that a reset costs as much as the message had values.
    private int[] present = new int[Slots.FIRST_PROPERTY];

    private int presentCount;

    /// Of all strings together, but for those that were looked up in pieces.
    private int stringBytes;

    /// Number of values when all strings were looked up, 0 before that.
    private int valuesLookedUp;

    /// Strings before this one of the slots set were looked up in pieces.
    private int nextString;

    /// Slots are below this, and those that selectors used at the last reset have their bit set.
    private int limit;

    private long[] used = {};

    private int usedSlots;
    private long version;
    private @Nullable ConstantTable[] tables = {};

    /// Snapshot that the last reset saw, and that the fields above were taken from. It is the same
    /// for most messages.
    private Slots.@Nullable Snapshot snapshot;

    private @Nullable Slots slots;
    private final Scratch scratch = new Scratch();
    private final Sampler sampler;
    private final int samplePeriod;
    private int untilSample;
    private boolean sampled;

    public SlotValues() {
        this(SAMPLE_PERIOD);
    }

    /// @param samplePeriod one message in this many is sampled, in the mean; a power of two
    public SlotValues(int samplePeriod) {
        this.sampler = new Sampler(samplePeriod);
        this.samplePeriod = samplePeriod;
        this.untilSample = sampler.distance();
    }

    /// Forgets the last message, and the arrays that its strings are in. All values are missing.
    public void clear() {
        forgetValues();
        text = NO_BYTES;
    }

    private void forgetValues() {
        for (int i = 0; i < presentCount; i++) {
            int slot = present[i];
            kinds[slot] = MISSING;
            codes[slot] = ValueCode.MISSING;
        }
        hasText = false;
        if (hasOtherTexts) {
            forgetOtherTexts();
        }
        presentCount = 0;
        stringBytes = 0;
        nextString = 0;
        valuesLookedUp = 0;
    }

    /// Forgets the last message, but for the array that its strings are in. All values are missing
    /// until they are set.
    public void reset(Slots newSlots) {
        forgetValues();
        untilSample--;
        sampled = untilSample == 0;
        if (sampled) {
            untilSample = sampler.distance();
        }
        Slots.Snapshot newest = newSlots.current();
        if (newest != snapshot) {
            follow(newSlots, newest);
        }
    }

    /// The messages from now on see another version of the slots, or other slots.
    private void follow(Slots newSlots, Slots.Snapshot newest) {
        snapshot = newest;
        slots = newSlots;
        version = newest.version;
        tables = newest.tables;
        limit = newest.size();
        used = newest.used;
        usedSlots = newest.usedSlots;
        if (limit > kinds.length) {
            grow(Math.max(limit, kinds.length * 2));
        }
    }

    public void setByte(int slot, byte value) {
        setExact(slot, value, true);
    }

    public void setShort(int slot, short value) {
        setExact(slot, value, true);
    }

    public void setInt(int slot, int value) {
        setExact(slot, value, true);
    }

    public void setLong(int slot, long value) {
        setExact(slot, value, false);
    }

    private void setExact(int slot, long value, boolean isInt) {
        if (mark(slot, EXACT)) {
            bits[slot] = value;
            ints[slot] = isInt;
            codes[slot] = ValueCode.ofNumber((float) value);
        }
    }

    public void setFloat(int slot, float value) {
        if (mark(slot, FLOAT)) {
            bits[slot] = Double.doubleToRawLongBits(value);
            codes[slot] = ValueCode.ofNumber(value);
        }
    }

    public void setDouble(int slot, double value) {
        if (mark(slot, DOUBLE)) {
            bits[slot] = Double.doubleToRawLongBits(value);
            codes[slot] = ValueCode.ofNumber((float) value);
        }
    }

    public void setBoolean(int slot, boolean value) {
        mark(slot, value ? TRUE : FALSE);
    }

    /// Borrows the bytes until the next reset. They should be valid UTF-8; other bytes give some
    /// truth value, never an error.
    @SuppressWarnings("ReferenceEquality") // Whether it is the same array.
    public void setString(int slot, byte[] utf8, int offset, int length) {
        if (mark(slot, STRING)) {
            if (text != utf8) {
                setText(slot, utf8);
            }
            hasText = true;
            setPlace(slot, offset, length);
        }
    }

    /// The same for a string that has an array of its own.
    public void setString(int slot, byte[] utf8) {
        if (mark(slot, STRING)) {
            setOtherText(slot, utf8);
            setPlace(slot, 0, utf8.length);
        }
    }

    private void setPlace(int slot, int offset, int length) {
        bits[slot] = (long) offset << Integer.SIZE | length;
        codes[slot] = ValueCode.NOT_LOOKED_UP;
        stringBytes += length;
    }

    private void forgetOtherTexts() {
        for (int i = 0; i < presentCount; i++) {
            otherTexts[present[i]] = null;
        }
        hasOtherTexts = false;
    }

    private void setText(int slot, byte[] utf8) {
        if (hasText) {
            setOtherText(slot, utf8);
        } else {
            text = utf8;
        }
    }

    private void setOtherText(int slot, byte[] utf8) {
        otherTexts[slot] = utf8;
        hasOtherTexts = true;
    }

    /// A value that is present but like no literal: byte arrays and other objects.
    public void setOther(int slot) {
        mark(slot, OTHER);
    }

    /// The array that strings were borrowed from has moved.
    ///
    /// @param from the array that they were borrowed from
    /// @param to another one that holds the same bytes
    /// @param shift what is added to an offset in the first to get that in the second
    @SuppressWarnings("ReferenceEquality") // Whether it is the same array.
    public void moveStrings(byte[] from, byte[] to, int shift) {
        for (int i = 0; i < presentCount; i++) {
            int slot = present[i];
            if (kinds[slot] == STRING && text(slot) == from) {
                bits[slot] = (long) (textOffset(slot) + shift) << Integer.SIZE | textLength(slot);
                if (otherTexts[slot] != null) {
                    otherTexts[slot] = to;
                }
            }
        }
        if (text == from) {
            text = to;
        }
    }

    /// True if selectors should record how they are evaluated for this message.
    public boolean isSampled() {
        return sampled;
    }

    /// Number of messages that a sampled one stands for, in the mean.
    public int samplePeriod() {
        return samplePeriod;
    }

    /// The [Slots#version] that [#reset] saw.
    public long version() {
        return version;
    }

    /// Number of slots that have a value.
    public int presentCount() {
        return presentCount;
    }

    /// The slots of the values, in the order in which they were set, and behind them others. Read
    /// only.
    public int[] presentSlots() {
        return present;
    }

    /// True if all slots that selectors use have a value, so that there is no use in setting more.
    public boolean isComplete() {
        return presentCount >= usedSlots;
    }

    /// True if the slot existed when the last [#reset] was called, so that it may be asked for.
    public boolean holds(int slot) {
        return slot < limit;
    }

    /// True if the values were made for these slots.
    public boolean areFor(Slots candidate) {
        return slots == candidate;
    }

    /// One of the constants [#MISSING] to [#DOUBLE].
    public byte kind(int slot) {
        return kinds[slot];
    }

    public boolean isPresent(int slot) {
        return kinds[slot] != MISSING;
    }

    /// The value of a slot whose kind is [#EXACT].
    public long exact(int slot) {
        return bits[slot];
    }

    /// True if a value of kind [#EXACT] was set as byte, short or int, so that arithmetic promotes
    /// it to int.
    public boolean isInt(int slot) {
        return ints[slot];
    }

    /// The value of a slot whose kind is [#FLOAT] or [#DOUBLE].
    public double approximate(int slot) {
        return Double.longBitsToDouble(bits[slot]);
    }

    /// Number of the string among the constants of its slot, or [#NO_CONSTANT].
    public int constant(int slot) {
        return ValueCode.constant(code(slot));
    }

    /// The [ValueCode] of the value of a slot, of a string with its constant.
    public int code(int slot) {
        int code = codes[slot];
        return code == ValueCode.NOT_LOOKED_UP ? lookedUp(slot) : code;
    }

    /// By slot, the [ValueCode] of its value; that of a string may be [ValueCode#NOT_LOOKED_UP].
    /// Read only; a slot beyond the end has no value.
    public int[] codes() {
        return codes;
    }

    /// Asks for the constants of all strings, so that all [#codes] are there. Where it was done
    /// already, this costs nothing.
    public void lookUpStrings() {
        if (valuesLookedUp == presentCount) {
            return;
        }
        for (int i = 0; i < presentCount; i++) {
            if (codes[present[i]] == ValueCode.NOT_LOOKED_UP) {
                lookedUp(present[i]);
            }
        }
        valuesLookedUp = presentCount;
    }

    /// True if the strings that were not looked up are so long that it is done in pieces
    /// ([#lookUpSomeStrings]), before anything else asks for their constants.
    public boolean hasManyStringBytes() {
        return stringBytes > BYTES_TOGETHER;
    }

    /// Asks for the constants of some strings, and counts their bytes as work.
    public void lookUpSomeStrings() {
        int bytes = 0;
        while (nextString < presentCount && bytes < BYTES_TOGETHER) {
            int slot = present[nextString++];
            if (codes[slot] == ValueCode.NOT_LOOKED_UP) {
                lookedUp(slot);
                bytes += textLength(slot);
            }
        }
        // A slot that was set twice counts twice.
        stringBytes = nextString < presentCount ? stringBytes - bytes : 0;
        scratch.scannedBytes += bytes / BYTES_PER_SCANNED_BYTE;
    }

    private int lookedUp(int slot) {
        ConstantTable table = Slots.tableOf(tables, slot);
        int constant =
                table == null
                        ? NO_CONSTANT
                        : table.find(text(slot), textOffset(slot), textLength(slot));
        int code = ValueCode.ofConstant(constant);
        codes[slot] = code;
        return code;
    }

    /// The array that holds the string of a slot whose kind is [#STRING].
    public byte[] text(int slot) {
        byte[] other = hasOtherTexts ? otherTexts[slot] : null;
        return other == null ? text : other;
    }

    public int textOffset(int slot) {
        return (int) (bits[slot] >> Integer.SIZE);
    }

    public int textLength(int slot) {
        return (int) bits[slot];
    }

    /// Scratch space of an evaluation, here because it belongs to the same thread.
    public Scratch scratch() {
        return scratch;
    }

    private boolean mark(int slot, byte kind) {
        // One unsigned comparison refuses -1 as well as slots newer than the last reset.
        if (Integer.compareUnsigned(slot, limit) >= 0 || (used[slot >> 6] & 1L << slot) == 0) {
            return false;
        }
        if (kinds[slot] == MISSING) {
            present[presentCount++] = slot;
        } else {
            forgetValue(slot);
        }
        kinds[slot] = kind;
        codes[slot] = ValueCode.OTHER;
        return true;
    }

    private void forgetValue(int slot) {
        valuesLookedUp = 0;
        otherTexts[slot] = null;
    }

    private void grow(int capacity) {
        int old = kinds.length;
        kinds = Arrays.copyOf(kinds, capacity);
        bits = Arrays.copyOf(bits, capacity);
        codes = Arrays.copyOf(codes, capacity);
        Arrays.fill(codes, old, capacity, ValueCode.MISSING);
        ints = Arrays.copyOf(ints, capacity);
        otherTexts = Arrays.copyOf(otherTexts, capacity);
        present = Arrays.copyOf(present, capacity);
    }

    private static int[] newCodes(int capacity) {
        int[] codes = new int[capacity];
        Arrays.fill(codes, ValueCode.MISSING);
        return codes;
    }
}

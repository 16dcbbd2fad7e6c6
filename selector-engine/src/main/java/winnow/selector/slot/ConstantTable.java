package winnow.selector.slot;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The string constants that selectors compare one slot with, as small numbers: an open hash table
/// over UTF-8 bytes. A constant counts its uses, and its number is given to another after the last.
///
/// One writer, many readers without locks. A reader may miss a constant that is being added, or
/// find one that is being removed; it sees every constant of the [Slots] version it has read,
/// because that read of a volatile field comes after the writes, and because a new table is
/// complete before the volatile field shows it.
///
/// When the table is replaced, the constants of the former one are copied some at a time, so that
/// no single change takes long. Until then a reader looks there, too.
final class ConstantTable {

    private static final VarHandle CONSTANTS =
            MethodHandles.arrayElementVarHandle(Constant[].class);

    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final VarHandle INTS =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    /// Odd constants with about as many ones as zeros, from the fractional digits of pi.
    private static final long MIX_1 = 0x243F_6A88_85A3_08D3L;

    private static final long MIX_2 = 0x1319_8A2E_0370_7345L;

    private static final int MIN_CAPACITY = 8;

    /// Places of the former table to look at per change: enough to be ready before the table is
    /// replaced again.
    private static final int STEPS = 32;

    /// Where a constant was removed; searches go on behind it.
    private static final Constant REMOVED = new Constant(new byte[0], 0, SlotValues.NO_CONSTANT);

    private final long seed;
    private volatile Tables tables = new Tables(new Constant[MIN_CAPACITY], null);

    /// Constants at lower places of the former table have been copied.
    private int copied;

    /// By number; null if the number is free.
    private @Nullable Constant[] constants = new Constant[MIN_CAPACITY];

    private final Numbers numbers = new Numbers();
    private int size;
    private int removed;

    ConstantTable(long seed) {
        this.seed = seed;
    }

    /// Number of the constant with these bytes, or [SlotValues#NO_CONSTANT]. Any thread.
    int find(byte[] bytes, int offset, int length) {
        Constant found = entry(bytes, offset, length);
        return found == null ? SlotValues.NO_CONSTANT : found.number;
    }

    private @Nullable Constant entry(byte[] bytes, int offset, int length) {
        Tables now = tables;
        Constant found = entry(now.current, bytes, offset, length);
        return found != null || now.former == null
                ? found
                : entry(now.former, bytes, offset, length);
    }

    private @Nullable Constant entry(
            @Nullable Constant[] entries, byte[] bytes, int offset, int length) {
        long word = lastWord(bytes, offset, length);
        int mask = entries.length - 1;
        for (int i = (int) hash(bytes, offset, length, word) & mask; ; i = i + 1 & mask) {
            Constant entry = (Constant) CONSTANTS.getAcquire(entries, i);
            if (entry == null) {
                return null;
            }
            if (entry.lastWord == word
                    && entry.utf8.length == length
                    && (length <= Long.BYTES || entry.startsLike(bytes, offset))
                    && entry != REMOVED) {
                return entry;
            }
        }
    }

    /// What a constant says. Writer only.
    String text(int number) {
        Constant constant = constants[number];
        if (constant == null) {
            throw new IllegalArgumentException("no constant has the number " + number);
        }
        return new String(constant.utf8, UTF_8);
    }

    /// How many constants there are. Writer only.
    int size() {
        return size;
    }

    /// Counts a use of the constant with these bytes and returns its number; returns
    /// [SlotValues#NO_CONSTANT] if it is not here. Writer only.
    int use(byte[] utf8) {
        Constant constant = entry(utf8, 0, utf8.length);
        if (constant == null) {
            return SlotValues.NO_CONSTANT;
        }
        constant.uses++;
        return constant.number;
    }

    /// Adds bytes that are not in the table, with one use. Writer only.
    int add(byte[] utf8) {
        copySome();
        if ((size + removed + 1) * 2 > tables.current.length) {
            replace();
        }
        int number = numbers.take();
        if (number == constants.length) {
            constants = Arrays.copyOf(constants, 2 * number);
        }
        long word = lastWord(utf8, 0, utf8.length);
        Constant constant = new Constant(utf8.clone(), word, number);
        constants[number] = constant;
        insert(tables.current, constant);
        size++;
        return number;
    }

    /// Takes one use back. Writer only.
    void release(int number) {
        Constant constant = constants[number];
        if (constant == null) {
            throw new IllegalStateException("no constant has the number " + number);
        }
        constant.uses--;
        if (constant.uses > 0) {
            return;
        }
        copySome();
        Tables now = tables;
        remove(now.current, constant);
        if (now.former != null) {
            remove(now.former, constant);
        }
        constants[number] = null;
        numbers.giveBack(number);
        size--;
        removed++;
        if (numbers.limit() * 4 < constants.length && constants.length > MIN_CAPACITY) {
            int length = Math.max(MIN_CAPACITY, 2 * numbers.limit());
            constants = Arrays.copyOf(constants, length);
        }
        int capacity = tables.current.length;
        if (size * 8 < capacity && capacity > MIN_CAPACITY) {
            replace();
        }
    }

    private void remove(@Nullable Constant[] entries, Constant constant) {
        int mask = entries.length - 1;
        int i = (int) hash(constant) & mask;
        while (entries[i] != null && entries[i] != constant) {
            i = i + 1 & mask;
        }
        if (entries[i] != null) {
            CONSTANTS.setRelease(entries, i, REMOVED);
        }
    }

    /// Begins a table of the right size without what was removed: so full, three eighths at most,
    /// that it is not replaced again before the former one is copied.
    private void replace() {
        while (tables.former != null) {
            copySome();
        }
        int capacity =
                Math.max(MIN_CAPACITY, 4 * Integer.highestOneBit(Math.max(1, size + size / 3)));
        copied = 0;
        removed = 0;
        tables = new Tables(new Constant[capacity], tables.current);
        if (capacity <= STEPS) {
            copySome();
        }
    }

    private void copySome() {
        Tables now = tables;
        @Nullable Constant[] from = now.former;
        if (from == null) {
            return;
        }
        int end = Math.min(from.length, copied + STEPS);
        for (; copied < end; copied++) {
            Constant constant = from[copied];
            if (constant != null && constant != REMOVED) {
                insert(now.current, constant);
            }
        }
        if (copied == from.length) {
            tables = new Tables(now.current, null);
        }
    }

    private void insert(@Nullable Constant[] entries, Constant constant) {
        int mask = entries.length - 1;
        int i = (int) hash(constant) & mask;
        while (entries[i] != null) {
            i = i + 1 & mask;
        }
        CONSTANTS.setRelease(entries, i, constant);
    }

    private long hash(Constant constant) {
        return hash(constant.utf8, 0, constant.utf8.length, constant.lastWord);
    }

    /// Eight bytes per step, folded by a full 64 x 64 bit product (the construction of wyhash).
    private long hash(byte[] bytes, int offset, int length, long lastWord) {
        long hash = seed ^ length;
        int end = offset + length - Long.BYTES;
        for (int i = offset; i < end; i += Long.BYTES) {
            hash = fold(hash ^ (long) LONGS.get(bytes, i), MIX_1);
        }
        return fold(hash ^ lastWord, MIX_2);
    }

    /// The last eight bytes, or all there are: with the length it says what they are. Most
    /// constants are that short, and are then compared as one number, which is 5 ns faster than as
    /// an array.
    private static long lastWord(byte[] bytes, int offset, int length) {
        int end = offset + length;
        if (length >= Long.BYTES) {
            return (long) LONGS.get(bytes, end - Long.BYTES);
        }
        if (length >= Integer.BYTES) {
            long first = Integer.toUnsignedLong((int) INTS.get(bytes, offset));
            long last = Integer.toUnsignedLong((int) INTS.get(bytes, end - Integer.BYTES));
            return first << Integer.SIZE | last;
        }
        if (length == 0) {
            return 0;
        }
        int first = Byte.toUnsignedInt(bytes[offset]);
        int middle = Byte.toUnsignedInt(bytes[offset + length / 2]);
        int last = Byte.toUnsignedInt(bytes[end - 1]);
        return (long) first << Short.SIZE | (long) middle << Byte.SIZE | last;
    }

    private static long fold(long a, long b) {
        return a * b ^ Math.unsignedMultiplyHigh(a, b);
    }

    /// What readers follow: a constant that is not yet in the current table is in the former one.
    private static final class Tables {

        final @Nullable Constant[] current;

        /// Null if all of it was copied.
        final @Nullable Constant @Nullable [] former;

        Tables(@Nullable Constant[] current, @Nullable Constant @Nullable [] former) {
            this.current = current;
            this.former = former;
        }
    }

    /// What readers look at is final, so that one which finds the entry finds it whole.
    private static final class Constant {

        final byte[] utf8;
        final long lastWord;
        final int number;

        /// Writer only.
        int uses = 1;

        Constant(byte[] utf8, long lastWord, int number) {
            this.utf8 = utf8;
            this.lastWord = lastWord;
            this.number = number;
        }

        /// Whether as many bytes are the same, the last eight excepted.
        boolean startsLike(byte[] bytes, int offset) {
            int length = utf8.length - Long.BYTES;
            return Arrays.equals(utf8, 0, length, bytes, offset, offset + length);
        }
    }
}

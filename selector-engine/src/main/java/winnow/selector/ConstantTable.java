package winnow.selector;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/// The string constants that selectors compare one slot with, as small numbers: an open hash table
/// over UTF-8 bytes. A constant counts its uses, and its number is given to another after the last.
///
/// One writer, many readers without locks. A reader may miss a constant that is being added, or
/// find one that is being removed; it sees every constant of the [Slots] version it has read,
/// because that read of a volatile field comes after the writes, and because a new table is
/// complete before the volatile field shows it.
final class ConstantTable {

    private static final VarHandle CONSTANTS =
            MethodHandles.arrayElementVarHandle(Constant[].class);

    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    /// Odd constants with about as many ones as zeros, from the fractional digits of pi.
    private static final long MIX_1 = 0x243F_6A88_85A3_08D3L;

    private static final long MIX_2 = 0x1319_8A2E_0370_7345L;

    private static final int MIN_CAPACITY = 8;

    /// Where a constant was removed; searches go on behind it.
    private static final Constant REMOVED = new Constant(new byte[0], 0, SlotValues.NO_CONSTANT);

    private final long seed;
    private volatile @Nullable Constant[] table = new Constant[MIN_CAPACITY];

    /// By number; null if the number is free.
    private @Nullable Constant[] constants = new Constant[MIN_CAPACITY];

    private final BitSet free = new BitSet();
    private int limit;
    private int size;
    private int removed;

    ConstantTable(long seed) {
        this.seed = seed;
    }

    /// Number of the constant with these bytes, or [SlotValues#NO_CONSTANT]. Any thread.
    int find(byte[] bytes, int offset, int length) {
        @Nullable Constant[] entries = table;
        long hash = hash(bytes, offset, length);
        int mask = entries.length - 1;
        for (int i = (int) hash & mask; ; i = i + 1 & mask) {
            Constant entry = (Constant) CONSTANTS.getAcquire(entries, i);
            if (entry == null) {
                return SlotValues.NO_CONSTANT;
            }
            if (entry.hash == hash
                    && entry != REMOVED
                    && Arrays.equals(
                            entry.utf8, 0, entry.utf8.length, bytes, offset, offset + length)) {
                return entry.number;
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
        int number = find(utf8, 0, utf8.length);
        Constant constant = number == SlotValues.NO_CONSTANT ? null : constants[number];
        if (constant != null) {
            constant.uses++;
        }
        return number;
    }

    /// Adds bytes that are not in the table, with one use. Writer only.
    int add(byte[] utf8) {
        if ((size + removed + 1) * 2 > table.length) {
            rebuild();
        }
        int number = free.nextSetBit(0);
        if (number < 0) {
            number = limit++;
            if (number == constants.length) {
                constants = Arrays.copyOf(constants, 2 * number);
            }
        } else {
            free.clear(number);
        }
        Constant constant = new Constant(utf8.clone(), hash(utf8, 0, utf8.length), number);
        constants[number] = constant;
        insert(table, constant);
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
        @Nullable Constant[] entries = table;
        int mask = entries.length - 1;
        int i = (int) constant.hash & mask;
        while (entries[i] != constant) {
            i = i + 1 & mask;
        }
        CONSTANTS.setRelease(entries, i, REMOVED);
        constants[number] = null;
        free.set(number);
        size--;
        removed++;
        if (size == 0) {
            constants = new Constant[MIN_CAPACITY];
            free.clear();
            limit = 0;
        }
        if (size * 8 < entries.length && entries.length > MIN_CAPACITY) {
            rebuild();
        }
    }

    /// A table of the right size without what was removed: a quarter to a half full.
    private void rebuild() {
        int capacity = Math.max(MIN_CAPACITY, 4 * Integer.highestOneBit(Math.max(1, size)));
        @Nullable Constant[] rebuilt = new Constant[capacity];
        for (int number = 0; number < limit; number++) {
            Constant constant = constants[number];
            if (constant != null) {
                insert(rebuilt, constant);
            }
        }
        removed = 0;
        table = rebuilt;
    }

    private static void insert(@Nullable Constant[] entries, Constant constant) {
        int mask = entries.length - 1;
        int i = (int) constant.hash & mask;
        while (entries[i] != null) {
            i = i + 1 & mask;
        }
        CONSTANTS.setRelease(entries, i, constant);
    }

    /// Eight bytes per step, folded by a full 64 x 64 bit product (the construction of wyhash).
    private long hash(byte[] bytes, int offset, int length) {
        long hash = seed ^ length;
        int i = offset;
        int end = offset + length;
        for (; end - i >= Long.BYTES; i += Long.BYTES) {
            hash = fold(hash ^ (long) LONGS.get(bytes, i), MIX_1);
        }
        long rest = 0;
        for (; i < end; i++) {
            rest = rest << Byte.SIZE | (bytes[i] & 0xFF);
        }
        return fold(hash ^ rest, MIX_2);
    }

    private static long fold(long a, long b) {
        return a * b ^ Math.unsignedMultiplyHigh(a, b);
    }

    /// What readers look at is final, so that one which finds the entry finds it whole.
    private static final class Constant {

        final byte[] utf8;
        final long hash;
        final int number;

        /// Writer only.
        int uses = 1;

        Constant(byte[] utf8, long hash, int number) {
            this.utf8 = utf8;
            this.hash = hash;
            this.number = number;
        }
    }
}

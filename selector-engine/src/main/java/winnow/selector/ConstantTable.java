package winnow.selector;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The string constants that selectors compare one slot with, numbered from 0: an open hash table
/// over UTF-8 bytes that only grows.
///
/// One writer, many readers without locks. A reader may miss a constant that is being added; it
/// sees every constant of the [Slots] version it has read, because that read of a volatile field
/// comes after the writes, and because a larger table is complete before the volatile field shows
/// it.
final class ConstantTable {

    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    /// Odd constants with about as many ones as zeros, from the fractional digits of pi.
    private static final long MIX_1 = 0x243F_6A88_85A3_08D3L;

    private static final long MIX_2 = 0x1319_8A2E_0370_7345L;

    private final long seed;
    private volatile @Nullable Constant[] table = new Constant[8];
    private int size;

    ConstantTable(long seed) {
        this.seed = seed;
    }

    /// Number of the constant with these bytes, or [SlotValues#NO_CONSTANT]. Any thread.
    int find(byte[] bytes, int offset, int length) {
        @Nullable Constant[] entries = table;
        long hash = hash(bytes, offset, length);
        int mask = entries.length - 1;
        for (int i = (int) hash & mask; ; i = i + 1 & mask) {
            Constant entry = entries[i];
            if (entry == null) {
                return SlotValues.NO_CONSTANT;
            }
            if (entry.hash == hash
                    && Arrays.equals(
                            entry.utf8, 0, entry.utf8.length, bytes, offset, offset + length)) {
                return entry.number;
            }
        }
    }

    /// Adds bytes that are not in the table. Writer only.
    int add(byte[] utf8) {
        @Nullable Constant[] entries = table;
        if (size * 2 >= entries.length) {
            @Nullable Constant[] larger = new Constant[entries.length * 2];
            for (Constant entry : entries) {
                if (entry != null) {
                    insert(larger, entry);
                }
            }
            table = larger;
            entries = larger;
        }
        Constant constant = new Constant(utf8.clone(), hash(utf8, 0, utf8.length), size);
        insert(entries, constant);
        size++;
        return constant.number;
    }

    private static void insert(@Nullable Constant[] entries, Constant constant) {
        int mask = entries.length - 1;
        int i = (int) constant.hash & mask;
        while (entries[i] != null) {
            i = i + 1 & mask;
        }
        entries[i] = constant;
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

    /// All fields are final, so that a reader which finds the entry finds it whole.
    private static final class Constant {

        final byte[] utf8;
        final long hash;
        final int number;

        Constant(byte[] utf8, long hash, int number) {
            this.utf8 = utf8;
            this.hash = hash;
            this.number = number;
        }
    }
}

package winnow.selector.index.node;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import winnow.selector.index.structure.Buckets;
import winnow.selector.index.term.Formula;
import winnow.selector.index.term.SlotProbe;
import winnow.selector.index.term.Term;
import winnow.selector.slot.SlotValues;

/// The bitmaps of a [Block]: for each of the slots that its nodes ask most, and for each class of
/// values, the rows that may match. Those slots are chosen once; the writer sets and clears bits
/// while any number of threads read, for which the block orders the writes.
final class Columns {

    /// So that what is left of them stays in registers. Two at a time take 1.1 times as long with
    /// 10,000 selectors of 2 to 4 ranges, eight as long as four.
    static final int WORDS_AT_A_TIME = 4;

    /// Each takes 4 bytes per node.
    static final int MAX_COLUMNS = 12;

    /// A slot that so few of the nodes ask is no column.
    private static final int MIN_SHARE = 16;

    /// Of so many slots, those that are asked most, the masks are looked at.
    private static final int MAX_CANDIDATES = 2 * MAX_COLUMNS;

    private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

    private final int words;

    /// By column, those that most nodes ask first.
    private final int[] slots;

    private final SlotColumns bySlot;
    private final Buckets[] buckets;

    /// By column, where its bitmaps begin.
    private final int[] firsts;

    /// By column, class and word.
    private final long[] bits;

    /// @param asked by the nodes that there are
    /// @param words of a bitmap
    Columns(List<Formula> asked, int words) {
        this.words = words;
        List<Column> columns = chosen(asked);
        slots = slots(columns);
        bySlot = new SlotColumns(slots);
        buckets = buckets(columns);
        firsts = new int[slots.length];
        bits = new long[length()];
    }

    /// The same columns without any row.
    Columns(Columns like, int words) {
        this.words = words;
        slots = like.slots;
        bySlot = like.bySlot;
        buckets = like.buckets;
        firsts = new int[slots.length];
        bits = new long[length()];
    }

    /// Lays the bitmaps out.
    ///
    /// @return how many words they take
    private int length() {
        int length = 0;
        for (int column = 0; column < slots.length; column++) {
            firsts[column] = length;
            length += buckets[column].count() * words;
        }
        return length;
    }

    private static int[] slots(List<Column> columns) {
        return columns.stream().mapToInt(column -> column.slot).toArray();
    }

    private static Buckets[] buckets(List<Column> columns) {
        return columns.stream().map(column -> column.buckets).toArray(Buckets[]::new);
    }

    private static final class Column {
        final int slot;
        final Buckets buckets;
        int users;

        Column(SlotProbe probe) {
            slot = probe.slot();
            buckets = probe.buckets();
        }

        /// True if enough of the nodes ask for it, and not all the same.
        boolean tells(List<Formula> asked) {
            int first = asked.getFirst().mask(slot, buckets);
            boolean different = false;
            int askedFor = 0;
            for (Formula one : asked) {
                int mask = one.mask(slot, buckets);
                different |= mask != first;
                askedFor += mask == Buckets.ALL ? 0 : 1;
            }
            return different && askedFor * MIN_SHARE >= asked.size();
        }
    }

    private static List<Column> chosen(List<Formula> asked) {
        Map<Integer, Column> all = new HashMap<>();
        for (Formula one : asked) {
            one.forEachTerm(term ->
                    all.computeIfAbsent(term.probe.slot(), _ -> new Column(term.probe)).users++);
        }
        return mostUsed(all.values(), MAX_CANDIDATES).stream()
                .filter(column -> column.tells(asked))
                .limit(MAX_COLUMNS)
                .toList();
    }

    private static List<Column> mostUsed(Collection<Column> columns, int limit) {
        return columns.stream()
                .sorted(
                        Comparator.comparingInt((Column column) -> -column.users)
                                .thenComparingInt(column -> column.slot))
                .limit(limit)
                .toList();
    }

    SlotColumns bySlot() {
        return bySlot;
    }

    /// Borrowed. By column.
    Buckets[] buckets() {
        return buckets;
    }

    /// True if others are of the same slots, divided into the same classes, in whatever order.
    boolean areLike(Columns others) {
        return areLike(others.slots, others.buckets);
    }

    /// True if the same would be chosen for what is asked now.
    boolean suit(List<Formula> asked) {
        List<Column> others = chosen(asked);
        return areLike(slots(others), buckets(others));
    }

    @SuppressWarnings("ReferenceEquality") // A slot keeps its classes as long as they suit.
    private boolean areLike(int[] otherSlots, Buckets[] otherBuckets) {
        boolean alike = otherSlots.length == slots.length;
        for (int other = 0; alike && other < otherSlots.length; other++) {
            int column = bySlot.of(otherSlots[other]);
            alike = column != SlotColumns.NONE && buckets[column] == otherBuckets[other];
        }
        return alike;
    }

    /// By column, the classes for which a formula may be true. Writer only.
    int[] masks(Formula asked) {
        // A new array each time: one that is kept may share cache lines with what messages read.
        int[] masks = new int[slots.length];
        for (int column = 0; column < slots.length; column++) {
            masks[column] = buckets[column].all();
        }
        if (asked instanceof Formula.AllOf all) {
            for (int i = 0; i < all.size(); i++) {
                narrow(all.operand(i), masks);
            }
        } else {
            narrow(asked, masks);
        }
        return masks;
    }

    private void narrow(Formula asked, int[] masks) {
        if (asked instanceof Term term) {
            int column = bySlot.of(term.probe.slot());
            if (column != SlotColumns.NONE) {
                masks[column] &= term.mask(buckets[column]);
            }
            return;
        }
        for (int column = 0; column < slots.length; column++) {
            masks[column] &= asked.mask(slots[column], buckets[column]);
        }
    }

    /// Sets the bits of a row. Looks only at those that change, because each is on a cache line of
    /// its own. Writer only.
    ///
    /// @param before knows the classes for which it has a bit
    /// @param after by column, those for which it shall have one
    void set(int row, FreeRows before, int[] after) {
        long bit = 1L << row;
        for (int column = 0; column < slots.length; column++) {
            int first = firsts[column] + row / Long.SIZE;
            int changed = before.takenMask(column) ^ after[column];
            for (; changed != 0; changed &= changed - 1) {
                bits[first + Integer.numberOfTrailingZeros(changed) * words] ^= bit;
            }
        }
    }

    /// The classes for which the bit of a row is set.
    private int mask(int column, int row) {
        int mask = 0;
        int at = firsts[column] + row / Long.SIZE;
        for (int bucket = 0; bucket < buckets[column].count(); bucket++, at += words) {
            mask |= (int) (bits[at] >>> row & 1) << bucket;
        }
        return mask;
    }

    /// The slots by whose values the bitmaps leave a row out.
    List<Integer> slotsThatNarrow(int row) {
        List<Integer> narrowing = new ArrayList<>();
        for (int column = 0; column < slots.length; column++) {
            if (mask(column, row) != buckets[column].all()) {
                narrowing.add(slots[column]);
            }
        }
        return narrowing;
    }

    /// Finds the rows that may match. Any thread.
    ///
    /// @param live the rows that there are
    /// @param left where the rows are written to
    /// @return the words of `left` in which there are some, as bits: most words are empty, and a
    ///   branch for each could not be predicted
    int wordsLeft(SlotValues values, NodeVisitor matching, long[] live, long[] left) {
        int columns = slots.length;
        int[] bitmaps = matching.bitmaps();
        for (int column = 0; column < columns; column++) {
            int bucket = matching.bucket(values, slots[column], buckets[column]);
            bitmaps[column] = firsts[column] + bucket * words;
        }
        return words < WORDS_AT_A_TIME
                ? oneByOne(bitmaps, live, left)
                : fourByFour(bitmaps, live, left);
    }

    private int oneByOne(int[] bitmaps, long[] live, long[] left) {
        int wordsLeft = 0;
        for (int word = 0; word < words; word++) {
            long rows = (long) WORDS.getAcquire(live, word);
            for (int column = 0; column < slots.length; column++) {
                rows &= bits[bitmaps[column] + word];
            }
            left[word] = rows;
            wordsLeft |= notEmpty(rows) << word;
        }
        return wordsLeft;
    }

    private int fourByFour(int[] bitmaps, long[] live, long[] left) {
        long[] ofAll = bits;
        int columns = slots.length;
        int wordsLeft = 0;
        for (int word = 0; word < words; word += WORDS_AT_A_TIME) {
            long first = (long) WORDS.getAcquire(live, word);
            long second = (long) WORDS.getAcquire(live, word + 1);
            long third = (long) WORDS.getAcquire(live, word + 2);
            long fourth = (long) WORDS.getAcquire(live, word + 3);
            for (int column = 0;
                    column < columns && (first | second | third | fourth) != 0;
                    column++) {
                int at = bitmaps[column] + word;
                first &= ofAll[at];
                second &= ofAll[at + 1];
                third &= ofAll[at + 2];
                fourth &= ofAll[at + 3];
            }
            left[word] = first;
            left[word + 1] = second;
            left[word + 2] = third;
            left[word + 3] = fourth;
            int four =
                    notEmpty(first)
                            | notEmpty(second) << 1
                            | notEmpty(third) << 2
                            | notEmpty(fourth) << 3;
            wordsLeft |= four << word;
        }
        return wordsLeft;
    }

    /// 1 if a bit is set, else 0, without a branch.
    private static int notEmpty(long rows) {
        return (int) ((rows | -rows) >>> (Long.SIZE - 1));
    }
}

package winnow.selector.slot;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// The string constants that selectors compare one slot with, as small numbers: an open hash table
/// over UTF-8 bytes. A constant counts its uses, and its number is given to another after the last.
///
/// A place of the table is an int with the number and as many bits of the hash as there is room
/// for; what the constant says is by its number in [ConstantTexts]. So the way to a number is one
/// read, after which a processor goes on while it compares what the constant says, and a search
/// nearly never looks at a constant that it does not want.
///
/// One writer, many readers without locks. A reader may miss a constant that is being added, or
/// find one that is being removed; it sees every constant of the [Slots] version it has read,
/// because that read of a volatile field comes after the writes, and because a new table has its
/// former one before the volatile field shows it.
///
/// When the table is replaced, the constants of the former one are copied some at a time, so that
/// no single change takes long. Until then a reader looks there, too.
final class ConstantTable {

    private static final VarHandle PLACES = MethodHandles.arrayElementVarHandle(int[].class);

    /// Odd, with about as many ones as zeros, from the fractional digits of pi.
    private static final long MIX = 0x1319_8A2E_0370_7345L;

    private static final int MIN_CAPACITY = 8;

    /// A smaller table is at most three eighths full, so that most searches end where they begin:
    /// with 160 constants a message takes 34 ns instead of 37. An emptier table of this size or
    /// larger would take too much heap, so it may be three quarters full.
    private static final int LARGE = 1_024;

    /// Places of the former table to look at per change: enough to be ready before the table is
    /// replaced again.
    private static final int STEPS = 32;

    /// Place where no constant was yet; searches end here.
    private static final int EMPTY = 0;

    /// Place where a constant was removed; searches go on behind it. It has no number.
    private static final int REMOVED = Integer.MIN_VALUE;

    /// A search ends: there is no constant.
    private static final int NONE = SlotValues.NO_CONSTANT;

    /// There is another constant, or there was one.
    private static final int OTHER = -2;

    private final long seed;
    private final ConstantTexts texts = new ConstantTexts();
    private volatile Table table = new Table(MIN_CAPACITY, 0, null);

    /// Constants at lower places of the former table have been copied.
    private int copied;

    private final Numbers numbers = new Numbers();
    private int size;
    private int removed;

    ConstantTable(long seed) {
        this.seed = seed;
    }

    /// Number of the constant with these bytes, or [SlotValues#NO_CONSTANT]. Any thread.
    int find(byte[] bytes, int offset, int length) {
        if (length < Long.BYTES) {
            return findWord(StringWord.ofShort(bytes, offset, length));
        }
        long word = StringWord.of(bytes, offset, length, seed);
        if (StringWord.isPair(word)) {
            return findPair(word, StringWord.first(word, bytes, offset));
        }
        return StringWord.isHashed(word) ? findHashed(word, bytes, offset, length) : findWord(word);
    }

    private int findWord(long word) {
        long hash = KeyedHash.fold(seed ^ word, MIX);
        Table current = table;
        Table former = current.former;
        int found = findWord(current, hash, word);
        return found != SlotValues.NO_CONSTANT || former == null
                ? found
                : findWord(former, hash, word);
    }

    /// Strings of one word, of two and of hashes are searched each on its own: in one search for
    /// all, those of one word, which are the most, take 6 % longer.
    private int findWord(Table in, long hash, long word) {
        int tag = in.tag(hash);
        for (int i = in.first(hash); ; i = in.next(i)) {
            int number = in.number(i, tag);
            if (number >= 0 ? texts.says(number, word) : number == NONE) {
                return number;
            }
        }
    }

    private int findPair(long word, long first) {
        long hash = hash(word, first);
        while (true) {
            Table current = table;
            Table former = current.former;
            int found = findPair(current, hash, word, first);
            if (found == SlotValues.NO_CONSTANT && former != null) {
                found = findPair(former, hash, word, first);
            }
            // Nobody marks what is removed in a table that is not followed any more.
            if (found == SlotValues.NO_CONSTANT || (table == current && current.former == former)) {
                return found;
            }
        }
    }

    private int findPair(Table in, long hash, long word, long first) {
        int tag = in.tag(hash);
        for (int i = in.first(hash); ; i = in.next(i)) {
            int number = in.number(i, tag);
            // As long as the constant is at its place, both words are its own.
            if (number >= 0
                    ? texts.says(number, word)
                            && texts.saysFirst(number, first)
                            && in.number(i, tag) == number
                    : number == NONE) {
                return number;
            }
        }
    }

    private int findHashed(long word, byte[] bytes, int offset, int length) {
        Table current = table;
        Table former = current.former;
        int found = findHashed(current, word, bytes, offset, length);
        return found != SlotValues.NO_CONSTANT || former == null
                ? found
                : findHashed(former, word, bytes, offset, length);
    }

    private int findHashed(Table in, long hash, byte[] bytes, int offset, int length) {
        int tag = in.tag(hash);
        for (int i = in.first(hash); ; i = in.next(i)) {
            int number = in.number(i, tag);
            if (number >= 0 ? texts.says(number, bytes, offset, length) : number == NONE) {
                return number;
            }
        }
    }

    /// Text of a constant. Writer only.
    String text(int number) {
        if (!texts.isUsed(number)) {
            throw new IllegalArgumentException("no constant has the number " + number);
        }
        return texts.text(number);
    }

    /// Number of constants. Writer only.
    int size() {
        return size;
    }

    /// Counts a use of the constant with these bytes and returns its number; returns
    /// [SlotValues#NO_CONSTANT] if it is not here. Writer only.
    int use(byte[] utf8) {
        int number = find(utf8, 0, utf8.length);
        if (number != SlotValues.NO_CONSTANT) {
            texts.use(number);
        }
        return number;
    }

    /// Adds bytes that are not in the table, with one use. Writer only.
    int add(byte[] utf8) {
        copySome();
        if (isFull()) {
            replace();
        }
        int number = numbers.take();
        long word = StringWord.of(utf8, 0, utf8.length, seed);
        long first = StringWord.first(word, utf8, 0);
        texts.add(number, word, first, utf8);
        table.insert(number, hash(word, first));
        size++;
        return number;
    }

    /// Takes one use back. Writer only.
    void release(int number) {
        if (!texts.isUsed(number)) {
            throw new IllegalStateException("no constant has the number " + number);
        }
        if (!texts.release(number)) {
            return;
        }
        copySome();
        Table current = table;
        Table former = current.former;
        long hash = hash(number);
        current.remove(number, hash);
        if (former != null) {
            former.remove(number, hash);
        }
        numbers.giveBack(number);
        texts.remove(number, numbers.limit());
        size--;
        removed++;
        int capacity = current.places.length;
        if (size * (capacity > LARGE ? 8L : 16L) < capacity && capacityFor(size) < capacity) {
            replace();
        }
    }

    private boolean isFull() {
        long capacity = table.places.length;
        return (size + removed) * 8L >= (capacity < LARGE ? 3 : 6) * capacity;
    }

    /// So large that the table is half as full as it may become, or less: it is not replaced again
    /// before the former one is copied.
    private static int capacityFor(int size) {
        int least = Math.toIntExact(size * 8L / 3);
        int capacity = Math.max(MIN_CAPACITY, 2 * Integer.highestOneBit(Math.max(1, least - 1)));
        return capacity < LARGE ? 2 * capacity : capacity;
    }

    /// Begins a table of the right size without what was removed.
    private void replace() {
        while (table.former != null) {
            copySome();
        }
        int capacity = capacityFor(size);
        copied = 0;
        removed = 0;
        table = new Table(capacity, numbers.limit(), table);
        if (capacity <= STEPS) {
            copySome();
        }
    }

    private void copySome() {
        Table current = table;
        Table from = current.former;
        if (from == null) {
            return;
        }
        int end = Math.min(from.places.length, copied + STEPS);
        for (; copied < end; copied++) {
            int number = from.numberAt(copied);
            if (number != SlotValues.NO_CONSTANT) {
                current.insert(number, hash(number));
            }
        }
        if (copied == from.places.length) {
            current.former = null;
        }
    }

    private long hash(int number) {
        return hash(texts.word(number), texts.first(number));
    }

    private long hash(long word, long first) {
        if (StringWord.isHashed(word)) {
            return word;
        }
        long hash = KeyedHash.fold(seed ^ word, MIX);
        return StringWord.isPair(word) ? KeyedHash.fold(hash ^ first, MIX) : hash;
    }

    /// The lowest bits of a place are the number of its constant plus 1, the others a tag, which is
    /// taken from the constant's hash.
    private static final class Table {

        final int[] places;
        final int numberMask;

        /// Has the constants that were not copied from it yet; null if all were. A reader asks for
        /// it before it looks into this table, and then finds each constant in one of the two.
        volatile @Nullable Table former;

        /// @param capacity a power of two, more than there will ever be constants
        /// @param limit of the numbers that are in use: a higher one is only taken when all below
        ///   are, so it is below the capacity
        Table(int capacity, int limit, @Nullable Table former) {
            this.former = former;
            this.places = new int[capacity];
            this.numberMask = 2 * Integer.highestOneBit(Math.max(capacity, limit)) - 1;
        }

        int tag(long hash) {
            return (int) (hash >>> Integer.SIZE) & ~numberMask;
        }

        /// Index at which a search begins.
        int first(long hash) {
            return (int) hash & places.length - 1;
        }

        /// Index at which it goes on.
        int next(int i) {
            return i + 1 & places.length - 1;
        }

        /// The number of a constant that may be the one with a tag, [#OTHER] or [#NONE]. Any
        /// thread.
        int number(int i, int tag) {
            int place = (int) PLACES.getAcquire(places, i);
            if (place == EMPTY) {
                return NONE;
            }
            // With another tag, or where a constant was removed, this is no number of the table.
            int number = (place ^ tag) - 1;
            return Integer.compareUnsigned(number, numberMask) < 0 ? number : OTHER;
        }

        /// [SlotValues#NO_CONSTANT] if there is none.
        int numberAt(int i) {
            return (places[i] & numberMask) - 1;
        }

        void insert(int number, long hash) {
            int i = first(hash);
            while (places[i] != EMPTY) {
                i = next(i);
            }
            PLACES.setRelease(places, i, tag(hash) | number + 1);
        }

        /// Does nothing if it is not here.
        void remove(int number, long hash) {
            int i = first(hash);
            while (places[i] != EMPTY && numberAt(i) != number) {
                i = next(i);
            }
            if (places[i] != EMPTY) {
                PLACES.setRelease(places, i, REMOVED);
            }
        }
    }
}

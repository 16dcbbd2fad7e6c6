package winnow.selector.index.node;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import winnow.selector.index.structure.Buckets;
import winnow.selector.index.term.Formula;
import winnow.selector.index.term.RangeTerm;
import winnow.selector.index.term.SharedTerm;
import winnow.selector.index.term.Term;
import winnow.selector.index.term.TestWriter;
import winnow.selector.slot.ValueCode;

/// Writes down what nodes ask besides a key, for [RowTests]. Writer only.
final class RowWriter implements TestWriter {
    /// 128 bytes, two cache lines.
    static final int MAX_INTS = 32;

    /// Highest effort and most terms of a formula to be written into a row or the bitmaps of a
    /// [Block], so that the time to make these is bounded.
    private static final int MAX_EFFORT = 128;

    private static final int MAX_TERMS = 16;
    private static final int FEW_INTS = 8;
    private static final Buckets[] NO_BUCKETS = {};

    private final SharedTerm key;
    private final SlotColumns columns;
    private final Buckets[] buckets;

    /// Grows: a writer for one small row is made for each selector that comes.
    private int[] ints = new int[FEW_INTS];

    private int length;
    private int limit = MAX_INTS;
    private int lastHead;
    private boolean unsure;

    /// True if the bitmaps speak of all that is written, not of an alternative.
    private boolean whole;

    /// For nodes that are tested after the key only.
    RowWriter(SharedTerm key) {
        this(key, SlotColumns.EMPTY, NO_BUCKETS);
    }

    /// @param key which is true then
    /// @param columns of the slots whose classes of values have decided already what they tell
    ///   exactly
    /// @param buckets the classes, by column
    RowWriter(SharedTerm key, SlotColumns columns, Buckets[] buckets) {
        this.key = key;
        this.columns = columns;
        this.buckets = buckets;
    }

    /// The tests of a node.
    ///
    /// @param part see [#part]
    /// @param maxInts how long they may be, at most [#MAX_INTS]; the formula is asked for the rest
    int[] row(@Nullable Formula part, int maxInts) {
        begin(maxInts);
        if (part == null) {
            ask();
        } else {
            writeWhole(part);
            if (unsure) {
                // Once more, with room for the head that says so.
                begin(maxInts - 1);
                writeWhole(part);
            }
        }
        if (unsure) {
            head(RowTests.ASK, 0);
        } else if (lastHead < 0) {
            head(RowTests.ALWAYS, 0);
        }
        ints[lastHead] |= RowTests.LAST;
        return Arrays.copyOf(ints, length);
    }

    /// Formula that a message for which a key is true has to fulfil, unless another key leads to
    /// the node; null if that is too much to look at. A large formula is not even made, because
    /// that takes long.
    static @Nullable Formula part(Node<?> node, SharedTerm key) {
        return node.effort() > MAX_EFFORT ? null : part(node, node.formula(), key);
    }

    /// The same with the formula of the node.
    static @Nullable Formula part(Node<?> node, Formula formula, SharedTerm key) {
        return isSmall(formula) ? formula.part(key, node.keys()) : null;
    }

    private static boolean isSmall(Formula formula) {
        return formula.effort() <= MAX_EFFORT && formula.termCount() <= MAX_TERMS;
    }

    private void begin(int maxInts) {
        length = 0;
        lastHead = -1;
        unsure = false;
        limit = maxInts;
    }

    private void writeWhole(Formula formula) {
        whole = !(formula instanceof Formula.AnyOf);
        if (formula instanceof Formula.AnyOf any) {
            writeAlternatives(any);
        } else {
            write(formula);
        }
    }

    private void writeAlternatives(Formula.AnyOf alternatives) {
        if (alternatives.size() == 0) {
            // Other keys lead to all of it.
            range(0, 1, 0, false);
        }
        for (int i = 0; i < alternatives.size() && !unsure; i++) {
            boolean last = i == alternatives.size() - 1;
            int head = length;
            if (!last && isRoomFor(0, 1)) {
                head(RowTests.ALTERNATIVE, 0);
            }
            int first = length;
            write(alternatives.operand(i));
            if (length == first && isRoomFor(0, 1)) {
                head(RowTests.ALWAYS, 0);
            }
            if (!last && !unsure) {
                ints[lastHead] |= RowTests.LAST;
                ints[head] |= (length - first) << RowTests.SLOT_SHIFT;
            }
        }
        if (unsure) {
            // Part of an alternative says nothing.
            length = 0;
            lastHead = -1;
        }
    }

    private void write(Formula formula) {
        switch (formula) {
            case Term term -> write(term);
            case Formula.AllOf all -> {
                for (int i = 0; i < all.size(); i++) {
                    write(all.operand(i));
                }
            }
            case Formula.AnyOf any -> {
                if (any.size() != 2
                        || !(any.operand(0) instanceof RangeTerm one)
                        || !(any.operand(1) instanceof RangeTerm other)
                        || one.probe.slot() != other.probe.slot()
                        || !(isOutside(one, other) || isOutside(other, one))) {
                    ask();
                }
            }
        }
    }

    /// Writes down that a number is below or above a range, if that is so.
    private boolean isOutside(RangeTerm below, RangeTerm above) {
        float low = below.range().highFloat();
        float high = above.range().lowFloat();
        if (below.lowest() > Double.NEGATIVE_INFINITY
                || above.highest() < Double.POSITIVE_INFINITY
                || !(low <= high)) {
            return false;
        }
        bounds(RowTests.OUTSIDE, below.probe.slot(), low, high);
        return true;
    }

    private void write(Term term) {
        if (!term.isImpliedBy(key) && !isTold(term)) {
            term.write(this);
        }
    }

    private boolean isTold(Term term) {
        int column = whole ? columns.of(term.probe.slot()) : SlotColumns.NONE;
        return column != SlotColumns.NONE && term.isToldBy(buckets[column]);
    }

    @Override
    public void ask() {
        unsure = true;
    }

    @Override
    public void equal(int slot, int constant) {
        if (isRoomFor(slot, 2)) {
            head(RowTests.EQUAL, slot);
            ints[length++] = constant;
        }
    }

    @Override
    public void differs(int slot, int constant) {
        if (isRoomFor(slot, 2)) {
            head(RowTests.DIFFERS, slot);
            ints[length++] = constant;
        }
    }

    @Override
    public void oneOf(int slot, int[] constants) {
        constants(RowTests.ONE_OF, slot, constants);
    }

    @Override
    public void noneOf(int slot, int[] constants) {
        constants(RowTests.NONE_OF, slot, constants);
    }

    private void constants(int kind, int slot, int[] constants) {
        if (isRoomFor(slot, 2 + constants.length)) {
            head(kind, slot);
            ints[length++] = constants.length;
            for (int constant : constants) {
                ints[length++] = constant;
            }
        }
    }

    @Override
    public void range(int slot, float low, float high, boolean closed) {
        bounds(RowTests.RANGE | (closed ? RowTests.CLOSED : 0), slot, low, high);
    }

    @Override
    public void notInRange(int slot, float low, float high, boolean closed) {
        bounds(RowTests.NOT_IN_RANGE | (closed ? RowTests.CLOSED : 0), slot, low, high);
    }

    private void bounds(int kind, int slot, float low, float high) {
        if (isRoomFor(slot, RowTests.RANGE_INTS)) {
            head(kind, slot);
            ints[length++] = ValueCode.order(low);
            ints[length++] = ValueCode.order(high);
        }
    }

    @Override
    public void missing(int slot) {
        if (isRoomFor(slot, 1)) {
            head(RowTests.MISSING, slot);
        }
    }

    @Override
    public void asked(int term) {
        if (isRoomFor(0, 2)) {
            head(RowTests.TERM, 0);
            ints[length++] = term;
        }
    }

    private boolean isRoomFor(int slot, int count) {
        if (slot < RowTests.MAX_SLOT && length + count <= limit) {
            if (length + count >= ints.length && ints.length < MAX_INTS) {
                // Also if it is full, because a last head may follow.
                ints = Arrays.copyOf(ints, MAX_INTS);
            }
            return true;
        }
        unsure = true;
        return false;
    }

    private void head(int kind, int slot) {
        lastHead = length;
        ints[length++] = slot << RowTests.SLOT_SHIFT | kind;
    }
}

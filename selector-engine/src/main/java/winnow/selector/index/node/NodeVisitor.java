package winnow.selector.index.node;

import winnow.selector.index.structure.Buckets;
import winnow.selector.index.term.Formula;
import winnow.selector.index.term.TermVisitor;
import winnow.selector.slot.SlotValues;

/// Visits the nodes that a term leads to, for a match, and keeps what that knows while they are
/// tested. A class for the same reason as [TermVisitor]. Owned by one event loop.
public abstract class NodeVisitor extends TermVisitor {
    private final int[] bitmaps = new int[Columns.MAX_COLUMNS];

    /// Tests of which one may take long, in all messages.
    private int slowTests;

    /// Counts a test that may take long.
    protected final void onSlowTest() {
        slowTests++;
    }

    /// Another number than before means that there was a test that may have taken long, so that
    /// [#isOver] is to be asked.
    final int slowTests() {
        return slowTests;
    }

    /// Scratch space of one [Block#match]: by column, where the bitmap begins.
    final int[] bitmaps() {
        return bitmaps;
    }

    /// Looks at a node: tests it, and gives the message to its subscribers if it matches.
    public abstract void node(Node<?> node);

    /// Gives the message to the subscribers of a node that matches, now or later, unless it has
    /// them already or is too old for it.
    public abstract void found(Node<?> node);

    /// Gives the message to the only subscriber of a node that matches and that the message is not
    /// too old for, unless it has it already.
    ///
    /// @param number of the node
    public abstract void tell(int number, Object subscriber);

    /// True if nodes want to be told of all messages that a key leads to them.
    public abstract boolean isSampled();

    /// The bitmaps of a block were looked through.
    public abstract void lookedThrough();

    /// So many rows were tested.
    public abstract void tested(int rows);

    /// True if a formula is true for the message that is being matched.
    public abstract boolean test(Formula formula);

    /// The result of a term as one of [RowTests]: unsure if the term is gone, or newer than the
    /// message.
    ///
    /// @param number among [winnow.selector.index.term.AskedTerms]
    public abstract int asked(int number, SlotValues values);

    /// The class of the message's value of a slot, found once per message.
    public abstract int bucket(SlotValues values, int slot, Buckets among);
}

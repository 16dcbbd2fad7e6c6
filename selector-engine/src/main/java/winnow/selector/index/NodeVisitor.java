package winnow.selector.index;

import winnow.selector.slot.SlotValues;

/// What a match does with the nodes that a term leads to, and what it knows while they are tested.
/// A class for the same reason as [TermVisitor]. Owned by one event loop.
abstract class NodeVisitor extends TermVisitor {

    /// Looks at a node: tests it, and gives the message to its subscribers if it matches.
    abstract void node(Node<?> node);

    /// Notes a node that matches, unless the message is too old for it.
    abstract void found(Node<?> node);

    /// Whether nodes want to be told of all messages that a key leads to them.
    abstract boolean isSampled();

    /// So many rows were tested.
    abstract void tested(int rows);

    /// Whether a formula is true for the message that is being matched.
    abstract boolean test(Formula formula);

    /// The result of a term as one of [RowTests], unsure if it is not known for this message yet.
    abstract int knownResult(int term);

    /// The class of the message's value of a slot, found once per message.
    abstract int bucket(SlotValues values, int slot, Buckets among);
}

/// Which subscriptions of a topic want a message, at a cost that depends on the message and on the
/// matches, and hardly on how many subscriptions there are.
///
/// ```
/// selector -> CanonicalForm -> Formula over interned Terms ----> Node, one per distinct selector
///                                      |                          |         |
///                              AccessKeys: some Terms      hangs in the   Entry, one per
///                              of which one is TRUE        Clusters of     subscriber
///                              if the formula is           these Terms
///
/// message -> SlotValues -> per present slot a SlotProbe -> Terms that are TRUE -> their Clusters
///         -> rows of tests, or Nodes and their formulas -> Entries -> MatchSink
/// ```
///
/// A few nodes under one Term are in a [Leaf], many in [Blocks], where bitmaps per class of values
/// ([Buckets], [Scale]) tell which of them may match. In both, a row of ints ([RowTests]) says what
/// a node asks, so that only those which match are looked at. Wide ranges of numbers hang on groups
/// of [Cells].
///
/// One message in 256 is sampled: [IndexStatistics], [NodeStatistics] and [Watch] count what it
/// meets, and [Tuner] orders operands and finds better keys by that; [Reporter] tells it.
///
/// A match that takes long can stop ([MatchPause]): what it has still to visit is noted in
/// [Unvisited].
///
/// Reading order: [SelectorIndex], [Matching], [Node], [Term] and its kinds, [AccessKeys],
/// [SlotProbe], [Cluster], [Leaf], [RowTests], [Blocks], [Block], [Cells]; [Addition] and
/// [Disposals], which go in steps; then [Tuner], [HitRates], [Move].
///
/// Threads: one writer, the owner of the topic, calls [SelectorIndex#add] and
/// [SelectorIndex#remove]. Any number of readers match at the same time without locks, each with
/// its own [Matching]. Writers replace small immutable arrays behind references that readers read
/// as volatile; an entry appears and vanishes by one such write, to the list of its node's
/// subscribers. Numbers of slots, constants and terms are used again; what is new on an old number
/// asks for a newer version of the slots than a message that was read before has, and so it cannot
/// be mistaken.
@NullMarked
package winnow.selector.index;

import org.jspecify.annotations.NullMarked;

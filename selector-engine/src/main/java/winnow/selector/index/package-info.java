/// Which subscriptions of a topic want a message, at a cost that depends on the message and on the
/// matches, and hardly on how many subscriptions there are.
///
/// ```
/// selector -> CanonicalForm -> Formula over Terms -------------> Node, one per distinct selector
///                                      |                          |         |
///                              AccessKeys: some Terms      hangs in the  SubscriberHandle,
///                              of which one is TRUE        Clusters of   one per subscriber
///                              if the formula is           these Terms
///
/// message -> SlotValues -> per present slot a SlotProbe -> Terms that are TRUE -> their Clusters
///         -> rows of tests, or Nodes and their formulas -> SubscriberHandles -> MatchSink
/// ```
///
/// This package is what others use: [SelectorIndex] and [MatchScratch]; [Addition] and [Disposals]
/// add and forget large selectors in steps. The parts are in packages of their own, each of which
/// knows only those to the left of it:
///
/// ```
/// structure <- term <- node <- learn <- match
/// api       <-                       <- report
/// ```
///
/// | package | what it has |
/// |---|---|
/// | `structure` | sets, hash tables, classes of values |
/// | `api` | what the index and its users exchange |
/// | `term` | what selectors ask: formulas and terms, and how values lead to terms |
/// | `node` | distinct selectors, and how many of them are tested side by side |
/// | `learn` | what sampled messages teach: order of operands, better access keys |
/// | `match` | how one message is matched, at once or in slices |
/// | `report` | what people are told of it |
///
/// Reading order: [SelectorIndex], then the packages `term`, `node`, `match`, `learn`, `report`.
/// Each has its own reading order.
///
/// Threads: one writer, the owner of the topic, calls [SelectorIndex#add] and
/// [SelectorIndex#remove]. Any number of readers match at the same time without locks, each with
/// its own [MatchScratch]. An entry appears and vanishes by one write, to the list of its node's
/// subscribers. Such lists, and most of what leads to the nodes, are small immutable arrays that
/// the writer replaces; what it changes in place says so ([winnow.selector.index.node.Leaf],
/// [winnow.selector.index.node.Block]). Numbers of slots, constants and terms are used again; what
/// is new on an old number asks for a newer version of the slots than a message that was read
/// before has, and so it cannot be mistaken.
@NullMarked
package winnow.selector.index;

import org.jspecify.annotations.NullMarked;

/// The distinct selectors, and how those that hang on a true term are tested side by side.
///
/// A [Node] is one distinct selector with its [Subscribers]. The nodes on one term are its
/// [Cluster]: few of them are in a [Leaf], many in [Blocks]. Both hold a row of ints per node,
/// which [RowWriter] writes and [RowTests] tests, so that only nodes that match are looked at. In a
/// leaf a [RowFilter] leaves out most rows before ([FilteredRows]). They tell the match of these by
/// a [NodeVisitor].
///
/// Reading order: [Node], [NodeEntry], [Subscribers], [Cluster], [Leaf], [FilteredRows],
/// [RowFilter], [RowTests], [RowWriter], [Blocks], [Places], [Block], [Columns], [SlotColumns],
/// [FreeRows], [NodeVisitor]; [Nodes] finds a node by its formula. [NodeStatistics] and
/// [Unobserved] are here because each node holds one; [winnow.selector.index.learn] makes and reads
/// them.
///
/// Threads: one writer, many readers without locks.
@NullMarked
package winnow.selector.index.node;

import org.jspecify.annotations.NullMarked;

/// Data structures of the index that know nothing of terms and nodes.
///
/// [Members] is a set that one thread changes while others read it, and [HashChains] the same for
/// values by a key. [Scale] divides the numbers of a slot into cells by the ends of ranges, which
/// [RangeEnds] collects, and finds them by a [Cutting]; [Buckets] divides all its values into up to
/// 32 classes, so that a bitmap can tell which nodes may match. [Stamps] is a set of numbers that
/// is emptied at once, in [PagedInts], which grow a page at a time. [LinkedTable] is a hash table
/// and [SparseInts] a table by numbers, both for the writer alone.
///
/// Reading order: [Member], [Members], [HashChains], [LinkedTable], [SparseInts]; [RangeEnds],
/// [Scale], [Cutting], [Buckets].
///
/// Threads: one writer, many readers without locks; [Stamps] and [PagedInts] belong to one event
/// loop.
@NullMarked
package winnow.selector.index.structure;

import org.jspecify.annotations.NullMarked;

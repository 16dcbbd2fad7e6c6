/// Matching of a message. [Matching] takes the terms that the lookup leads to, looks at each node
/// once, and calls the sink for the subscribers of those that match. In a large index it collects
/// the terms as [Hits] and the nodes that match as [Found], both in [Gathered]. [TermResults] and
/// [ValueClasses] remember what was found out about the message. A match that takes long can stop:
/// [Pausing] tells when, and [Unvisited] notes what there is still to visit.
///
/// Reading order: [Matching], [Gathered], [Hits], [Found], [TermResults], [ValueClasses],
/// [Unvisited], [Pausing].
///
/// Threads: a [Matching] belongs to one event loop, and allocates nothing once it has grown.
@NullMarked
package winnow.selector.index.match;

import org.jspecify.annotations.NullMarked;

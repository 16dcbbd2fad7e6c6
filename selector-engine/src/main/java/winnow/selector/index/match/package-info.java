/// How a message is matched. [Matching] takes the terms and nodes that the lookup leads to, looks
/// at each node once and calls the sink for its subscribers. A match that takes long can stop:
/// [Pausing] tells when, and [Unvisited] notes what there is still to visit.
///
/// Reading order: [Matching], [Unvisited], [Pausing].
///
/// Threads: a [Matching] belongs to one event loop, and allocates nothing once it has grown.
@NullMarked
package winnow.selector.index.match;

import org.jspecify.annotations.NullMarked;

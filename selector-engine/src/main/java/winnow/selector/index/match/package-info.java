/// How a message is matched. [Matching] takes the terms that the lookup leads to, collects them as
/// [Hits], looks at each node once, collects those that match as [Found], and calls the sink for
/// their subscribers. [TermResults] and [ValueClasses] remember what was found out about the
/// message. A match that takes long can stop: [Pausing] tells when, and [Unvisited] notes what
/// there is still to visit.
///
/// Reading order: [Matching], [Hits], [Found], [TermResults], [ValueClasses], [Unvisited],
/// [Pausing].
///
/// Threads: a [Matching] belongs to one event loop, and allocates nothing once it has grown.
@NullMarked
package winnow.selector.index.match;

import org.jspecify.annotations.NullMarked;

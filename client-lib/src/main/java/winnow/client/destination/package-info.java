/// Topics and queues as the application sees them: names, and the filter that a topic's text may
/// carry (`NAME?correlationId=[#7;#13]`).
///
/// [WinnowDestination] is the common part, [WinnowTopic] and [WinnowQueue] are the two kinds. All
/// are immutable values.
@NullMarked
package winnow.client.destination;

import org.jspecify.annotations.NullMarked;

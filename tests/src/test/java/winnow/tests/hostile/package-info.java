/// Hostile clients against a broker with a small heap, beside a pair of clients that must not
/// notice.
///
/// [HostileTest] starts a [SmallBroker], lets a [Witness] send and receive, and runs each [Attack]
/// in turn with the connections of [Intruders]. [SmallHeapTest] lets each [Filling] use up what a
/// broker has room for, and [CrowdTest] takes all its places.
@NullMarked
package winnow.tests.hostile;

import org.jspecify.annotations.NullMarked;

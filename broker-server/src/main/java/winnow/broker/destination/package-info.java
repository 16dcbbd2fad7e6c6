/// Topics and queues by name: [Topic] has its subscriptions, a [Queue] is only its name here, for
/// what is stored belongs to the thread of the [winnow.broker.storage.Storage]. [Temporaries] says
/// whose temporary destinations are, [DestinationConfig] which settings a destination has.
@NullMarked
package winnow.broker.destination;

import org.jspecify.annotations.NullMarked;

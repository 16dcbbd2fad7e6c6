/// A workload for demonstrations and dashboards: a bit of everything at a bounded rate.
///
/// [MixRun] opens the connections of [MixConsumers] and [MixProducer]s for the topics and the queue
/// of [MixDestination], and runs until it is stopped.
@NullMarked
package winnow.loadgen.mix;

import org.jspecify.annotations.NullMarked;

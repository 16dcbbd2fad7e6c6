/// Waiting times of messages in a broker, and how many brokers a load needs.
///
/// Read in this order: [ReplicationGrade] and [Moments] (how many copies a message has),
/// [QueueServer] with [SingleServer] (M/GI/1) and [BatchServer] (a loop that takes all that waits),
/// [Waiting] (mean and quantiles of one rate), [Costs] (the times of a broker), [Load], [Planner]
/// and [CapacityPlan].
///
/// Everything here is immutable or used by one thread. All times are seconds.
@NullMarked
package winnow.loadgen.forecast;

import org.jspecify.annotations.NullMarked;

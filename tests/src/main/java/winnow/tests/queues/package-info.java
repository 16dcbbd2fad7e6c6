/// Measures what is stored: queues, durable subscriptions, backlogs and restarts of Winnow and of
/// other brokers with the same Jakarta Messaging client code, each broker in a process of its own.
/// [QueueBenchmark] is the program; a [QueueScenario] makes the points of one table; [Senders] and
/// [Receivers] are the load, [Gauge] reads what a point has cost.
@NullMarked
package winnow.tests.queues;

import org.jspecify.annotations.NullMarked;

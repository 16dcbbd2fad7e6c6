/// Counters of the data path, and the metrics that they are shown as. Knows no other package of the
/// broker.
///
/// Each event loop writes its [LoopCounters] and [Iterations]; other events are counted in
/// [BrokerCounters] and [MatchCounters]. [BrokerMetrics] and [TopicMetrics] bring them into an
/// [Exposition] without the loops' help. [TotalMetrics] and [DetailMetrics] say what each [Metric]
/// means, [StorageMetrics] and [QueueMetrics] those of queues, whose [StorageFigures] and
/// [QueueFigures] the storage brings; docs/METRICS.md is generated from them.
@NullMarked
package winnow.broker.metrics;

import org.jspecify.annotations.NullMarked;

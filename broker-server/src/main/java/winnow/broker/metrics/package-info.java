/// Counters of the data path and their names. Knows no other package of the broker.
///
/// [LoopCounters] are plain fields that one event loop adds to and publishes once per batch into
/// the [BrokerCounters], which all threads read; [MetricNames] are the names that dashboards use.
@NullMarked
package winnow.broker.metrics;

import org.jspecify.annotations.NullMarked;

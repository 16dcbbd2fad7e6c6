package winnow.broker.metrics;

import java.util.concurrent.atomic.LongAdder;

/// Effort of finding the subscriptions of messages; all values only grow. Thread-safe. Event loops
/// add to it once per batch.
public final class MatchCounters {
    /// Messages published.
    public final LongAdder messages = new LongAdder();

    /// Values of messages for names that selectors in an index ask for.
    public final LongAdder probes = new LongAdder();

    /// Distinct selectors that the values led to.
    public final LongAdder candidates = new LongAdder();

    /// Selectors evaluated: without an index all of the topic, with one those candidates whose
    /// access key does not say it all.
    public final LongAdder evaluations = new LongAdder();

    /// Subscriptions found.
    public final LongAdder matches = new LongAdder();

    /// Time that it took in nanoseconds, estimated from samples.
    public final LongAdder nanos = new LongAdder();
}

package winnow.broker.metrics;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/// Totals of the whole broker. Thread-safe.
public final class BrokerCounters {
    /// Messages that producers published.
    public final LongAdder received = new LongAdder();

    /// Bytes of their message blocks.
    public final LongAdder receivedBytes = new LongAdder();

    /// Copies handed to subscriptions.
    public final LongAdder dispatched = new LongAdder();

    /// Bytes of their message blocks.
    public final LongAdder dispatchedBytes = new LongAdder();

    /// What it took to find subscriptions, over all topics.
    public final MatchCounters matching = new MatchCounters();

    /// Copies brought to their subscriptions' outputs.
    public final LongAdder deliveredCopies = new LongAdder();

    /// Time that this took, in nanoseconds.
    public final LongAdder deliveryNanos = new LongAdder();

    /// Time spent writing outputs to sockets, in nanoseconds.
    public final LongAdder flushNanos = new LongAdder();

    /// Mean time that a copy costs the broker in nanoseconds, the paper's t_tx: its share of
    /// delivering and of writing to sockets. 0 as long as nothing was delivered.
    public double transmitNanos() {
        long copies = deliveredCopies.sum();
        return copies == 0 ? 0 : (double) (deliveryNanos.sum() + flushNanos.sum()) / copies;
    }

    /// Connections accepted since the start.
    public final LongAdder accepted = new LongAdder();

    /// Connections that are open.
    public final AtomicInteger connections = new AtomicInteger();

    /// Subscriptions that exist.
    public final AtomicInteger subscriptions = new AtomicInteger();

    /// Requests that were refused.
    public final LongAdder refusals = new LongAdder();

    /// Connections that were closed because the peer broke the protocol.
    public final LongAdder protocolErrors = new LongAdder();

    /// HTTP connections beyond the limit.
    public final LongAdder httpConnectionsRefused = new LongAdder();

    /// Failed authentications.
    public final LongAdder authenticationFailures = new LongAdder();

    /// Callbacks of event loops that failed by a fault of the broker.
    public final LongAdder internalErrors = new LongAdder();

    /// Times that a producer's credit was held back.
    public final LongAdder producersBlocked = new LongAdder();
}

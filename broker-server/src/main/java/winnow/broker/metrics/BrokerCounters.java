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

    /// Filters evaluated.
    public final LongAdder evaluations = new LongAdder();

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

    /// Failed authentications.
    public final LongAdder authenticationFailures = new LongAdder();

    /// Times that a producer's credit was held back.
    public final LongAdder producersBlocked = new LongAdder();
}

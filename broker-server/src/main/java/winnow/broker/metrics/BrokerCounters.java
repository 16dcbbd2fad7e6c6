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

    /// Copies of those messages whose handing to outputs was timed, a sample.
    public final LongAdder handedCopies = new LongAdder();

    /// Time that handing them took, in nanoseconds.
    public final LongAdder handNanos = new LongAdder();

    /// Time spent writing outputs to sockets, in nanoseconds.
    public final LongAdder flushNanos = new LongAdder();

    /// Mean time that a copy costs the broker in nanoseconds, the paper's t_tx: its share of
    /// handing over and of writing to sockets. 0 as long as nothing was dispatched.
    public double transmitNanos() {
        long timed = handedCopies.sum();
        long copies = dispatched.sum();
        if (timed == 0 || copies == 0) {
            return 0;
        }
        return (double) handNanos.sum() / timed + (double) flushNanos.sum() / copies;
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

    /// Failed authentications.
    public final LongAdder authenticationFailures = new LongAdder();

    /// Times that a producer's credit was held back.
    public final LongAdder producersBlocked = new LongAdder();
}

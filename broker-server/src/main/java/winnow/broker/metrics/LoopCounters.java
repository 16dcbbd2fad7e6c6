package winnow.broker.metrics;

/// What one event loop has routed since it last published: plain fields, so that counting a message
/// costs no more than four additions. Owned by the loop.
public final class LoopCounters {
    private final BrokerCounters totals;
    private long received;
    private long receivedBytes;
    private long dispatched;
    private long dispatchedBytes;
    private long deliveredCopies;
    private long deliveryNanos;
    private long flushNanos;

    public LoopCounters(BrokerCounters totals) {
        this.totals = totals;
    }

    /// One message of `bytes` was routed to `copies` subscriptions.
    public void routed(int bytes, int copies) {
        received++;
        receivedBytes += bytes;
        dispatched += copies;
        dispatchedBytes += (long) bytes * copies;
    }

    /// Bringing so many copies to their outputs took so long.
    public void delivered(int copies, long nanos) {
        deliveredCopies += copies;
        deliveryNanos += nanos;
    }

    /// Writing outputs to their sockets took so long.
    public void flushed(long nanos) {
        flushNanos += nanos;
    }

    /// Totals of the broker.
    public BrokerCounters totals() {
        return totals;
    }

    /// Adds everything to the totals; at the end of a batch.
    public void publish() {
        if (received == 0 && deliveredCopies == 0 && flushNanos == 0) {
            return;
        }
        totals.received.add(received);
        totals.receivedBytes.add(receivedBytes);
        totals.dispatched.add(dispatched);
        totals.dispatchedBytes.add(dispatchedBytes);
        totals.deliveredCopies.add(deliveredCopies);
        totals.deliveryNanos.add(deliveryNanos);
        totals.flushNanos.add(flushNanos);
        received = 0;
        receivedBytes = 0;
        dispatched = 0;
        dispatchedBytes = 0;
        deliveredCopies = 0;
        deliveryNanos = 0;
        flushNanos = 0;
    }
}

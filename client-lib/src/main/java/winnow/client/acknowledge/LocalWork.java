package winnow.client.acknowledge;

import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import org.jspecify.annotations.Nullable;
import winnow.client.link.BrokerLink;
import winnow.client.link.BrokerSession;
import winnow.client.link.Current;
import winnow.client.transport.endpoint.TransportException;
import winnow.wire.DeliveryRanges;

/// Work that a session does by itself: it acknowledges in one of the four modes. Used by the
/// session's thread of control.
public final class LocalWork implements SessionWork {
    private final Acknowledging live;
    private final StoredAcknowledging stored;
    private final @Nullable Transacting transacting;

    public LocalWork(
            BrokerLink link,
            BrokerSession channel,
            Iterable<? extends PrefetchConsumer> consumers,
            int mode,
            UnacknowledgedMemory memory) {
        live = live(mode, memory);
        stored = new StoredAcknowledging(channel, consumers, mode);
        transacting =
                mode == Session.SESSION_TRANSACTED
                        ? new Transacting(link, channel, stored, live)
                        : null;
    }

    /// Creates the object that keeps the messages of live subscriptions until they are
    /// acknowledged. An application that calls recover decides how often it does; a framework may
    /// roll back without end.
    private static Acknowledging live(int mode, UnacknowledgedMemory memory) {
        return switch (mode) {
            case Session.CLIENT_ACKNOWLEDGE -> new ClientAcknowledging(Integer.MAX_VALUE, memory);
            case Session.SESSION_TRANSACTED ->
                    new ClientAcknowledging(AutoAcknowledging.MAX_DELIVERIES, memory);
            default -> new AutoAcknowledging();
        };
    }

    @Override
    public Acknowledging live() {
        return live;
    }

    @Override
    public Acknowledging stored() {
        return stored;
    }

    @Override
    public boolean isTransacted() {
        return transacting != null;
    }

    @Override
    public boolean isDistributed() {
        return false;
    }

    @Override
    public int onPublish(Current now) throws JMSException, TransportException {
        return transacting == null ? 0 : transacting.onPublish(now);
    }

    private Transacting transacting() throws JMSException {
        if (transacting == null) {
            throw new IllegalStateException("the session is not transacted");
        }
        return transacting;
    }

    @Override
    public void commit() throws JMSException {
        transacting().commit();
    }

    @Override
    public void rollback() throws JMSException {
        transacting().rollback();
    }

    @Override
    public void acknowledgeLate() {
        stored.acknowledgeLate();
    }

    @Override
    public DeliveryRanges unacknowledged() {
        return stored.ledger().all();
    }

    @Override
    public DeliveryRanges unacknowledged(PrefetchConsumer consumer) {
        return stored.ledger().of(consumer);
    }

    @Override
    public void onLost() {
        stored.onLost();
    }

    @Override
    public void forgetLost() {
        stored.forgetLost();
    }

    @Override
    public boolean onClose() {
        return true;
    }
}

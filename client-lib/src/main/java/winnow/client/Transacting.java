package winnow.client;

import jakarta.jms.JMSException;
import jakarta.jms.TransactionRolledBackException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.client.transport.TransportException;
import winnow.client.transport.WireSession;
import winnow.wire.DeliveryRanges;

/// The transactions of one transacted session, one after the other: what it publishes and what it
/// receives take effect together. Messages of live subscriptions, which the broker does not keep,
/// are acknowledged with the others, and delivered again from the client's memory. Used by the
/// session's thread of control.
final class Transacting {
    private static final Logger LOG = LoggerFactory.getLogger(Transacting.class);

    private final BrokerLink link;
    private final SessionChannel channel;
    private final StoredAcknowledging stored;
    private final Acknowledging live;
    private long count;

    /// The session at the broker that the transaction's messages were published in, null if there
    /// are none.
    private volatile @Nullable WireSession publishing;

    /// Why it is not known whether the transaction has taken effect, null if the broker has not
    /// failed.
    private volatile @Nullable TransportException doubt;

    Transacting(
            BrokerLink link,
            SessionChannel channel,
            StoredAcknowledging stored,
            Acknowledging live) {
        this.link = link;
        this.channel = channel;
        this.stored = stored;
        this.live = live;
    }

    /// Number of the session for a message that is about to be published in the transaction.
    ///
    /// @throws TransactionRolledBackException if the messages before are lost, because the broker
    ///   has refused to begin the session, or if the last commit is refused only now
    /// @throws JMSException if the broker offers no sessions, or has not answered the last commit
    int onPublish() throws JMSException {
        settle();
        requireBegun();
        WireSession session = channel.open();
        publishing = session;
        return session.number();
    }

    private void requireBegun() throws JMSException {
        WireSession session = publishing;
        try {
            if (session != null) {
                session.requireBegun();
            }
        } catch (TransportException e) {
            throw link.wire().hasEnded() ? JmsErrors.of(e) : rolledBack(e);
        }
    }

    /// Makes the transaction take effect; it is on the broker's disk when this returns.
    ///
    /// @throws TransactionRolledBackException if the broker has rolled it back
    /// @throws JMSException if the broker does not answer, its store fails, or the connection ends:
    ///   then it is not known which, and only the broker's late answer or a rollback lets the
    ///   session go on
    void commit() throws JMSException {
        settle();
        requireBegun();
        WireSession session = channel.known();
        DeliveryRanges deliveries = stored.ledger().all();
        if (session != null && (publishing != null || !deliveries.isEmpty())) {
            commit(session, deliveries);
        }
        live.acknowledge();
    }

    private void commit(WireSession session, DeliveryRanges deliveries) throws JMSException {
        count++;
        String name =
                "%s-%d-%d"
                        .formatted(
                                HexFormat.of().toHexDigits(link.wire().id()),
                                session.number(),
                                count);
        try {
            stored.onAsked(session.commit(name, deliveries), deliveries);
        } catch (TransportException e) {
            throw failed(e);
        }
        settle();
    }

    /// Waits for the answer to a commit if it has not come: what belongs to that transaction must
    /// not become part of the next one.
    private void settle() throws JMSException {
        TransportException before = doubt;
        if (before != null) {
            throw JmsErrors.inDoubt(before);
        }
        try {
            if (stored.settle()) {
                publishing = null;
            }
        } catch (TransportException e) {
            throw failed(e);
        }
    }

    private JMSException failed(TransportException e) {
        if (e.local() == null && !link.wire().hasEnded()) {
            if (XAErrors.isRefusal(e)) {
                return rolledBack(e);
            }
            doubt = e;
        }
        return JmsErrors.inDoubt(e);
    }

    private JMSException rolledBack(TransportException cause) {
        try {
            rollback();
        } catch (JMSException e) {
            LOG.warn("could not give back what a transaction had received: {}", e.getMessage());
        }
        return new TransactionRolledBackException(
                "the transaction was rolled back: " + cause.getMessage(), cause.codeName());
    }

    /// Forgets what was published, and makes what was received come again.
    ///
    /// @throws JMSException if the broker does not answer
    void rollback() throws JMSException {
        WireSession session = channel.known();
        doubt = null;
        boolean any = publishing != null || !stored.ledger().isEmpty();
        publishing = null;
        try {
            if (any) {
                stored.giveBack(session);
            }
        } finally {
            live.recover();
        }
    }
}

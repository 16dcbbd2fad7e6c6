package winnow.client;

import jakarta.jms.JMSException;
import jakarta.jms.TransactionRolledBackException;
import java.util.HexFormat;
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
    private volatile boolean published;

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
    /// @throws JMSException if the broker offers no sessions
    int onPublish() throws JMSException {
        int number = channel.open().number();
        published = true;
        return number;
    }

    /// Makes the transaction take effect; it is on the broker's disk when this returns.
    ///
    /// @throws TransactionRolledBackException if the broker has rolled it back
    /// @throws JMSException if the broker does not answer, its store fails, or the connection ends:
    ///   then it is not known which
    void commit() throws JMSException {
        WireSession session = channel.known();
        DeliveryRanges deliveries = stored.ledger().all();
        if (session != null && (published || !deliveries.isEmpty())) {
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
            session.commit(name, deliveries);
        } catch (TransportException e) {
            if (XAErrors.isRefusal(e) && !link.wire().hasEnded()) {
                throw rolledBack(e);
            }
            throw JmsErrors.inDoubt(e);
        }
        published = false;
        stored.ledger().removeAll(deliveries);
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
        boolean any = published || !stored.ledger().isEmpty();
        published = false;
        try {
            if (any) {
                stored.giveBack(session);
            }
        } finally {
            live.recover();
        }
    }
}

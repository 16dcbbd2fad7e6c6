package winnow.client.acknowledge;

import jakarta.jms.JMSException;
import jakarta.jms.TransactionRolledBackException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import winnow.client.error.ErrorCodes;
import winnow.client.error.JmsErrors;
import winnow.client.error.XAErrors;
import winnow.client.link.BrokerLink;
import winnow.client.link.BrokerSession;
import winnow.client.link.Current;
import winnow.client.log.ClientLog;
import winnow.client.transport.Answer;
import winnow.client.transport.WireSession;
import winnow.client.transport.endpoint.LocalFailure;
import winnow.client.transport.endpoint.TransportException;
import winnow.wire.DeliveryRanges;
import winnow.wire.ErrorCode;
import winnow.wire.frame.AskCommit;

/// The transactions of one transacted session, one after the other: what it publishes and what it
/// receives take effect together. Messages of live subscriptions, which the broker does not keep,
/// are acknowledged with the others, and delivered again from the client's memory. Used by the
/// session's thread of control.
final class Transacting {
    private static final Logger LOG = ClientLog.of(Transacting.class);

    private final BrokerLink link;
    private final BrokerSession channel;
    private final StoredAcknowledging stored;
    private final Acknowledging live;

    /// The session at the broker that the transaction's messages were published in, null if there
    /// are none.
    private volatile @Nullable WireSession publishing;

    /// The commit whose outcome is not known, null if there is none.
    private volatile @Nullable Asked asked;

    /// Reason why it is not known whether the transaction has taken effect, null if the broker has
    /// not failed.
    private volatile @Nullable TransportException doubt;

    Transacting(
            BrokerLink link,
            BrokerSession channel,
            StoredAcknowledging stored,
            Acknowledging live) {
        this.link = link;
        this.channel = channel;
        this.stored = stored;
        this.live = live;
    }

    /// @param name of the transaction, by which its outcome can be asked for on another connection
    /// @param sinceNanos on the steady clock
    private record Asked(String name, Current on, long sinceNanos) {
        long ageMillis() {
            return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - sinceNanos);
        }
    }

    /// Number of the session for a message that is about to be published in the transaction.
    ///
    /// @param now the connection that it will be published on
    /// @throws TransactionRolledBackException if the messages before are lost, because the broker
    ///   has refused to begin the session or its connection is lost, or if the last commit is
    ///   refused only now
    /// @throws JMSException if the broker has not answered the last commit
    /// @throws TransportException if the broker offers no sessions
    int onPublish(Current now) throws JMSException, TransportException {
        settle();
        requireKept();
        WireSession session = channel.open(now);
        WireSession before = publishing;
        if (before != null && !before.equals(session)) {
            throw rolledBack(lost());
        }
        publishing = session;
        return session.number();
    }

    private static TransportException lost() {
        return new TransportException(
                LocalFailure.CONNECTION_LOST, "the connection to the broker was lost");
    }

    /// @throws TransactionRolledBackException if something of the transaction is lost
    private void requireKept() throws JMSException {
        WireSession session = publishing;
        if (stored.isLost() || (session != null && session.isGone())) {
            link.requireNotEnded();
            throw rolledBack(lost());
        }
        try {
            if (session != null) {
                session.requireBegun();
            }
        } catch (TransportException e) {
            throw rolledBack(session.isGone() ? lost() : e);
        }
    }

    /// Makes the transaction take effect; it is on the broker's disk when this returns.
    ///
    /// @throws TransactionRolledBackException if the broker has rolled it back, also because the
    ///   connection was lost before
    /// @throws JMSException if the broker does not answer, or its store fails: then it is not known
    ///   which, and only the broker's late answer or a rollback lets the session go on
    void commit() throws JMSException {
        settle();
        requireKept();
        WireSession session = channel.known();
        DeliveryRanges deliveries = stored.ledger().all();
        WireSession published = publishing;
        if (stored.isLost() || (published != null && !published.equals(session))) {
            // Between the looks at what is lost and at what is left.
            throw rolledBack(lost());
        }
        if (session != null && (published != null || !deliveries.isEmpty())) {
            commit(session, deliveries);
        }
        live.acknowledge();
    }

    private void commit(WireSession session, DeliveryRanges deliveries) throws JMSException {
        // A session that was restored a moment ago is on the connection that comes into use.
        Current now = link.connected();
        if (!session.isOn(now.wire())) {
            throw rolledBack(lost());
        }
        Asked asking = new Asked(link.continuity().nextTransaction(), now, System.nanoTime());
        try {
            Answer answer = session.commit(asking.name(), deliveries);
            asked = asking;
            stored.onAsked(answer, deliveries);
        } catch (TransportException e) {
            throw JmsErrors.of(e);
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
        Asked known = asked;
        if (known == null) {
            return;
        }
        try {
            if (!stored.settle()) {
                askAgain(known);
            }
            onCommitted();
        } catch (TransportException e) {
            if (known.on().isLost()) {
                askAgain(known);
                onCommitted();
            } else {
                throw failed(e);
            }
        }
    }

    private void onCommitted() {
        asked = null;
        publishing = null;
        stored.forgetLost();
    }

    /// Asks on another connection what has become of a commit whose connection was lost. Returns if
    /// it has taken effect.
    ///
    /// @throws TransactionRolledBackException if it has not
    /// @throws JMSException if that is not known
    private void askAgain(Asked known) throws JMSException {
        try {
            boolean unused = link.call(now -> ask(known, now));
        } catch (TransactionRolledBackException e) {
            throw e;
        } catch (JMSException e) {
            throw new JMSException(
                    "it is not known whether the transaction took effect: " + e.getMessage(),
                    e.getErrorCode());
        }
    }

    private boolean ask(Asked known, Current now) throws TransportException, JMSException {
        if (!now.wire().remembers(known.on().wire())) {
            throw notKnown("the broker has another store, or cannot tell");
        }
        try {
            now.wire().ask(id -> new AskCommit(id, known.name(), known.ageMillis()));
            return true;
        } catch (TransportException e) {
            if (now.isLost()) {
                throw e;
            }
            if (e.code() == ErrorCode.UNKNOWN_TRANSACTION) {
                throw rolledBack(lost());
            }
            throw notKnown(String.valueOf(e.getMessage()));
        }
    }

    private static JMSException notKnown(String why) {
        return new JMSException(
                "the connection was lost before the broker answered: " + why, ErrorCodes.IN_DOUBT);
    }

    private JMSException failed(TransportException e) {
        if (e.local() == null) {
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
        asked = null;
        boolean any = publishing != null || !stored.ledger().isEmpty();
        publishing = null;
        stored.forgetLost();
        try {
            if (any) {
                stored.giveBack(session);
            }
        } finally {
            live.recover();
        }
    }
}

package winnow.client.acknowledge;

import jakarta.jms.JMSException;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import winnow.client.error.JmsErrors;
import winnow.client.link.BrokerSession;
import winnow.client.log.ClientLog;
import winnow.client.message.WinnowMessage;
import winnow.client.transport.Answer;
import winnow.client.transport.WireSession;
import winnow.client.transport.endpoint.TransportException;
import winnow.wire.DeliveryRanges;

/// The acknowledgement modes for messages that the broker keeps: it is told what was acknowledged,
/// and sends again what was not.
///
/// AUTO_ACKNOWLEDGE tells it with what is written next, DUPS_OK_ACKNOWLEDGE after a quarter of the
/// consumer's window or when nothing else has come. In CLIENT_ACKNOWLEDGE and in transactions the
/// application decides; a message then gives its credit back when it is delivered, so that any
/// number may be unacknowledged.
///
/// Of a message that comes again the broker is told before the application gets it, so that the
/// attempt counts even if the message ends the process (ADR 29).
public final class StoredAcknowledging implements Acknowledging {
    private static final Logger LOG = ClientLog.of(StoredAcknowledging.class);

    /// Part of the window after which DUPS_OK acknowledges.
    private static final int LATE_PART = 4;

    private final BrokerSession channel;
    private final Iterable<? extends PrefetchConsumer> consumers;
    private final int mode;
    private final DeliveryLedger ledger = new DeliveryLedger();

    /// Acknowledgement that has no answer so far, null if there is none.
    private volatile @Nullable Unsettled unsettled;

    /// True if a lost connection has taken deliveries back that the application has received.
    private volatile boolean lost;

    /// Deliveries that DUPS_OK acknowledges later. Guarded by itself, as is what a loss voids.
    private final List<Long> late = new ArrayList<>();

    /// @param consumers the session's
    public StoredAcknowledging(
            BrokerSession channel, Iterable<? extends PrefetchConsumer> consumers, int mode) {
        this.channel = channel;
        this.consumers = consumers;
        this.mode = mode;
    }

    private record Unsettled(Answer answer, DeliveryRanges deliveries) {}

    /// Deliveries that the application has received and not acknowledged.
    public DeliveryLedger ledger() {
        return ledger;
    }

    private boolean isAutomatic() {
        return mode == Session.AUTO_ACKNOWLEDGE || mode == Session.DUPS_OK_ACKNOWLEDGE;
    }

    @Override
    public void onDelivery(PrefetchConsumer consumer, WinnowMessage message) {
        markSeen(message);
        ledger.add(consumer, message);
        if (!isAutomatic()) {
            consumer.onConsumed(message.frameBytes());
        }
    }

    @Override
    public void onReceived(PrefetchConsumer consumer, WinnowMessage message) {
        if (isAutomatic()) {
            markSeen(message);
            acknowledge(consumer, message);
        } else {
            onDelivery(consumer, message);
        }
    }

    private void markSeen(WinnowMessage message) {
        if (message.deliveryCount() > 1) {
            channel.markSeen(message.deliveryId());
        }
    }

    /// The broker says what becomes of expired messages, whatever becomes of a transaction.
    @Override
    public void onExpired(PrefetchConsumer consumer, WinnowMessage message) {
        channel.markExpired(message.deliveryId());
        consumer.onConsumed(message.frameBytes());
    }

    /// A listener that throws gets the message again, as often as the broker allows, if the mode is
    /// automatic; otherwise that changes nothing.
    @Override
    public void onListenerReturn(PrefetchConsumer consumer, WinnowMessage message, boolean failed) {
        if (!isAutomatic()) {
            return;
        }
        if (failed) {
            recoverQuietly();
        } else if (ledger.remove(message.deliveryId())) {
            acknowledge(consumer, message);
        }
    }

    private void recoverQuietly() {
        try {
            recover();
        } catch (JMSException e) {
            LOG.warn("could not give a message back whose listener failed: {}", e.getMessage());
        }
    }

    @Override
    public void onUnusableBody(PrefetchConsumer consumer, WinnowMessage message) {
        if (isAutomatic()) {
            consumer.putBack(List.of(message.undelivered()));
        } else {
            onDelivery(consumer, message);
        }
    }

    private void acknowledge(PrefetchConsumer consumer, WinnowMessage message) {
        if (mode == Session.DUPS_OK_ACKNOWLEDGE) {
            synchronized (late) {
                late.add(message.deliveryId());
                if (late.size() >= consumer.window().messages() / LATE_PART
                        || consumer.isDrained()) {
                    acknowledgeLate();
                }
            }
        } else {
            channel.acknowledgeSoon(message.deliveryId());
        }
        consumer.onConsumed(message.frameBytes());
    }

    /// Acknowledges what DUPS_OK has put off.
    public void acknowledgeLate() {
        synchronized (late) {
            late.forEach(channel::acknowledgeSoon);
            late.clear();
        }
    }

    /// Acknowledges everything that the session has delivered, in CLIENT_ACKNOWLEDGE; it is on the
    /// broker's disk when this returns.
    ///
    /// @throws jakarta.jms.IllegalStateException once, and nothing is acknowledged, if some of that
    ///   comes again because a connection was lost
    @Override
    public void acknowledge() throws JMSException {
        WireSession session = channel.known();
        if (mode == Session.CLIENT_ACKNOWLEDGE) {
            requireNoneLost();
        }
        if (mode != Session.CLIENT_ACKNOWLEDGE || session == null) {
            return;
        }
        try {
            settleBefore();
            DeliveryRanges deliveries = ledger.all();
            if (deliveries.isEmpty()) {
                requireNoneLost();
                return;
            }
            for (DeliveryRanges part : deliveries.parts()) {
                onAsked(session.acknowledge(part), part);
                boolean unused = settle();
            }
        } catch (TransportException e) {
            throw session.isGone() ? JmsErrors.mayComeAgain(e) : JmsErrors.of(e);
        }
    }

    /// Between a look at what is lost and one at what is left, a connection may be lost.
    private void requireNoneLost() throws JMSException {
        if (lost) {
            lost = false;
            throw JmsErrors.comesAgain();
        }
    }

    /// Settles the last acknowledgement; one that the broker has refused may be repeated.
    private void settleBefore() throws TransportException {
        try {
            boolean unused = settle();
        } catch (TransportException e) {
            if (unsettled != null) {
                throw e;
            }
        }
    }

    /// The broker was asked to acknowledge deliveries. They are [settled][#settle] later.
    public void onAsked(Answer answer, DeliveryRanges deliveries) {
        unsettled = new Unsettled(answer, deliveries);
    }

    /// Waits for the answer to what was asked for last, unless it has come. Deliveries that are
    /// acknowledged are forgotten.
    ///
    /// @return whether something was waited for
    /// @throws TransportException if the broker has refused it; if it does not answer, the next
    ///   call waits again
    boolean settle() throws TransportException {
        Unsettled asked = unsettled;
        if (asked == null) {
            return false;
        }
        try {
            asked.answer.await();
            synchronized (late) {
                Unsettled left = unsettled;
                if (left != null) {
                    ledger.removeAll(left.deliveries);
                }
                unsettled = null;
            }
            return true;
        } catch (TransportException e) {
            if (asked.answer.isFinal()) {
                unsettled = null;
            }
            throw e;
        }
    }

    /// The connection is lost: the broker takes everything back, and what is not acknowledged comes
    /// again. No consumer of the session hands a message out that has come before.
    public void onLost() {
        synchronized (late) {
            late.clear();
            lost |= !isAutomatic() && !ledger.isEmpty();
            ledger.clear();
            Unsettled asked = unsettled;
            if (asked != null) {
                // The next connection gives its deliveries the same numbers.
                unsettled = new Unsettled(asked.answer, DeliveryRanges.NONE);
            }
        }
    }

    /// True if a lost connection has taken deliveries back since [#forgetLost].
    boolean isLost() {
        return lost;
    }

    /// Notes that the application knows of what was lost.
    public void forgetLost() {
        lost = false;
    }

    /// Gives back everything that the application has received and not acknowledged, if there is
    /// anything.
    @Override
    public void recover() throws JMSException {
        lost = false;
        if (!ledger.isEmpty()) {
            giveBack(channel.known());
        }
    }

    /// Gives back everything that is not acknowledged, and what was published and not committed.
    /// Messages that wait in the inboxes are void. Thread of control.
    ///
    /// @param session null if it was not begun
    /// @throws JMSException if the broker does not answer: nothing is delivered until it does
    public void giveBack(@Nullable WireSession session) throws JMSException {
        if (session == null) {
            return;
        }
        if (session.isGone()) {
            // It has gone back with the connection, and its credit has gone, too.
            forget();
            return;
        }
        if (session.isRefused()) {
            onGivenBack();
            return;
        }
        acknowledgeLate();
        DeliveryRanges failed = ledger.all();
        for (PrefetchConsumer consumer : consumers) {
            consumer.discardStored();
        }
        returnCredit();
        try {
            session.recover(failed);
        } catch (TransportException e) {
            if (!session.isGone()) {
                throw JmsErrors.of(e);
            }
        } finally {
            forget();
        }
    }

    /// The broker counts the credit of what goes back to it once more. That is noted before the
    /// broker is asked: a GiveBack that follows makes all credit 0, also this.
    private void returnCredit() {
        for (DeliveryLedger.Delivered delivered : ledger.find(ledger.all())) {
            if (isAutomatic()) {
                delivered.consumer().onReturned();
            } else {
                delivered.consumer().onGivenBack(delivered.bytes());
            }
        }
    }

    /// Deliveries that the application has received have gone back to the broker, but for those
    /// that turn out to have been acknowledged before. Thread of control.
    public void onGivenBack() {
        returnCredit();
        forget();
    }

    private void forget() {
        Unsettled asked = unsettled;
        unsettled = null;
        if (asked != null) {
            List<DeliveryLedger.Delivered> doubtful = ledger.find(asked.deliveries);
            asked.answer.whenAccepted(
                    () -> doubtful.forEach(one -> one.consumer().onNotGivenBack(one.bytes())));
        }
        ledger.clear();
    }

    /// Deliveries that the application has received are acknowledged. Thread of control.
    public void onTaken() {
        unsettled = null;
        ledger.clear();
    }

    @Override
    public void onClosed(PrefetchConsumer consumer) {
        acknowledgeLate();
    }
}

package winnow.broker.shard;

import java.util.Collection;
import winnow.broker.shard.PreparedTransaction.Held;
import winnow.broker.shard.StoredConsumer.Delivered;
import winnow.broker.shard.StoredMessage.Headers;
import winnow.store.Durability;
import winnow.wire.MessageBlock;

/// Ends the transactions of a shard: each takes effect by one batch of the log. Owned by the shard.
public final class Transactions {
    private final Shard shard;
    private final PreparedTransactions prepared = new PreparedTransactions();
    private final MessageBlock parsed = new MessageBlock();

    Transactions(Shard shard) {
        this.shard = shard;
    }

    /// Makes all that a local transaction has sent and received take effect.
    ///
    /// @param id by which its client can ask after a lost connection whether it was committed
    ///   ([#committed]); used once
    public void commit(StoredTransaction transaction, String id, Outcome outcome) {
        if (shard.journal().refuses(outcome)) {
            return;
        }
        shard.remember(id);
        for (StoredTransaction.Sent sent : transaction.sent) {
            shard.names().require(shard.journal().batch(), sent.maxNameId);
            append(sent.destination, sent.block, Headers.of(parse(sent.block), sent.recipients, 0));
        }
        for (StoredTransaction.Received received : transaction.received) {
            shard.acknowledge(received.consumer(), received.sequence());
        }
        shard.journal().waitFor(outcome, Durability.SYNCED);
    }

    /// Whether a local transaction with that id was committed lately.
    ///
    /// @param id as it was given to [#commit]
    public boolean committed(String id) {
        return shard.duplicates().contains(id);
    }

    private MessageBlock parse(byte[] block) {
        parsed.parseFields(block, 0, block.length);
        return parsed;
    }

    private void append(StoredDestination destination, byte[] block, Headers headers) {
        shard.intake().append(destination, block, headers, true);
    }

    /// Writes a distributed transaction, so that it can be committed whatever happens
    /// (javax.transaction.xa.XAResource, prepare).
    ///
    /// @throws IllegalArgumentException if there is one with that name
    public void prepare(Xid xid, StoredTransaction transaction, Outcome outcome) {
        if (prepared.contains(xid)) {
            throw new IllegalArgumentException("transaction " + xid + " is prepared already");
        }
        if (shard.journal().refuses(outcome)) {
            return;
        }
        PreparedTransaction made = new PreparedTransaction();
        for (StoredTransaction.Sent sent : transaction.sent) {
            shard.names().require(shard.journal().batch(), sent.maxNameId);
            made.send(
                    new PreparedTransaction.Sent(
                            sent.destination.id(), sent.recipients, sent.block));
        }
        for (StoredTransaction.Received received : transaction.received) {
            Delivered delivered = received.consumer().remove(received.sequence());
            if (delivered != null) {
                made.hold(
                        new Held(
                                received.consumer().subscription().id(),
                                delivered.sequence(),
                                delivered.priority(),
                                delivered.bytes()));
            }
        }
        prepared.add(shard.journal().batch(), xid, made);
        shard.journal().waitFor(outcome, Durability.SYNCED);
    }

    /// Commits a prepared transaction.
    ///
    /// @return false if there is none with that name
    public boolean commit(Xid xid, Outcome outcome) {
        if (!prepared.contains(xid) || shard.journal().refuses(outcome)) {
            return prepared.contains(xid);
        }
        prepared.remove(shard.journal().batch(), xid).ifPresent(this::apply);
        shard.journal().waitFor(outcome, Durability.SYNCED);
        return true;
    }

    private void apply(PreparedTransaction transaction) {
        for (PreparedTransaction.Sent sent : transaction.sent()) {
            shard.catalog()
                    .find(sent.destination)
                    .ifPresent(destination ->
                            append(
                                    destination,
                                    sent.block,
                                    Headers.of(parse(sent.block), sent.recipients, 0)));
        }
        for (Held held : transaction.held()) {
            shard.catalog()
                    .findSubscription(held.subscription())
                    .filter(one -> one.expects(held.sequence()))
                    .ifPresent(one -> shard.end(one, held.sequence(), held.bytes()));
        }
    }

    /// Rolls a prepared transaction back: what it has received comes again.
    ///
    /// @return false if there is none with that name
    public boolean rollback(Xid xid, Outcome outcome) {
        if (!prepared.contains(xid) || shard.journal().refuses(outcome)) {
            return prepared.contains(xid);
        }
        prepared.remove(shard.journal().batch(), xid).ifPresent(this::giveBack);
        shard.journal().waitFor(outcome, Durability.SYNCED);
        return true;
    }

    private void giveBack(PreparedTransaction transaction) {
        for (Held held : transaction.held()) {
            Delivered delivered = new Delivered(held.sequence(), held.priority(), held.bytes());
            shard.catalog()
                    .findSubscription(held.subscription())
                    .filter(one -> one.expects(held.sequence()))
                    .ifPresent(one -> shard.release(one, delivered, Return.FAILED));
        }
    }

    /// The transactions that wait for a decision (XAResource, recover).
    public Collection<Xid> prepared() {
        return prepared.xids();
    }

    /// A row of a prepared transaction was found.
    ///
    /// @throws winnow.store.LogException if it is none
    void recover(byte[] key, byte[] row) {
        prepared.recover(key, row);
    }

    boolean holds(StoredSubscription subscription, long sequence) {
        return prepared.holds(subscription.id(), sequence);
    }
}

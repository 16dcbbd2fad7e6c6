package winnow.broker.shard;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import winnow.broker.shard.PreparedTransaction.Held;
import winnow.broker.shard.StoredConsumer.Delivered;
import winnow.store.Durability;
import winnow.store.LogException;
import winnow.wire.MessageBlock;
import winnow.wire.Xid;

/// Ends the transactions of a shard: each takes effect by one batch of the log. Owned by the shard.
public final class Transactions {
    /// Begins the names of transactions where they are kept with the identifiers of messages. None
    /// of those begins so ([DuplicateIdFinder#find]), and a client chooses the rest as it likes.
    private static final String NAMED = "=";

    /// A client's question, with the age of the transaction, may have been on its way for so long:
    /// later its connection is taken for dead.
    private static final long SLACK_MILLIS = 30_000;

    private final Shard shard;
    private final PreparedTransactions prepared;
    private final MessageBlock parsed = new MessageBlock();

    Transactions(Shard shard) {
        this.shard = shard;
        this.prepared =
                new PreparedTransactions(
                        shard.config().prepared().transactions(), shard.config().preparedHeap());
    }

    /// Makes all that a local transaction has sent and received take effect.
    ///
    /// @param id by which its client can ask after a lost connection whether it was committed
    ///   ([#committed]); used once
    public void commit(StoredTransaction transaction, String id, Outcome outcome) {
        if (refuses(transaction, outcome)) {
            return;
        }
        shard.sentAgain()
                .identifiers()
                .add(shard.journal().batch(), outcome.owner(), name(id), true);
        for (StoredTransaction.Sent sent : transaction.sent) {
            append(sent, outcome.owner());
        }
        for (StoredTransaction.Received received : transaction.received) {
            shard.settlement().acknowledge(received.consumer(), received.sequence());
        }
        shard.journal().waitFor(outcome, Durability.SYNCED);
    }

    private static String name(String id) {
        return id.isEmpty() ? "" : NAMED + id;
    }

    /// Refuses if the log takes no more, or a destination has no room for what is sent to it.
    private boolean refuses(StoredTransaction transaction, Outcome outcome) {
        if (shard.journal().refuses(outcome)) {
            return true;
        }
        int delayed = 0;
        for (StoredTransaction.Sent sent : transaction.sent) {
            MessageHeaders headers = sent.headers.in(shard.time());
            // A message in parts was admitted when it began.
            if (sent.upload == null
                    && shard.admission().refuses(sent.destination, headers, delayed, outcome)) {
                return true;
            }
            delayed += headers.deliveryTime() > shard.nowMillis() ? 1 : 0;
            if (shard.sentAgain()
                    .finder()
                    .refuses(sent.destination, sent.block, sent.headers, outcome)) {
                return true;
            }
        }
        return false;
    }

    /// True if a local transaction with that id was committed lately.
    ///
    /// @param id as it was given to [#commit]
    public boolean committed(String id) {
        return shard.sentAgain().identifiers().contains(name(id));
    }

    /// Tells if a local transaction that is not known may have been committed and forgotten.
    ///
    /// @param owner whose it would be
    /// @param ageMillis so long ago it was committed at most, if it was
    public boolean mayHaveForgotten(String owner, long ageMillis) {
        long millis = shard.nowMillis() - Math.min(ageMillis, shard.nowMillis()) - SLACK_MILLIS;
        return shard.sentAgain().identifiers().mayHaveForgotten(owner, millis);
    }

    /// A prepared transaction keeps its messages in a row of its own, which a body in parts would
    /// not fit into.
    private static boolean refusesParts(StoredTransaction transaction, Outcome outcome) {
        boolean inParts = transaction.sent.stream().anyMatch(sent -> sent.upload != null);
        if (inParts) {
            outcome.onRefused("a distributed transaction cannot send messages in parts");
        }
        return inParts;
    }

    private MessageBlock parse(byte[] block) {
        parsed.parseFields(block, 0, block.length);
        return parsed;
    }

    private void append(StoredTransaction.Sent sent, String owner) {
        Upload upload = sent.upload;
        if (upload == null) {
            append(sent.destination, sent.block, sent.headers.in(shard.time()), owner);
        } else {
            upload.append(Intake.Way.WITH_OTHERS);
        }
    }

    /// Takes a message that was taken for another destination before, whatever the limits say. It
    /// expires when it would have expired there.
    ///
    /// @param from where it was taken before
    /// @param sequence that it has there
    public void forward(
            StoredDestination from,
            long sequence,
            StoredDestination to,
            byte[] block,
            MessageHeaders headers) {
        if (shard.journal().failed()) {
            return;
        }
        StoredMessage before = from.inWindow(sequence);
        MessageHeaders now = headers.in(shard.time());
        if (before == null) {
            MessageOwner owner = shard.reader().ownerOf(from, sequence);
            append(to, block, now, owner == null ? "" : owner.name());
        } else {
            MessageHeaders same = now.expiringAt(before.headers.expiration());
            append(to, block, same, before.ownerName());
        }
    }

    /// Takes a message, unless it was taken before.
    ///
    /// @param owner whose share its memory and its delay take
    void append(StoredDestination destination, byte[] block, MessageHeaders headers, String owner) {
        String id = shard.sentAgain().finder().find(destination, block, headers);
        if (!shard.sentAgain().identifiers().contains(id)) {
            shard.sentAgain().identifiers().add(shard.journal().batch(), owner, id, true);
            shard.intake().append(destination, block, headers, Intake.Way.WITH_OTHERS, null, owner);
        }
    }

    /// Writes a distributed transaction, so that it can be committed whatever happens
    /// (javax.transaction.xa.XAResource, prepare). Refused if there are too many of them.
    ///
    /// @throws IllegalArgumentException if there is one with that name
    public void prepare(Xid xid, StoredTransaction transaction, Outcome outcome) {
        if (prepared.contains(xid)) {
            throw new IllegalArgumentException("transaction " + xid + " is prepared already");
        }
        if (refuses(transaction, outcome) || refusesParts(transaction, outcome)) {
            return;
        }
        long bytes = PreparedTransaction.heapBytes(transaction);
        String owner = outcome.owner();
        String refusal = prepared.refusal(owner, bytes);
        if (refusal != null) {
            outcome.onRefused(refusal);
            return;
        }
        PreparedTransaction made = new PreparedTransaction(owner);
        List<StoredDestination> pinned = new ArrayList<>();
        for (StoredTransaction.Sent sent : transaction.sent) {
            shard.names().require(shard.journal().batch(), sent.headers.maxNameId());
            StoredDestination destination = shard.registry().living(sent.destination);
            // One that is made next must not take its place: it holds nothing yet.
            destination.pinned = true;
            pinned.add(destination);
            shard.registry().keep(destination);
            made.send(
                    new PreparedTransaction.Sent(
                            destination.id(),
                            sent.headers.recipients(),
                            parse(sent.block).expiration() - sent.headers.expiration(),
                            sent.block));
        }
        for (StoredTransaction.Received received : transaction.received) {
            StoredConsumer consumer = received.consumer();
            Delivered delivered = shard.settlement().prepare(consumer, received.sequence());
            if (delivered != null) {
                StoredSubscription subscription = consumer.subscription();
                shard.registry().keep(subscription.destination());
                made.hold(new Held(subscription.id(), delivered));
            }
        }
        prepared.add(shard.journal().batch(), xid, made);
        pinned.forEach(destination -> destination.pinned = false);
        shard.journal().waitFor(outcome, Durability.SYNCED);
    }

    /// Commits a prepared transaction.
    ///
    /// @param unknown called instead of [Outcome#onDone] if there is none with that name
    public void commit(Xid xid, Outcome outcome, Runnable unknown) {
        decide(xid, outcome, unknown, this::apply);
    }

    private void decide(
            Xid xid, Outcome outcome, Runnable unknown, Consumer<PreparedTransaction> decision) {
        if (shard.journal().refuses(outcome)) {
            return;
        }
        if (!prepared.contains(xid)) {
            whenDurable(unknown, outcome::onFailed);
            return;
        }
        prepared.remove(shard.journal().batch(), xid).ifPresent(decision);
        shard.journal().waitFor(outcome, Durability.SYNCED);
    }

    private void apply(PreparedTransaction transaction) {
        for (PreparedTransaction.Sent sent : transaction.sent()) {
            MessageBlock block = parse(sent.block);
            block.expiresEarlierMillis(sent.expiresEarlierMillis);
            MessageHeaders headers =
                    MessageHeaders.of(block, sent.recipients, shard.names().count());
            shard.catalog()
                    .find(sent.destination)
                    .ifPresent(destination ->
                            append(
                                    destination,
                                    sent.block,
                                    headers.in(shard.time()),
                                    transaction.owner()));
        }
        for (Held held : transaction.held()) {
            shard.catalog()
                    .findSubscription(held.subscription())
                    .ifPresent(one -> shard.settlement().acknowledge(one, held.delivered()));
        }
    }

    /// Rolls a prepared transaction back: what it has received comes again.
    ///
    /// @param unknown as of [#commit]
    public void rollback(Xid xid, Outcome outcome, Runnable unknown) {
        decide(xid, outcome, unknown, this::giveBack);
    }

    private void giveBack(PreparedTransaction transaction) {
        for (Held held : transaction.held()) {
            shard.catalog()
                    .findSubscription(held.subscription())
                    .ifPresent(one -> shard.settlement().fail(one, held.delivered()));
        }
    }

    /// The transactions that wait for a decision (XAResource, recover), in their order.
    ///
    /// @param after those behind this one; null for all
    /// @param max so many at most
    /// @param owners of those that are wanted; empty where nobody knows
    /// @param found told of them when the decisions about others are durable
    /// @param failed told instead if the log takes no more
    public void list(
            @Nullable Xid after,
            int max,
            Predicate<String> owners,
            Consumer<List<Xid>> found,
            Consumer<LogException> failed) {
        List<Xid> xids = prepared.xids(after, max, owners);
        whenDurable(() -> found.accept(xids), failed);
    }

    /// A transaction manager forgets a transaction that it is not told of: the decision about it
    /// must be durable by then.
    public void whenDurable(Runnable then, Consumer<LogException> failed) {
        shard.sync(
                new Outcome() {
                    @Override
                    public void onDone() {
                        then.run();
                    }

                    @Override
                    public void onFailed(LogException failure) {
                        failed.accept(failure);
                    }
                });
    }

    /// The transactions that wait for a decision, with what they are about.
    public List<PreparedSummary> summaries(@Nullable Xid after, int max) {
        return prepared.summaries(after, max);
    }

    /// True if a transaction waits for a decision and is of that user.
    public boolean isOf(Xid xid, String owner) {
        PreparedTransaction found = prepared.find(xid);
        return found != null && found.owner().equals(owner);
    }

    /// True if a transaction waits for a decision.
    public boolean isPrepared(Xid xid) {
        return prepared.contains(xid);
    }

    /// Destinations that a prepared transaction sends to, as far as they are still there.
    public List<StoredDestination> destinations(Xid xid) {
        List<StoredDestination> found = new ArrayList<>();
        PreparedTransaction transaction = prepared.find(xid);
        if (transaction != null) {
            for (PreparedTransaction.Sent sent : transaction.sent()) {
                shard.catalog().find(sent.destination).ifPresent(found::add);
            }
        }
        return found;
    }

    /// A row of a prepared transaction was found.
    ///
    /// @throws winnow.store.LogException if it is none
    void recover(byte[] key, byte[] row) {
        prepared.recover(key, row);
    }

    /// Everything has been recovered: groups wait for what prepared transactions have received.
    void onRecovered() {
        prepared.forEachHeld(held -> {
            long group = held.delivered().group();
            if (group != 0) {
                shard.catalog()
                        .findSubscription(held.subscription())
                        .ifPresent(one -> shard.settlement().heldGroups().onAway(one, group));
            }
        });
    }

    /// True if a prepared transaction sends to a destination, or has received from it.
    boolean needs(StoredDestination destination) {
        return prepared.needs(destination);
    }

    /// Number of messages of a subscription that prepared transactions have received.
    public int held(StoredSubscription subscription) {
        return prepared.held(subscription.id());
    }

    boolean holds(StoredSubscription subscription, long sequence) {
        return prepared.holds(subscription.id(), sequence);
    }
}

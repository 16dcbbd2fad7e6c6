package winnow.broker.shard;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import winnow.broker.memory.HeapPart;
import winnow.store.Batch;
import winnow.store.Table;
import winnow.wire.Xid;

/// The transactions that are prepared and wait for the decision of a transaction manager. They
/// survive everything, and hold what they have received until then. Owned by the shard.
final class PreparedTransactions {
    private final TreeMap<Xid, PreparedTransaction> prepared = new TreeMap<>();

    /// Messages that they have received, by subscription.
    private final Map<Integer, Set<Long>> held = new HashMap<>();

    /// Numbers of messages that they send to each destination.
    private final Map<Integer, Integer> sent = new HashMap<>();

    /// Numbers of transactions that users have prepared.
    private final HeapShares<String> counts;

    /// Bytes that these take.
    private final HeapShares<String> bytes;

    /// @param heap that they may take
    PreparedTransactions(int transactions, HeapPart heap) {
        this.counts = HeapShares.ofUsers(HeapPart.alone(transactions));
        this.bytes = HeapShares.ofUsers(heap);
    }

    boolean contains(Xid xid) {
        return prepared.containsKey(xid);
    }

    /// The one with that name, null if there is none.
    @Nullable PreparedTransaction find(Xid xid) {
        return prepared.get(xid);
    }

    /// Reason why there is no room for another one, null if there is. An eighth of what others
    /// leave stays free for users who have none.
    ///
    /// @param newBytes that it takes
    @Nullable String refusal(String owner, long newBytes) {
        if (!counts.hasRoom(owner, 1)) {
            return ("storage.max-prepared is %d: %d are prepared, and %d of them are yours, of %d"
                            + " that a user, or the address of a client without one, may have now;"
                            + " let your transaction manager decide them, or use"
                            + " 'winnow transaction'")
                    .formatted(
                            counts.limitBytes(),
                            counts.bytes(),
                            counts.bytes(owner),
                            counts.share(owner));
        }
        if (!bytes.hasRoom(owner, newBytes)) {
            return ("storage.prepared is %d bytes: prepared transactions take %d, yours %d, of %d"
                            + " that a user, or the address of a client without one, may have now,"
                            + " and one brings %d%s")
                    .formatted(
                            bytes.limitBytes(),
                            bytes.bytes(),
                            bytes.bytes(owner),
                            bytes.share(owner),
                            newBytes,
                            bytes.shortage());
        }
        return null;
    }

    void add(Batch batch, Xid xid, PreparedTransaction transaction) {
        put(xid, transaction);
        batch.put(Table.PREPARED, xid.bytes(), transaction.bytes());
    }

    private void put(Xid xid, PreparedTransaction transaction) {
        prepared.put(xid, transaction);
        counts.add(transaction.owner(), 1);
        bytes.add(transaction.owner(), transaction.heapBytes());
        transaction.sent().forEach(one -> sent.merge(one.destination, 1, Integer::sum));
        for (PreparedTransaction.Held one : transaction.held()) {
            held.computeIfAbsent(one.subscription(), _ -> new HashSet<>()).add(one.sequence());
        }
    }

    /// Takes a transaction out, to commit or to roll it back.
    Optional<PreparedTransaction> remove(Batch batch, Xid xid) {
        PreparedTransaction transaction = prepared.remove(xid);
        if (transaction != null) {
            batch.delete(Table.PREPARED, xid.bytes());
            counts.add(transaction.owner(), -1);
            bytes.add(transaction.owner(), -transaction.heapBytes());
            transaction.held().forEach(this::forget);
            transaction
                    .sent()
                    .forEach(one ->
                            sent.computeIfPresent(
                                    one.destination, (_, count) -> count == 1 ? null : count - 1));
        }
        return Optional.ofNullable(transaction);
    }

    private void forget(PreparedTransaction.Held one) {
        Set<Long> sequences = held.get(one.subscription());
        if (sequences != null && sequences.remove(one.sequence()) && sequences.isEmpty()) {
            held.remove(one.subscription());
        }
    }

    /// The transactions that a transaction manager may ask for after a failure, in their order.
    ///
    /// @param after those behind this one; null for all
    /// @param max so many at most
    /// @param owners of those that are wanted
    List<Xid> xids(@Nullable Xid after, int max, Predicate<String> owners) {
        Map<Xid, PreparedTransaction> all =
                after == null ? prepared : prepared.tailMap(after, false);
        return all.entrySet().stream()
                .filter(one -> owners.test(one.getValue().owner()))
                .limit(max)
                .map(Map.Entry::getKey)
                .toList();
    }

    /// The same, with what they are about.
    List<PreparedSummary> summaries(@Nullable Xid after, int max) {
        List<PreparedSummary> found = new ArrayList<>();
        for (Xid xid : xids(after, max, _ -> true)) {
            PreparedTransaction one = find(xid);
            if (one != null) {
                found.add(
                        new PreparedSummary(
                                xid,
                                one.owner(),
                                one.sent().size(),
                                one.held().size(),
                                one.heapBytes()));
            }
        }
        return found;
    }

    /// Number of messages of a subscription that transactions hold.
    int held(int subscription) {
        return held.getOrDefault(subscription, Set.of()).size();
    }

    /// True if a message is held by a transaction.
    boolean holds(int subscription, long sequence) {
        Set<Long> sequences = held.get(subscription);
        return sequences != null && sequences.contains(sequence);
    }

    /// True if a transaction sends to a destination, or has received from it.
    boolean needs(StoredDestination destination) {
        return sent.containsKey(destination.id())
                || destination.subscriptions().stream().anyMatch(its -> held.containsKey(its.id()));
    }

    /// @param visitor gets the messages that are held
    void forEachHeld(Consumer<PreparedTransaction.Held> visitor) {
        prepared.values().forEach(one -> one.held().forEach(visitor));
    }

    /// A transaction was there when the shard was opened.
    ///
    /// @throws winnow.store.LogException if the row is none
    void recover(byte[] key, byte[] row) {
        PreparedTransaction transaction = PreparedTransaction.read(key, row);
        put(Xid.ofBytes(key), transaction);
    }
}

package winnow.broker.shard;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import winnow.store.Batch;
import winnow.store.Table;

/// The transactions that are prepared and wait for the decision of a transaction manager. They
/// survive everything, and hold what they have received until then. Owned by the shard.
final class PreparedTransactions {
    private final Map<Xid, PreparedTransaction> prepared = new LinkedHashMap<>();

    boolean contains(Xid xid) {
        return prepared.containsKey(xid);
    }

    void add(Batch batch, Xid xid, PreparedTransaction transaction) {
        prepared.put(xid, transaction);
        batch.put(Table.PREPARED, xid.bytes(), transaction.bytes());
    }

    /// Takes a transaction out, to commit or to roll it back.
    Optional<PreparedTransaction> remove(Batch batch, Xid xid) {
        PreparedTransaction transaction = prepared.remove(xid);
        if (transaction != null) {
            batch.delete(Table.PREPARED, xid.bytes());
        }
        return Optional.ofNullable(transaction);
    }

    /// The transactions that a transaction manager may ask for after a failure.
    Collection<Xid> xids() {
        return Collections.unmodifiableSet(prepared.keySet());
    }

    /// Whether a message is held by a transaction.
    boolean holds(int subscription, long sequence) {
        for (PreparedTransaction transaction : prepared.values()) {
            if (transaction.holds(subscription, sequence)) {
                return true;
            }
        }
        return false;
    }

    /// Whether a transaction sends to a destination, or has received of it.
    boolean needs(StoredDestination destination) {
        return prepared.values().stream().anyMatch(one -> one.needs(destination));
    }

    /// A transaction was there when the shard was opened.
    ///
    /// @throws winnow.store.LogException if the row is none
    void recover(byte[] key, byte[] row) {
        prepared.put(Xid.of(key), PreparedTransaction.read(key, row));
    }
}

package winnow.broker.shard;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import winnow.store.LogException;
import winnow.store.Table;

/// Recognises what clients send again after a lost connection, by its identifier or by its number.
/// Owned by the shard.
public final class SentAgain {
    static final byte[] STORE = "store".getBytes(StandardCharsets.UTF_8);

    private final DuplicateWindow identifiers;
    private final DuplicateIdFinder finder;
    private final Instances instances;
    private UUID store = UUID.randomUUID();
    private boolean inLog;

    /// @param propertyNames names of properties by their numbers, from 1
    SentAgain(ShardConfig config, IntFunction<String> propertyNames, ShardTime time) {
        this.identifiers =
                new DuplicateWindow(config.duplicateIds(), config.duplicateHeap(), time::nowMillis);
        this.finder = new DuplicateIdFinder(propertyNames);
        this.instances =
                new Instances(ShardConfig.MAX_INSTANCES, config.instanceHeap(), time::nowMillis);
    }

    /// Tells this store from others. The log gets it when it is asked for.
    public UUID identify(Shard shard) {
        if (!inLog) {
            inLog = true;
            ByteBuffer made = ByteBuffer.allocate(2 * Long.BYTES);
            made.putLong(store.getMostSignificantBits()).putLong(store.getLeastSignificantBits());
            shard.journal().batch().put(Table.META, STORE, made.array());
        }
        return store;
    }

    /// Takes what the log says of that.
    ///
    /// @param row null if there is nothing
    /// @throws LogException if it is not that
    void recover(byte @Nullable [] row) {
        if (row == null) {
            return;
        }
        if (row.length != 2 * Long.BYTES) {
            throw new LogException(
                    LogException.Reason.CORRUPT,
                    "identity of the store: expected 16 bytes, found " + row.length);
        }
        ByteBuffer found = ByteBuffer.wrap(row);
        store = new UUID(found.getLong(), found.getLong());
        inLog = true;
    }

    /// Identifiers of messages and transactions.
    DuplicateWindow identifiers() {
        return identifiers;
    }

    /// Finds the identifier of a message.
    DuplicateIdFinder finder() {
        return finder;
    }

    /// The instances of clients, with the publishes that were taken of each.
    public Instances instances() {
        return instances;
    }
}

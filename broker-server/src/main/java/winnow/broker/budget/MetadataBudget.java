package winnow.broker.budget;

import winnow.broker.matching.RefusedException;
import winnow.broker.memory.BrokerHeap;
import winnow.broker.memory.OwnerShares;
import winnow.wire.ErrorCode;

/// The heap that clients may take for what they register: subscriptions, selectors, producer
/// handles, topics, client identifiers. It is charged by estimates, before anything is kept, to
/// everybody, to its owner, which is the user or the address where clients have no users, and to
/// the connection. Thread-safe.
public final class MetadataBudget {
    private final long ownerBytes;
    private final long connectionBytes;
    private final OwnerShares shares;

    public MetadataBudget(MetadataConfig config, BrokerHeap heap) {
        this.shares =
                new OwnerShares(
                        heap.essentialPart("session.metadata.total", config.effectiveTotalBytes()));
        this.ownerBytes = config.effectiveUserBytes();
        this.connectionBytes = config.effectiveConnectionBytes();
    }

    /// Bytes that are charged now.
    public long usedBytes() {
        return shares.usedBytes();
    }

    /// Bytes that may be charged to all together.
    public long limitBytes() {
        return shares.limitBytes();
    }

    /// Charges all three.
    ///
    /// @param usedByConnection what the connection was charged before
    /// @throws RefusedException if one of them has no room; then nothing is charged
    void charge(String owner, long usedByConnection, long bytes) {
        if (usedByConnection + bytes > connectionBytes) {
            throw refused("this connection", "connection", connectionBytes, usedByConnection);
        }
        if (!shares.take(owner, bytes, ownerBytes)) {
            long used = shares.usedBytes(owner);
            if (used + bytes > ownerBytes) {
                throw refused("this user or address", "user", ownerBytes, used);
            }
            throw refused(
                    "all clients",
                    "total, of which a user or address leaves others an eighth" + shares.shortage(),
                    shares.limitBytes(),
                    shares.usedBytes());
        }
    }

    private static RefusedException refused(String whose, String key, long limit, long used) {
        return new RefusedException(
                ErrorCode.LIMIT_EXCEEDED,
                "subscriptions, selectors, handles and names of "
                        + whose
                        + ": expected at most "
                        + limit
                        + " bytes of heap (session.metadata."
                        + key
                        + "), found "
                        + used
                        + " in use and no room for more");
    }

    /// Takes a charge back.
    void giveBack(String owner, long bytes) {
        shares.giveBack(owner, bytes);
    }
}

package winnow.broker.session;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import winnow.broker.destination.RefusedException;
import winnow.wire.ErrorCode;

/// The heap that clients may take for what they register: subscriptions, selectors, producer
/// handles, topics, client identifiers. It is charged by estimates, before anything is kept, to
/// everybody, to the user and to the connection. Thread-safe.
public final class MetadataBudget {
    private final long totalBytes;
    private final long userBytes;
    private final long connectionBytes;
    private final AtomicLong usedBytes = new AtomicLong();
    private final ConcurrentHashMap<String, Long> usedByUser = new ConcurrentHashMap<>();

    public MetadataBudget(MetadataConfig config) {
        this.totalBytes = config.effectiveTotalBytes();
        this.userBytes = config.effectiveUserBytes();
        this.connectionBytes = config.effectiveConnectionBytes();
    }

    /// Bytes that are charged now.
    public long usedBytes() {
        return usedBytes.get();
    }

    /// Bytes that may be charged to all together.
    public long limitBytes() {
        return totalBytes;
    }

    /// Charges all three.
    ///
    /// @param user empty if clients have no credentials
    /// @param usedByConnection what the connection was charged before
    /// @throws RefusedException if one of them has no room; then nothing is charged
    void charge(String user, long usedByConnection, long bytes) {
        if (usedByConnection + bytes > connectionBytes) {
            throw refused("this connection", "connection", connectionBytes, usedByConnection);
        }
        chargeUser(user, bytes);
        long used = usedBytes.addAndGet(bytes);
        if (used > totalBytes) {
            giveBack(user, bytes);
            throw refused("all clients", "total", totalBytes, used - bytes);
        }
    }

    private void chargeUser(String user, long bytes) {
        if (user.isEmpty()) {
            return;
        }
        usedByUser.compute(
                user,
                (_, known) -> {
                    long used = known == null ? 0 : known;
                    if (used + bytes > userBytes) {
                        throw refused("this user", "user", userBytes, used);
                    }
                    return used + bytes;
                });
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
    void giveBack(String user, long bytes) {
        usedBytes.addAndGet(-bytes);
        if (!user.isEmpty()) {
            usedByUser.computeIfPresent(user, (_, used) -> used == bytes ? null : used - bytes);
        }
    }
}

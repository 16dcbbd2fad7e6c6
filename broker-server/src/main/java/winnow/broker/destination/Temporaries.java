package winnow.broker.destination;

import java.util.concurrent.ConcurrentHashMap;
import winnow.broker.matching.RefusedException;
import winnow.wire.DestinationKind;
import winnow.wire.ErrorCode;
import winnow.wire.Protocol;

/// The temporary destinations that exist, each with the connection that made it. Thread-safe.
public final class Temporaries {
    private final ConcurrentHashMap<Key, Long> owners = new ConcurrentHashMap<>();

    private record Key(DestinationKind kind, String name) {}

    /// True if a name can only be that of a temporary destination.
    public static boolean isTemporary(String name) {
        return name.startsWith(Protocol.TEMPORARY_PREFIX);
    }

    /// The beginning of the names of a connection's temporary destinations.
    public static String prefix(long connectionId) {
        return Protocol.TEMPORARY_PREFIX + "%016x/".formatted(connectionId);
    }

    /// True if a name is that of a temporary destination that has ended.
    public boolean isGone(DestinationKind kind, String name) {
        return isTemporary(name) && !owners.containsKey(new Key(kind, name));
    }

    /// Makes one.
    ///
    /// @throws RefusedException if the name is not one for this connection, or is in use
    public void create(DestinationKind kind, String name, long connectionId) {
        String expected = prefix(connectionId);
        if (!name.startsWith(expected) || name.length() == expected.length()) {
            throw new RefusedException(
                    ErrorCode.INVALID_DESTINATION,
                    "expected a name that begins with " + expected + ", found '" + name + "'");
        }
        if (owners.putIfAbsent(new Key(kind, name), connectionId) != null) {
            throw new RefusedException(
                    ErrorCode.DUPLICATE_ID, "the temporary destination '" + name + "' exists");
        }
    }

    /// Ends one: its name can be used no more.
    ///
    /// @return whether it was there
    public boolean remove(DestinationKind kind, String name) {
        return owners.remove(new Key(kind, name)) != null;
    }

    /// Checks that the connection may use a name, be it that of a temporary destination or not.
    ///
    /// @param connectionId of who wants to consume; 0 for a producer, who may use all there are
    /// @throws RefusedException if it may not
    public void check(DestinationKind kind, String name, long connectionId) {
        if (!isTemporary(name)) {
            return;
        }
        // The same answer whether it exists or not.
        if (connectionId != 0 && !name.startsWith(prefix(connectionId))) {
            throw new RefusedException(
                    ErrorCode.INVALID_DESTINATION,
                    "only the connection that made the temporary destination '"
                            + name
                            + "' may consume from it");
        }
        if (!owners.containsKey(new Key(kind, name))) {
            throw new RefusedException(
                    ErrorCode.INVALID_DESTINATION,
                    "the temporary destination '" + name + "' does not exist any more");
        }
    }
}

package winnow.broker.session;

import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// All connections and the client identifiers in use. Thread-safe.
public final class Connections {
    private static final int COUNTER_BITS = 22;

    private final Set<ClientConnection> open = ConcurrentHashMap.newKeySet();
    private final Set<String> clientIds = ConcurrentHashMap.newKeySet();
    private final AtomicLong nextId;

    /// Transactions that the storage commits or prepares, or that live subscriptions have not all
    /// of; their connections may have gone.
    private final AtomicInteger committing = new AtomicInteger();

    /// @param startMillis time of the broker's start in milliseconds since 1970; makes connection
    ///   ids differ from those of earlier runs
    public Connections(long startMillis) {
        nextId = new AtomicLong(startMillis << COUNTER_BITS);
    }

    long nextId() {
        return nextId.incrementAndGet();
    }

    void add(ClientConnection connection) {
        open.add(connection);
    }

    void remove(ClientConnection connection) {
        open.remove(connection);
    }

    /// Takes a client identifier.
    ///
    /// @return false if another connection has it
    boolean takeClientId(String clientId) {
        return clientIds.add(clientId);
    }

    void releaseClientId(String clientId) {
        clientIds.remove(clientId);
    }

    void onCommitting() {
        committing.incrementAndGet();
    }

    void onCommitted() {
        committing.decrementAndGet();
    }

    /// Whether transactions are being committed, or their messages are not all delivered.
    public boolean areCommitting() {
        return committing.get() > 0;
    }

    /// The same, or messages were read that are not routed yet.
    public boolean areRouting() {
        return areCommitting() || open.stream().anyMatch(ClientConnection::isRouting);
    }

    /// The connections that have passed the handshake or are in it.
    public Collection<ClientConnection> open() {
        return open;
    }
}

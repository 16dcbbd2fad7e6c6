package winnow.broker.session;

import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import winnow.broker.identity.ProvenUser;
import winnow.wire.ErrorCode;

/// All connections and the client identifiers in use. Thread-safe.
public final class Connections {
    private static final int COUNTER_BITS = 22;

    private final Set<ClientConnection> open = ConcurrentHashMap.newKeySet();
    private final Set<String> clientIds = ConcurrentHashMap.newKeySet();
    private final AtomicLong nextId;
    private final ClientInstances instances = new ClientInstances(System::nanoTime);

    /// Transactions that the storage commits or prepares, or that live subscriptions have not all
    /// of; their connections may have gone.
    private final AtomicInteger committing = new AtomicInteger();

    /// Reason for taking no clients at present, empty if there is none.
    private volatile Supplier<String> inactive = () -> "";

    /// @param startMillis time of the broker's start in milliseconds since 1970; makes connection
    ///   ids differ from those of earlier runs
    public Connections(long startMillis) {
        nextId = new AtomicLong(startMillis << COUNTER_BITS);
    }

    /// The clients that can come back.
    ClientInstances instances() {
        return instances;
    }

    /// Clients whose connections were lost and that may come back, for people.
    public Collection<ConnectionInfo> away() {
        return instances.away();
    }

    /// Says from now on why no clients are taken; an empty text means that they are.
    public void inactive(Supplier<String> reason) {
        inactive = reason;
    }

    /// Reason for taking no clients, empty if there is none.
    String inactive() {
        return inactive.get();
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

    /// Closes the connections of users that were removed, and of those whose name belongs to a
    /// password since.
    public void closeRemoved(Authenticator authenticator) {
        instances.endOf(authenticator);
        for (ClientConnection one : open) {
            one.loop()
                    .execute(
                            one,
                            () -> {
                                ProvenUser user = one.identity().proven();
                                if (!authenticator.knows(user)) {
                                    one.goodbye(ErrorCode.NOT_AUTHORIZED, removed(user));
                                }
                            });
        }
    }

    private static String removed(ProvenUser user) {
        return "user '"
                + user.name()
                + (user.proof() == ProvenUser.Proof.PASSWORD
                        ? "' is not in security.users any more"
                        : "' is in security.users now and needs its password");
    }

    /// Permissions were read again: closes the connections that have something which they do not
    /// allow.
    public void checkPermissions() {
        for (ClientConnection one : open) {
            one.loop().execute(one, one::onPermissions);
        }
    }

    /// Closes a connection, whatever it is doing, or forgets a client that is away.
    ///
    /// @return what it was, empty if there is none of that number
    public Optional<CompletionStage<ConnectionInfo>> close(long id) {
        return open.stream()
                .filter(one -> one.id() == id && id != 0)
                .findFirst()
                .<CompletionStage<ConnectionInfo>>map(
                        one -> CompletableFuture.supplyAsync(() -> close(one), one.loop()))
                .or(() ->
                        Optional.ofNullable(instances.end(id))
                                .map(CompletableFuture::completedFuture));
    }

    private static ConnectionInfo close(ClientConnection one) {
        ConnectionInfo info = one.info();
        one.goodbye(ErrorCode.NOT_AUTHORIZED, "an operator has closed the connection");
        return info;
    }

    /// The connections that have passed the handshake or are in it.
    public Collection<ClientConnection> open() {
        return open;
    }
}

package winnow.broker.session;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import winnow.broker.identity.ProvenUser;
import winnow.broker.permission.AuditEvent;
import winnow.broker.security.Authenticator;
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

    /// True if transactions are being committed, or their messages are not all delivered.
    public boolean areCommitting() {
        return committing.get() > 0;
    }

    /// The same, or messages were read that are not routed yet.
    public boolean areRouting() {
        return areCommitting() || open.stream().anyMatch(ClientConnection::isRouting);
    }

    /// Closes the connections of users that were removed, of those whose name belongs to a password
    /// since, and of one whose password was changed, also those that are about to prove it; forgets
    /// their clients that are away. The audit has a line for each.
    ///
    /// @param changed name of the user with a new password, empty if there is none
    /// @return what they were
    public CompletionStage<List<ConnectionInfo>> closeOutdated(
            Authenticator authenticator, String changed) {
        List<CompletableFuture<Optional<ConnectionInfo>>> closing =
                open.stream()
                        .map(one ->
                                CompletableFuture.supplyAsync(
                                        () -> end(one, authenticator, changed), one.loop()))
                        .toList();
        return CompletableFuture.allOf(closing.toArray(CompletableFuture<?>[]::new))
                .thenApply(_ -> {
                    List<ConnectionInfo> ended = new ArrayList<>();
                    closing.forEach(one -> one.join().ifPresent(ended::add));
                    // A connection that was lost before its turn is away by now.
                    for (AwayClient one : instances.endOutdated(authenticator, changed)) {
                        tell(one.info(), reason(one.proven(), authenticator));
                        ended.add(one.info());
                    }
                    return ended;
                });
    }

    private static Optional<ConnectionInfo> end(
            ClientConnection one, Authenticator authenticator, String changed) {
        ProvenUser user = one.identity().proven();
        if (one.closed()) {
            return Optional.empty();
        }
        if (isOutdated(user, authenticator, changed)) {
            ConnectionInfo ended = one.info();
            String reason = reason(user, authenticator);
            one.goodbye(ErrorCode.NOT_AUTHORIZED, reason);
            if (one.id() == 0) {
                return Optional.empty();
            }
            tell(ended, reason);
            return Optional.of(ended);
        }
        if (!changed.isEmpty() && one.identity().claims(changed)) {
            one.goodbye(ErrorCode.AUTHENTICATION_FAILED, Authenticator.WRONG);
        }
        return Optional.empty();
    }

    /// True for a user who has to prove again who it is.
    static boolean isOutdated(ProvenUser user, Authenticator authenticator, String changed) {
        return !authenticator.knows(user) || (!changed.isEmpty() && user.name().equals(changed));
    }

    private static String reason(ProvenUser user, Authenticator authenticator) {
        String name = "user '" + user.name() + "'";
        if (user.proof() != ProvenUser.Proof.PASSWORD) {
            return name + " is in security.users now and needs its password";
        }
        return authenticator.knows(user)
                ? "the password of " + name + " was changed"
                : name + " is not in security.users any more";
    }

    private static void tell(ConnectionInfo ended, String why) {
        AuditEvent.of("revocation")
                .by(ended.user(), ended.address())
                .with("connection", ended.id())
                .with("client", ended.client())
                .log(why);
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

package winnow.broker.session;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import winnow.broker.budget.MetadataAccount;
import winnow.broker.identity.ProvenUser;
import winnow.broker.matching.RefusedException;
import winnow.broker.security.AddressBlock;
import winnow.broker.security.Authenticator;
import winnow.broker.security.LoginResult;
import winnow.broker.security.RefusedCredentials;
import winnow.broker.shard.PublishedNumbers;
import winnow.wire.ErrorCode;
import winnow.wire.PeerDescription;
import winnow.wire.Protocol;
import winnow.wire.Resumption;
import winnow.wire.WireException;
import winnow.wire.bearer.BearerMessage;
import winnow.wire.frame.ControlFrame;
import winnow.wire.scram.ScramServer;
import winnow.wire.scram.ScramVerifier;

/// The answer to a client's Hello: credentials, client identifier, heartbeat. Owned by the
/// connection's event loop; passwords are checked on another thread.
final class Handshake {
    private static final int MIN_HEARTBEAT_MILLIS = 1000;

    private final SessionContext context;
    private final ClientConnection connection;

    /// Null unless credentials are being checked.
    private @Nullable Runnable giveUp;

    private ControlFrame.@Nullable Hello hello;

    /// Null unless the client has to answer a challenge.
    private @Nullable ScramServer exchange;

    /// True if the client's proof has to wait.
    private boolean delayed;

    Handshake(SessionContext context, ClientConnection connection) {
        this.context = context;
        this.connection = connection;
    }

    void onHello(ControlFrame.Hello received) {
        String inactive = context.connections().inactive();
        if (!inactive.isEmpty()) {
            connection.goodbye(ErrorCode.NOT_ACTIVE, inactive);
            return;
        }
        hello = received;
        if (received.mechanism().equals(ScramVerifier.MECHANISM)) {
            beginExchange(received);
            return;
        }
        connection.identity().claim(plainUser(received));
        giveUp =
                context.authenticator()
                        .authenticate(
                                new Authenticator.Credentials(
                                        received.mechanism(),
                                        received.initialResponse(),
                                        connection.peer()),
                                result ->
                                        connection
                                                .loop()
                                                .execute(
                                                        connection,
                                                        () -> onAuthenticated(received, result)));
    }

    private void beginExchange(ControlFrame.Hello received) {
        try {
            ScramServer begun =
                    context.authenticator().scram(received.initialResponse(), connection.peer());
            exchange = begun;
            connection.identity().claim(begun.user());
            connection.write(new ControlFrame.Challenge(begun.first()));
        } catch (RefusedCredentials e) {
            onRefused(String.valueOf(e.getMessage()));
        }
    }

    /// The answer to a challenge.
    ///
    /// @throws WireException if there was none
    void onResponse(ControlFrame.Response response) {
        ScramServer begun = exchange;
        if (begun == null || hello == null) {
            throw new WireException(
                    ErrorCode.UNEXPECTED_FRAME,
                    "expected Response behind a Challenge only, found it without");
        }
        exchange = null;
        try {
            long waitNanos = context.authenticator().takeTurn(begun, connection.peer());
            if (waitNanos == 0) {
                finish(begun, response);
                return;
            }
            delayed = true;
            CompletableFuture.delayedExecutor(waitNanos, TimeUnit.NANOSECONDS, Runnable::run)
                    .execute(() ->
                            connection.loop().execute(connection, () -> finish(begun, response)));
        } catch (RefusedCredentials e) {
            onRefused(String.valueOf(e.getMessage()));
        }
    }

    private void finish(ScramServer begun, ControlFrame.Response response) {
        ControlFrame.Hello received = hello;
        if (connection.closed() || received == null) {
            return;
        }
        try {
            String last = context.authenticator().finish(begun, response.data(), connection.peer());
            connection.write(new ControlFrame.Challenge(last));
            accept(received, ProvenUser.byPassword(begun.user()));
        } catch (RefusedCredentials e) {
            onRefused(String.valueOf(e.getMessage()));
        }
    }

    private void onRefused(String refusal) {
        connection.goodbye(ErrorCode.AUTHENTICATION_FAILED, refusal);
    }

    /// Reason why the handshake has taken too long though Hello came.
    String whyLate() {
        if (connection.seat().isTaken()) {
            return "the client's earlier connection, or the storage, has not ended what it was"
                    + " doing in time; try again, or see transport.handshake-timeout";
        }
        if (delayed) {
            return "the password waits for its turn, because there were many wrong ones for this"
                    + " user from this address; try again, or see transport.handshake-timeout";
        }
        if (hello != null && hello.mechanism().equals(BearerMessage.MECHANISM)) {
            return "the token was not checked in time, because the issuer's keys are being read;"
                    + " try again, or see transport.handshake-timeout";
        }
        if (exchange == null && context.authenticator().asksDirectory()) {
            return "the password was not checked in time, because the directory takes long, or"
                    + " others wait for it; try again, or see transport.handshake-timeout";
        }
        return exchange == null
                ? "the password was not checked in time, because the broker checks others; try"
                        + " again, or see transport.handshake-timeout"
                : "expected Response in time, found none";
    }

    /// The client has gone: its password need not be checked any more.
    void onDisconnected() {
        if (giveUp != null) {
            giveUp.run();
        }
    }

    private void onAuthenticated(ControlFrame.Hello received, LoginResult result) {
        giveUp = null;
        if (connection.closed()) {
            return;
        }
        if (!result.accepted()) {
            connection.goodbye(result.code(), result.refusal());
            return;
        }
        accept(received, result.user());
    }

    private void accept(ControlFrame.Hello received, ProvenUser proven) {
        String clientId = received.clientId();
        String user = proven.name();
        if (!context.authenticator().knows(proven)) {
            // The user was removed after the password had been checked.
            onRefused(Authenticator.WRONG);
            return;
        }
        // Who brings property names and messages: the user where there are users, else the client's
        // address.
        String nameOwner =
                user.isEmpty() ? AddressBlock.network(connection.peer().address()) : user;
        try {
            connection.account().owner(nameOwner);
            PeerDescription said = PeerDescription.parse(received.product());
            connection.identity().charge(identityBytes(clientId, said, proven), said);
            connection.identity().prove(proven);
        } catch (RefusedException e) {
            connection.goodbye(e.code(), String.valueOf(e.getMessage()));
            return;
        }
        RefusedException refused = connection.access().login(user, proven.groups(), clientId);
        if (refused != null) {
            connection.goodbye(refused.code(), String.valueOf(refused.getMessage()));
            return;
        }
        Resumption said = received.resumption();
        if (said == null || !resumes(received)) {
            complete(received, user, nameOwner, PublishedNumbers.none());
        } else if (!connection
                .seat()
                .take(said, user, before -> complete(received, user, nameOwner, before))) {
            connection.goodbye(
                    ErrorCode.DUPLICATE_ID,
                    "the client has come back on a connection with a later attempt");
        }
    }

    /// @param before what was taken of what the client published on earlier connections
    private void complete(
            ControlFrame.Hello received, String user, String nameOwner, PublishedNumbers before) {
        if (!context.authenticator().knows(connection.identity().proven())) {
            // The user was removed while the earlier connection of the client ended: nobody has
            // closed this one, for it had no user then.
            onRefused(Authenticator.WRONG);
            return;
        }
        String clientId = received.clientId();
        AwayClient kept = connection.seat().kept();
        boolean has = clientId.isEmpty() || (kept != null && kept.clientId().equals(clientId));
        if (!has && !takes(clientId, user)) {
            connection.goodbye(
                    ErrorCode.CLIENT_ID_IN_USE,
                    "client identifier '" + clientId + "' is in use by another connection");
            return;
        }
        if (kept != null && !kept.clientId().equals(clientId) && !kept.clientId().isEmpty()) {
            context.connections().releaseClientId(kept.clientId());
        }
        connection.onAccepted(clientId, nameOwner, welcome(received, kept), before);
    }

    private boolean takes(String clientId, String user) {
        Connections connections = context.connections();
        return connections.takeClientId(clientId)
                || (connections.instances().giveWay(clientId, user)
                        && connections.takeClientId(clientId));
    }

    /// Tells if a client can come back.
    private static boolean resumes(ControlFrame.Hello received) {
        long needed = Protocol.STORED | Protocol.RESUME;
        return (received.capabilities() & needed) == needed;
    }

    private static long identityBytes(String clientId, PeerDescription said, ProvenUser proven) {
        return Stream.concat(
                        Stream.of(clientId, said.application(), said.host()),
                        proven.groups().stream())
                .filter(text -> !text.isEmpty())
                .mapToLong(MetadataAccount::textBytes)
                .sum();
    }

    /// User of a PLAIN response, empty if it names none or this is another mechanism.
    private static String plainUser(ControlFrame.Hello received) {
        String[] parts = received.initialResponse().split("\0", -1);
        return received.mechanism().equals(Authenticator.PLAIN) && parts.length == 3
                ? parts[1]
                : "";
    }

    private ControlFrame.Welcome welcome(ControlFrame.Hello received, @Nullable AwayClient kept) {
        boolean resumes = resumes(received);
        return new ControlFrame.Welcome(
                Protocol.MAJOR_VERSION,
                Protocol.MINOR_VERSION,
                Protocol.STORED
                        | Protocol.PARTS
                        | Protocol.RECALL
                        | (resumes ? Protocol.RESUME : 0),
                kept == null ? context.connections().nextId() : kept.connectionId(),
                heartbeatMillis(context.config().heartbeat(), received.heartbeatMillis()),
                context.maxFrameBytes(),
                context.config().producerWindow().toInt(),
                "winnow",
                resumes ? context.storage().identity() : null);
    }

    /// The shorter of both wishes, not below a second; 0 is no wish.
    static int heartbeatMillis(Duration ours, int theirs) {
        int mine = (int) Math.min(ours.toMillis(), Integer.MAX_VALUE);
        int shorter = mine == 0 || theirs == 0 ? Math.max(mine, theirs) : Math.min(mine, theirs);
        return shorter == 0 ? 0 : Math.max(shorter, MIN_HEARTBEAT_MILLIS);
    }
}

package winnow.broker.session;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import winnow.broker.destination.RefusedException;
import winnow.wire.ControlFrame;
import winnow.wire.ErrorCode;
import winnow.wire.Protocol;

/// The answer to a client's Hello: credentials, client identifier, heartbeat. Owned by the
/// connection's event loop; credentials are checked on another thread.
final class Handshake {
    private static final int MIN_HEARTBEAT_MILLIS = 1000;

    private final SessionContext context;
    private final ClientConnection connection;

    /// Null unless credentials are being checked.
    private @Nullable Runnable giveUp;

    Handshake(SessionContext context, ClientConnection connection) {
        this.context = context;
        this.connection = connection;
    }

    void onHello(ControlFrame.Hello hello) {
        giveUp =
                context.authenticator()
                        .authenticate(
                                new Authenticator.Credentials(
                                        hello.mechanism(),
                                        hello.initialResponse(),
                                        connection.address()),
                                refusal ->
                                        connection
                                                .loop()
                                                .execute(
                                                        connection,
                                                        () -> onAuthenticated(hello, refusal)));
    }

    /// The client has gone: its password need not be checked any more.
    void onDisconnected() {
        if (giveUp != null) {
            giveUp.run();
        }
    }

    /// @param refusal empty if the credentials are right
    private void onAuthenticated(ControlFrame.Hello hello, String refusal) {
        giveUp = null;
        if (connection.closed()) {
            return;
        }
        if (!refusal.isEmpty()) {
            connection.goodbye(ErrorCode.AUTHENTICATION_FAILED, refusal);
            return;
        }
        String clientId = hello.clientId();
        try {
            connection.account().user(user(hello));
            connection.chargeClientId(clientId);
        } catch (RefusedException e) {
            connection.goodbye(e.code(), String.valueOf(e.getMessage()));
            return;
        }
        if (!clientId.isEmpty() && !context.connections().takeClientId(clientId)) {
            connection.goodbye(
                    ErrorCode.CLIENT_ID_IN_USE,
                    "client identifier '" + clientId + "' is in use by another connection");
            return;
        }
        connection.onAccepted(clientId, nameOwner(hello), welcome(hello));
    }

    /// Who brings property names: the user where there are users, else the client's address.
    private String nameOwner(ControlFrame.Hello hello) {
        String user = user(hello);
        return user.isEmpty() ? connection.address() : user;
    }

    /// Empty if clients need no credentials.
    private String user(ControlFrame.Hello hello) {
        return context.authenticator().demandsCredentials()
                ? hello.initialResponse().split("\0", -1)[1]
                : "";
    }

    private ControlFrame.Welcome welcome(ControlFrame.Hello hello) {
        return new ControlFrame.Welcome(
                Protocol.MAJOR_VERSION,
                Protocol.MINOR_VERSION,
                0,
                context.connections().nextId(),
                heartbeatMillis(context.config().heartbeat(), hello.heartbeatMillis()),
                context.maxFrameBytes(),
                context.config().producerWindow().toInt(),
                "winnow");
    }

    /// The shorter of both wishes, not below a second; 0 is no wish.
    static int heartbeatMillis(Duration ours, int theirs) {
        int mine = (int) Math.min(ours.toMillis(), Integer.MAX_VALUE);
        int shorter = mine == 0 || theirs == 0 ? Math.max(mine, theirs) : Math.min(mine, theirs);
        return shorter == 0 ? 0 : Math.max(shorter, MIN_HEARTBEAT_MILLIS);
    }
}

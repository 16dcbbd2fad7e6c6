package winnow.client.transport;

import winnow.wire.ControlFrame;
import winnow.wire.Protocol;
import winnow.wire.Resumption;
import winnow.wire.scram.ScramVerifier;

/// Who connects, and how that is proven. Immutable.
///
/// @param mechanism SASL mechanism of a user; without a user it is `ANONYMOUS`
/// @param user empty for none
/// @param heartbeatMillis longest silence that this side wishes for, 0 for no wish
/// @param product name and version of the client, for people
/// @param continuity goes on over the connections that this login makes
public record Login(
        String clientId,
        String mechanism,
        String user,
        String password,
        int heartbeatMillis,
        String product,
        Continuity continuity) {
    /// Mechanisms that prove a user's password, the default first.
    public static final String SCRAM = ScramVerifier.MECHANISM;

    public static final String PLAIN = "PLAIN";

    /// One of a client that was not connected before.
    public Login(
            String clientId,
            String mechanism,
            String user,
            String password,
            int heartbeatMillis,
            String product) {
        this(clientId, mechanism, user, password, heartbeatMillis, product, new Continuity());
    }

    boolean isAnonymous() {
        return user.isEmpty();
    }

    boolean usesScram() {
        return !isAnonymous() && mechanism.equals(SCRAM);
    }

    /// The first frame of a connection.
    ///
    /// @param initialResponse of the mechanism
    ControlFrame.Hello hello(String initialResponse, Resumption resumption) {
        return new ControlFrame.Hello(
                Protocol.STORED | Protocol.PARTS | Protocol.RECALL | Protocol.RESUME,
                clientId,
                isAnonymous() ? "ANONYMOUS" : mechanism,
                initialResponse,
                heartbeatMillis,
                product,
                resumption);
    }

    /// Without the password.
    @Override
    public String toString() {
        return "Login[clientId=%s, user=%s, mechanism=%s]".formatted(clientId, user, mechanism);
    }
}

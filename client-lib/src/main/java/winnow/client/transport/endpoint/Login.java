package winnow.client.transport.endpoint;

import java.util.List;
import winnow.wire.Protocol;
import winnow.wire.Resumption;
import winnow.wire.bearer.BearerMessage;
import winnow.wire.frame.ControlFrame;
import winnow.wire.scram.ScramVerifier;

/// Identity of who connects, and its proof. Immutable.
///
/// @param mechanism SASL mechanism of a user; without a user it is `ANONYMOUS`
/// @param user empty for none
/// @param password of the user, or the token that was read
/// @param heartbeatMillis longest silence that this side wishes for, 0 for no wish
/// @param product name and version of the client, for people
/// @param tokenFile with a bearer token in place of user and password, empty for none
/// @param continuity goes on over the connections that this login makes
public record Login(
        String clientId,
        String mechanism,
        String user,
        String password,
        int heartbeatMillis,
        String product,
        String tokenFile,
        Continuity continuity) {
    /// Mechanisms that prove a user's password, the default first.
    public static final String SCRAM = ScramVerifier.MECHANISM;

    public static final String PLAIN = "PLAIN";

    /// The mechanism of a client that its TLS certificate proves.
    public static final String EXTERNAL = "EXTERNAL";

    /// Mechanisms that a client may be told to use.
    public static final List<String> MECHANISMS = List.of(SCRAM, PLAIN, EXTERNAL);

    /// One of a client that was not connected before.
    public Login(
            String clientId,
            String mechanism,
            String user,
            String password,
            int heartbeatMillis,
            String product) {
        this(clientId, mechanism, user, password, heartbeatMillis, product, "", new Continuity());
    }

    public boolean isAnonymous() {
        return user.isEmpty() && !usesToken() && !mechanism.equals(EXTERNAL);
    }

    /// Tells if a token takes the place of user and password.
    public boolean usesToken() {
        return !tokenFile.isEmpty();
    }

    /// The same with the token that is in its file now.
    ///
    /// @throws TransportException naming the file if there is none
    public Login ready() throws TransportException {
        return usesToken()
                ? new Login(
                        clientId,
                        BearerMessage.MECHANISM,
                        user,
                        TokenFile.read(tokenFile),
                        heartbeatMillis,
                        product,
                        tokenFile,
                        continuity)
                : this;
    }

    public boolean usesScram() {
        return !isAnonymous() && mechanism.equals(SCRAM);
    }

    /// The first frame of a connection.
    ///
    /// @param initialResponse of the mechanism
    public ControlFrame.Hello hello(String initialResponse, Resumption resumption) {
        return new ControlFrame.Hello(
                Protocol.STORED | Protocol.PARTS | Protocol.RECALL | Protocol.RESUME,
                clientId,
                isAnonymous() ? "ANONYMOUS" : mechanism,
                initialResponse,
                heartbeatMillis,
                product,
                resumption);
    }

    /// Without the password and the token.
    @Override
    public String toString() {
        return "Login[clientId=%s, user=%s, mechanism=%s]".formatted(clientId, user, mechanism);
    }
}

package winnow.client.transport;

import org.jspecify.annotations.Nullable;
import winnow.client.transport.endpoint.ConnectionTarget;
import winnow.client.transport.endpoint.Login;
import winnow.client.transport.endpoint.TransportException;
import winnow.wire.ErrorCode;
import winnow.wire.WireException;
import winnow.wire.bearer.BearerMessage;
import winnow.wire.frame.ControlFrame;
import winnow.wire.scram.ScramClient;
import winnow.wire.scram.ScramException;

/// Proves in one connection attempt who connects, and checks whether the broker has proven itself.
/// [#answer] runs on the waiting thread, all else on the event loop; the broker's frames put them
/// in order.
public final class LoginExchange {
    private final Login login;
    private final @Nullable ScramClient scram;
    private int challenges;
    private boolean proven;

    /// @param login ready to be used
    public LoginExchange(Login login) {
        this.login = login;
        scram = login.usesScram() ? new ScramClient(login.user(), login.password()) : null;
        proven = scram == null;
    }

    /// The first frame of the next attempt.
    ControlFrame.Hello hello() {
        return login.hello(initialResponse(), login.continuity().nextAttempt());
    }

    /// The longest that the first frame can be.
    public ControlFrame.Hello longestHello() {
        return login.hello(initialResponse(), login.continuity().longestAttempt());
    }

    private String initialResponse() {
        if (scram != null) {
            return scram.first();
        }
        if (login.usesToken()) {
            return BearerMessage.of(login.password()).text();
        }
        if (login.mechanism().equals(Login.EXTERNAL)) {
            return login.user();
        }
        return login.isAnonymous() ? "" : "\0" + login.user() + "\0" + login.password();
    }

    /// A challenge came.
    ///
    /// @return whether [#answer] has to be called, off the event loop because it takes long
    /// @throws WireException if there is no challenge now
    /// @throws TransportException if the broker does not know the password
    boolean onChallenge(ControlFrame.Challenge challenge) throws TransportException {
        challenges++;
        if (scram == null || challenges > 2) {
            throw new WireException(
                    ErrorCode.UNEXPECTED_FRAME,
                    "expected Welcome, found challenge %d of mechanism %s"
                            .formatted(challenges, login.mechanism()));
        }
        if (challenges == 1) {
            return true;
        }
        try {
            scram.verify(challenge.data());
            proven = true;
            return false;
        } catch (ScramException e) {
            throw unproven(e);
        }
    }

    /// The answer to the first challenge.
    ControlFrame.Response answer(ControlFrame.Challenge challenge) throws TransportException {
        if (scram == null) {
            throw new IllegalStateException("no challenge is answered without SCRAM");
        }
        try {
            return new ControlFrame.Response(scram.last(challenge.data()));
        } catch (ScramException e) {
            throw unproven(e);
        }
    }

    /// Welcome came.
    ///
    /// @throws TransportException if the broker has not proven that it knows the password
    void requireProof() throws TransportException {
        if (!proven) {
            throw new TransportException(
                    ErrorCode.AUTHENTICATION_FAILED,
                    "expected a proof that the broker knows the password of '%s', found none: it"
                                    .formatted(ConnectionTarget.shortened(login.user()))
                            + " accepts anybody");
        }
    }

    private static TransportException unproven(ScramException e) {
        return new TransportException(
                ErrorCode.AUTHENTICATION_FAILED, String.valueOf(e.getMessage()));
    }
}

package winnow.client.transport.connect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import winnow.client.transport.endpoint.BrokerHost;
import winnow.client.transport.endpoint.ConnectionLimits;
import winnow.client.transport.endpoint.ConnectionTarget;
import winnow.client.transport.endpoint.LocalFailure;
import winnow.client.transport.endpoint.Login;
import winnow.client.transport.endpoint.RetryTerms;
import winnow.client.transport.endpoint.RoundLimit;
import winnow.client.transport.endpoint.SocketTerms;
import winnow.client.transport.endpoint.TransportException;
import winnow.wire.ErrorCode;

/// Reasons that end the rounds, and others that do not.
class FailedRoundsTest {
    private static final BrokerHost A = new BrokerHost("a", 61616);
    private static final BrokerHost B = new BrokerHost("b", 61616);
    private static final BrokerHost C = new BrokerHost("c", 61616);
    private static final RetryTerms FIRST =
            new RetryTerms(RoundLimit.of(-1), 10, 2, 30_000, 0, false);
    private static final RetryTerms RETURNING = FIRST.returning(-1);

    private static FailedAttempt failed(BrokerHost host, LocalFailure reason) {
        return new FailedAttempt(host, "", new TransportException(reason, "it failed"));
    }

    private static FailedAttempt refused(BrokerHost host, ErrorCode code) {
        return new FailedAttempt(host, "", new TransportException(code, "it refused"));
    }

    private static boolean goesOn(RetryTerms terms, FailedAttempt... last) {
        ConnectionTarget target =
                new ConnectionTarget(
                        Arrays.stream(last).map(FailedAttempt::host).distinct().toList(),
                        terms,
                        new Login("", Login.SCRAM, "", "", 0, "test"),
                        new ConnectionLimits(10_000, 10_000, 1 << 20),
                        1,
                        SocketTerms.USUAL,
                        null);
        return new FailedRounds(target, 1, 1, List.of(last)).mayBeRepeated();
    }

    @Test
    void shouldComeBackWhileOneOfTheHostsMayLeadSoon() {
        FailedAttempt away = failed(A, LocalFailure.CONNECT_FAILED);
        FailedAttempt follower = refused(B, ErrorCode.NOT_ACTIVE);
        FailedAttempt untrusted = failed(C, LocalFailure.TLS_FAILED);

        assertThat(goesOn(RETURNING, away, follower, untrusted)).isTrue();
        assertThat(goesOn(RETURNING, away, untrusted)).isTrue();
        assertThat(goesOn(RETURNING, follower, untrusted)).isTrue();
        assertThat(goesOn(RETURNING, untrusted)).isFalse();
        assertThat(goesOn(FIRST, away, follower, untrusted)).isFalse();
        assertThat(goesOn(FIRST, away, follower)).isTrue();
    }

    @Test
    void shouldNotTakeTheOtherAddressOfAWrongHostForAnotherOne() {
        FailedAttempt away = failed(A, LocalFailure.CONNECT_FAILED);
        FailedAttempt untrusted = failed(A, LocalFailure.TLS_FAILED);

        assertThat(goesOn(RETURNING, away, untrusted)).isFalse();
    }

    @Test
    void shouldEndWhenABrokerRefuses() {
        FailedAttempt away = failed(A, LocalFailure.CONNECT_FAILED);
        FailedAttempt refused = refused(B, ErrorCode.AUTHENTICATION_FAILED);

        assertThat(goesOn(RETURNING, away, refused)).isFalse();
    }

    /// The directory that has to say if the password is right may answer soon.
    @Test
    void shouldGoOnWhilePasswordsCannotBeChecked() {
        FailedAttempt undecided = refused(A, ErrorCode.AUTHENTICATION_UNAVAILABLE);

        assertThat(goesOn(RETURNING, undecided)).isTrue();
        assertThat(goesOn(FIRST, undecided)).isTrue();
    }
}

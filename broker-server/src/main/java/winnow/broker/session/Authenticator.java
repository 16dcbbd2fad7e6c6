package winnow.broker.session;

import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import winnow.wire.scram.ScramException;
import winnow.wire.scram.ScramServer;
import winnow.wire.scram.ScramVerifier;

/// Checks credentials by SASL mechanism: `SCRAM-SHA-256` and `PLAIN` against the user file,
/// `ANONYMOUS` only if there is none. `PLAIN` is taken only where nobody else can read the
/// password. Counts and logs failures. Thread-safe.
public final class Authenticator implements AutoCloseable {
    static final String WRONG = "user or password is wrong";

    private final boolean allowPlainTextPasswords;
    private final AuthenticationFailures failures;
    private final GuessLimit guesses;
    private final @Nullable PasswordChecks passwords;
    private volatile @Nullable UserFile currentUsers;

    /// @param users null if clients need no credentials, for ever
    /// @param allowPlainTextPasswords whether passwords are taken that others may have read
    /// @param failed counts failures
    public Authenticator(
            @Nullable UserFile users, boolean allowPlainTextPasswords, LongAdder failed) {
        this(users, allowPlainTextPasswords, failed, System::nanoTime);
    }

    Authenticator(
            @Nullable UserFile users,
            boolean allowPlainTextPasswords,
            LongAdder failed,
            LongSupplier nanoClock) {
        this.allowPlainTextPasswords = allowPlainTextPasswords;
        currentUsers = users;
        passwords = users == null ? null : new PasswordChecks(this::matches);
        failures = new AuthenticationFailures(failed);
        guesses = new GuessLimit(nanoClock);
    }

    /// What a client gives.
    ///
    /// @param mechanism name of a SASL mechanism
    /// @param response the mechanism's initial response
    /// @param peer where it comes from
    public record Credentials(String mechanism, String response, Peer peer) {}

    /// Where a client is.
    ///
    /// @param address without its port
    /// @param confidential whether nobody else can read what it sends: by TLS or on this machine
    public record Peer(String address, boolean confidential) {}

    /// Whether clients need credentials.
    public boolean demandsCredentials() {
        return passwords != null;
    }

    /// True if a user may be connected: always where clients need no credentials.
    boolean knows(String user) {
        UserFile users = currentUsers;
        return users == null || users.has(user);
    }

    /// Replaces the users. Connections that are open stay, until [Connections#closeRemoved].
    ///
    /// @throws IllegalStateException if clients need no credentials
    public void users(UserFile users) {
        PasswordChecks checks = passwords;
        if (checks == null) {
            throw new IllegalStateException(
                    "expected a broker with security.users at its start, found one without");
        }
        UserFile before = currentUsers;
        currentUsers = before == null ? users : users.after(before);
        checks.forget();
    }

    private boolean matches(String user, String password) {
        UserFile users = currentUsers;
        return users != null && users.matches(user, password);
    }

    /// Begins an exchange of SCRAM-SHA-256, which takes microseconds.
    ///
    /// @throws RefusedCredentials saying why not
    ScramServer scram(String clientFirst, Peer peer) throws RefusedCredentials {
        UserFile users = currentUsers;
        if (users == null) {
            throw refusal(
                    peer,
                    "",
                    "this broker has no users (security.users), so it cannot prove that it knows"
                            + " yours: connect without user and password");
        }
        try {
            return new ScramServer(clientFirst, users::verifier);
        } catch (ScramException e) {
            throw refusal(peer, "", String.valueOf(e.getMessage()));
        }
    }

    /// Time that the end of an exchange has to wait, in nanoseconds, because somebody guesses the
    /// user's password.
    ///
    /// @throws RefusedCredentials if too many wait
    long takeTurn(ScramServer exchange, Peer peer) throws RefusedCredentials {
        try {
            return guesses.takeTurn(peer.address(), exchange.user());
        } catch (RefusedCredentials e) {
            failures.onFailure(peer.address(), exchange.user(), String.valueOf(e.getMessage()));
            throw e;
        }
    }

    /// Ends an exchange, when its [turn][#takeTurn] has come.
    ///
    /// @return the last message for the client
    /// @throws RefusedCredentials if the client's proof is wrong
    String finish(ScramServer exchange, String clientFinal, Peer peer) throws RefusedCredentials {
        String last;
        try {
            last = exchange.last(clientFinal);
        } catch (ScramException e) {
            throw refusal(peer, exchange.user(), String.valueOf(e.getMessage()));
        }
        if (last.isEmpty()) {
            guesses.onWrong(peer.address(), exchange.user());
            throw refusal(peer, exchange.user(), WRONG);
        }
        return last;
    }

    private RefusedCredentials refusal(Peer peer, String user, String why) {
        failures.onFailure(peer.address(), user, why);
        return new RefusedCredentials(why);
    }

    /// Checks credentials that need no exchange and tells the result once, on any thread, maybe
    /// before it returns: empty if they are right, else why not.
    ///
    /// @return gives the attempt up, for a client that has gone; then the result may not be told
    public Runnable authenticate(Credentials credentials, Consumer<String> result) {
        String mechanism = credentials.mechanism();
        boolean plain = mechanism.equals("PLAIN");
        boolean anonymous = mechanism.equals("ANONYMOUS");
        if (!plain && !anonymous) {
            return refuse(
                    credentials,
                    "expected the mechanism %s, PLAIN or ANONYMOUS, found '%s'"
                            .formatted(ScramVerifier.MECHANISM, mechanism),
                    result);
        }
        PasswordChecks checks = passwords;
        if (checks == null) {
            result.accept("");
            return () -> {};
        }
        if (anonymous) {
            return refuse(credentials, "this broker demands a user and a password", result);
        }
        if (!takesPlainFrom(credentials.peer())) {
            return refuse(
                    credentials,
                    "PLAIN sends the password in clear text, which others may have read: use TLS or"
                            + " %s, or set security.allow-plain-text-passwords=true on the broker"
                                    .formatted(ScramVerifier.MECHANISM),
                    result);
        }
        return check(checks, credentials, result);
    }

    /// Whether a password in clear text is taken from there.
    public boolean takesPlainFrom(Peer peer) {
        return peer.confidential() || allowPlainTextPasswords;
    }

    /// RFC 4616. A user may act as itself only.
    private Runnable check(
            PasswordChecks checks, Credentials credentials, Consumer<String> result) {
        String[] parts = credentials.response().split("\0", -1);
        if (parts.length != 3) {
            return refuse(
                    credentials,
                    "PLAIN: expected authorisation id, user and password separated by NUL",
                    result);
        }
        String user = parts[1];
        if (!parts[0].isEmpty() && !parts[0].equals(user)) {
            return refuse(
                    credentials,
                    "PLAIN: expected no authorisation id or the user's own, found '"
                            + parts[0]
                            + "'",
                    result);
        }
        String address = credentials.peer().address();
        return checks.check(
                user,
                parts[2],
                AddressBlock.of(address),
                refusal -> {
                    if (!refusal.isEmpty()) {
                        failures.onFailure(address, user, refusal);
                    }
                    result.accept(refusal);
                });
    }

    private Runnable refuse(Credentials credentials, String why, Consumer<String> result) {
        failures.onFailure(credentials.peer().address(), "", why);
        result.accept(why);
        return () -> {};
    }

    @Override
    public void close() {
        if (passwords != null) {
            passwords.close();
        }
    }
}

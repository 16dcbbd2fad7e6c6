package winnow.broker.session;

import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Checks credentials by SASL mechanism: `PLAIN` against the user file, `ANONYMOUS` only if there
/// is none. Counts and logs failures. Thread-safe.
public final class Authenticator implements AutoCloseable {
    private final @Nullable PasswordChecks passwords;
    private volatile @Nullable UserFile currentUsers;
    private final AuthenticationFailures failures;

    /// @param users null if clients need no credentials, for ever
    /// @param failed counts failures
    public Authenticator(@Nullable UserFile users, LongAdder failed) {
        currentUsers = users;
        passwords = users == null ? null : new PasswordChecks(this::matches);
        failures = new AuthenticationFailures(failed);
    }

    /// What a client gives.
    ///
    /// @param mechanism name of a SASL mechanism
    /// @param response the mechanism's initial response
    /// @param address where the client is
    public record Credentials(String mechanism, String response, String address) {}

    /// Replaces the users. Connections that are open stay.
    ///
    /// @throws IllegalStateException if clients need no credentials
    public void users(UserFile users) {
        PasswordChecks checks = passwords;
        if (checks == null) {
            throw new IllegalStateException(
                    "expected a broker with security.users at its start, found one without");
        }
        currentUsers = users;
        checks.forget();
    }

    private boolean matches(String user, String password) {
        UserFile users = currentUsers;
        return users != null && users.matches(user, password);
    }

    /// Whether clients need credentials.
    public boolean demandsCredentials() {
        return passwords != null;
    }

    /// Checks credentials and tells the result once, on any thread, maybe before it returns: empty
    /// if they are right, else why not.
    ///
    /// @return gives the attempt up, for a client that has gone; then the result may not be told
    public Runnable authenticate(Credentials credentials, Consumer<String> result) {
        String mechanism = credentials.mechanism();
        boolean plain = mechanism.equals("PLAIN");
        boolean anonymous = mechanism.equals("ANONYMOUS");
        if (!plain && !anonymous) {
            return refuse(
                    credentials,
                    "expected the mechanism PLAIN or ANONYMOUS, found '" + mechanism + "'",
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
        return check(checks, credentials, result);
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
        return checks.check(
                user,
                parts[2],
                credentials.address(),
                refusal -> {
                    if (!refusal.isEmpty()) {
                        failures.onFailure(credentials.address(), user, refusal);
                    }
                    result.accept(refusal);
                });
    }

    private Runnable refuse(Credentials credentials, String why, Consumer<String> result) {
        failures.onFailure(credentials.address(), "", why);
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

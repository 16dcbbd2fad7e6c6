package winnow.broker.session;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Checks credentials by SASL mechanism: `PLAIN` against the user file, `ANONYMOUS` only if there
/// is none. Thread-safe.
public final class Authenticator implements AutoCloseable {
    private final @Nullable PasswordChecks passwords;

    /// @param users null if clients need no credentials
    public Authenticator(@Nullable UserFile users) {
        passwords = users == null ? null : new PasswordChecks(users::matches);
    }

    /// What a client gives.
    ///
    /// @param mechanism name of a SASL mechanism
    /// @param response the mechanism's initial response
    /// @param address where the client is
    public record Credentials(String mechanism, String response, String address) {}

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
        String refusal;
        if (!plain && !anonymous) {
            refusal = "expected the mechanism PLAIN or ANONYMOUS, found '" + mechanism + "'";
        } else if (passwords == null) {
            refusal = "";
        } else if (anonymous) {
            refusal = "this broker demands a user and a password";
        } else {
            String[] parts = credentials.response().split("\0", -1);
            if (parts.length == 3) {
                return passwords.check(parts[1], parts[2], credentials.address(), result);
            }
            refusal = "PLAIN: expected authorisation id, user and password separated by NUL";
        }
        result.accept(refusal);
        return () -> {};
    }

    @Override
    public void close() {
        if (passwords != null) {
            passwords.close();
        }
    }
}

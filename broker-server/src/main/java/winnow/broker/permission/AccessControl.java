package winnow.broker.permission;

import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import winnow.broker.fault.KeyedQuota;

/// The permissions in force, and what becomes of logins and refusals: the audit is told of them at
/// a limited rate for each user, and refusals are counted. Thread-safe.
public final class AccessControl {
    private final Consumer<Permission> counter;
    private final KeyedQuota refusals = new KeyedQuota();
    private final KeyedQuota logins = new KeyedQuota();

    /// Null where everybody may do everything.
    private volatile @Nullable Permissions current;

    /// @param permissions null if there is no file
    /// @param counter counts refusals
    public AccessControl(@Nullable Permissions permissions, Consumer<Permission> counter) {
        this.current = permissions;
        this.counter = counter;
    }

    /// One that allows everything.
    public static AccessControl none() {
        return new AccessControl(null, _ -> {});
    }

    /// User, address and connection that ask for something.
    ///
    /// @param user empty if the broker has no users
    /// @param connection its number, empty for a request by HTTP
    public record Asker(String user, String address, String connection) {}

    /// The permissions in force, null where everybody may do everything.
    public @Nullable Permissions current() {
        return current;
    }

    /// Puts others into force.
    public void use(@Nullable Permissions next) {
        current = next;
    }

    /// Permissions of a user by the file in force.
    ///
    /// @param foreign groups that others say the user is in
    public UserPermissions of(String user, Set<String> foreign) {
        Permissions permissions = current;
        return permissions == null ? UserPermissions.all() : permissions.of(user, foreign);
    }

    /// Tells the audit that a user has connected.
    ///
    /// @param client its identifier, empty for none
    public void onLogin(Asker asker, String client) {
        long omitted = logins.take(asker.user());
        if (omitted >= 0) {
            AuditEvent.of("login")
                    .by(asker.user(), asker.address())
                    .with("connection", asker.connection())
                    .with("client", client)
                    .with("omitted", omitted == 0 ? "" : String.valueOf(omitted))
                    .log("user '" + asker.user() + "' has connected");
        }
    }

    /// Counts a refusal and tells the audit.
    ///
    /// @return why, for the user: it depends on nothing but the question
    public String refuse(Asker asker, Permission operation, ProtectedKind kind, String name) {
        counter.accept(operation);
        long omitted = refusals.take(asker.user());
        if (omitted >= 0) {
            AuditEvent.of("refusal")
                    .by(asker.user(), asker.address())
                    .with("connection", asker.connection())
                    .with("operation", operation.text())
                    .with("kind", kind.text())
                    .with("object", name)
                    .with("omitted", omitted == 0 ? "" : String.valueOf(omitted))
                    .log("user '" + asker.user() + "' may not " + operation.on(kind, name));
        }
        return refusal(asker.user(), operation, kind, name);
    }

    /// Reason why something is refused.
    public static String refusal(
            String user, Permission operation, ProtectedKind kind, String name) {
        return "user '%s' may not %s: no rule of security.permissions allows '%s'; ask for one"
                .formatted(user, operation.on(kind, name), operation.text());
    }
}

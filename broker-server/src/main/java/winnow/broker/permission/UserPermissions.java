package winnow.broker.permission;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Permissions of one user. Immutable.
public final class UserPermissions {
    /// The line of a rule where there is none.
    public static final int NO_LINE = 0;

    private static final UserPermissions ALL = new UserPermissions("", null);

    private final String user;

    /// Null if everything is allowed.
    private final @Nullable Map<Permission, List<PermissionRule>> rules;

    UserPermissions(String user, @Nullable Map<Permission, List<PermissionRule>> rules) {
        this.user = user;
        this.rules = rules == null ? null : Collections.unmodifiableMap(copy(rules));
    }

    private static Map<Permission, List<PermissionRule>> copy(
            Map<Permission, List<PermissionRule>> rules) {
        Map<Permission, List<PermissionRule>> copy = new EnumMap<>(Permission.class);
        copy.putAll(rules);
        return copy;
    }

    /// Permissions of everybody where there is no file.
    public static UserPermissions all() {
        return ALL;
    }

    /// True if nothing is ever refused.
    public boolean allowEverything() {
        return rules == null;
    }

    private List<PermissionRule> rules(Permission operation) {
        return rules == null ? List.of() : rules.getOrDefault(operation, List.of());
    }

    /// True if an operation is allowed.
    ///
    /// @param client identifier of the client that asks, empty if there is none
    public boolean allow(Permission operation, ProtectedKind kind, String name, String client) {
        return rules == null || line(operation, kind, name, client) != NO_LINE;
    }

    /// The same without a client.
    public boolean allow(Permission operation, ProtectedKind kind, String name) {
        return allow(operation, kind, name, "");
    }

    /// True if an operation on the broker as a whole is allowed.
    public boolean allow(Permission operation) {
        return allow(operation, ProtectedKind.BROKER, "", "");
    }

    /// Line of the first rule that allows an operation, [#NO_LINE] if none does.
    public int line(Permission operation, ProtectedKind kind, String name, String client) {
        if (operation.isAbout(kind)) {
            for (PermissionRule rule : rules(operation)) {
                if (rule.allowsOn(kind, name, user, client)) {
                    return rule.line();
                }
            }
        }
        return NO_LINE;
    }

    /// True if an operation is allowed on anything.
    public boolean allowAny(Permission operation) {
        return rules == null || !rules(operation).isEmpty();
    }

    /// True if an operation is allowed on all objects of a kind, because a pattern is `*`.
    public boolean allowAll(Permission operation, ProtectedKind kind) {
        return rules == null || rules(operation).stream().anyMatch(rule -> rule.allowsOnAll(kind));
    }
}

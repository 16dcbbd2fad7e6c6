package winnow.broker.permission;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import winnow.wire.Protocol;

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

    /// Line of the first rule that allows an operation, [#NO_LINE] if none does. Queues that the
    /// broker keeps for something else have rules of their own: `*` does not mean them.
    public int line(Permission operation, ProtectedKind kind, String name, String client) {
        if (kind == ProtectedKind.QUEUE && name.startsWith(Protocol.DELAYED_PREFIX)) {
            return lineOfDelayed(operation, name, client);
        }
        if (kind == ProtectedKind.QUEUE && name.startsWith(Protocol.TEMPORARY_PREFIX)) {
            return lineOfTemporary(operation, name, client);
        }
        return line(operation, kind, name, client, "");
    }

    /// Delayed messages of a topic are shown to those who may see the topic's.
    private int lineOfDelayed(Permission operation, String name, String client) {
        String topic = name.substring(Protocol.DELAYED_PREFIX.length());
        return switch (operation) {
            case VIEW, BROWSE -> line(operation, ProtectedKind.TOPIC, topic, client, "");
            case CREATE, DELETE, EDIT -> lineOfAdmin();
            default -> line(operation, ProtectedKind.QUEUE, name, client, "");
        };
    }

    /// Replies are for the connection that has made the queue.
    private int lineOfTemporary(Permission operation, String name, String client) {
        return switch (operation) {
            case BROWSE, DELETE, EDIT -> {
                int line =
                        line(
                                operation,
                                ProtectedKind.QUEUE,
                                name,
                                client,
                                Protocol.TEMPORARY_PREFIX);
                yield line == NO_LINE ? lineOfAdmin() : line;
            }
            default -> line(operation, ProtectedKind.QUEUE, name, client, "");
        };
    }

    private int lineOfAdmin() {
        return line(Permission.ADMIN, ProtectedKind.BROKER, "", "", "");
    }

    /// @param prefix that the pattern begins with
    private int line(
            Permission operation, ProtectedKind kind, String name, String client, String prefix) {
        if (operation.isAbout(kind)) {
            for (PermissionRule rule : rules(operation)) {
                if (rule.allowsOn(kind, name, user, client, prefix)) {
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

package winnow.broker.permission;

import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A rule of the file: who may do what on which objects. Immutable.
///
/// @param line of the file
/// @param who users and groups, or [PermissionFile#EVERYBODY]
public record PermissionRule(
        int line, List<String> who, Set<Permission> may, Map<ProtectedKind, ObjectPatterns> on) {
    public PermissionRule {
        who = List.copyOf(who);
        may = Collections.unmodifiableSet(EnumSet.copyOf(may));
        Map<ProtectedKind, ObjectPatterns> copy = new EnumMap<>(ProtectedKind.class);
        copy.putAll(on);
        on = Collections.unmodifiableMap(copy);
    }

    /// The patterns for a kind of objects as they are written, empty if it has none.
    public List<String> patterns(ProtectedKind kind) {
        ObjectPatterns found = on.get(kind);
        return found == null ? List.of() : found.texts();
    }

    /// True if it allows an operation that it lists on that object.
    ///
    /// @param prefix that the pattern begins with, empty for any pattern
    boolean allowsOn(ProtectedKind kind, String name, String user, String client, String prefix) {
        if (kind == ProtectedKind.BROKER) {
            return true;
        }
        @Nullable ObjectPatterns patterns = on.get(kind);
        return patterns != null && patterns.beginningWith(prefix).fits(name, user, client);
    }

    boolean allowsOnAll(ProtectedKind kind) {
        ObjectPatterns patterns = on.get(kind);
        return patterns != null && patterns.fitsAll();
    }
}

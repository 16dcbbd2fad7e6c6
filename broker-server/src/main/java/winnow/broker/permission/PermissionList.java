package winnow.broker.permission;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The groups and rules of a file, for people. Immutable.
///
/// @param source name of the file, empty where every user may do everything
public record PermissionList(String source, List<PermissionGroup> groups, List<Line> rules) {
    public PermissionList {
        groups = List.copyOf(groups);
        rules = List.copyOf(rules);
    }

    /// A rule.
    ///
    /// @param may names of operations
    /// @param on patterns by `queues`, `topics`, `subscriptions` and `clients`
    public record Line(int line, List<String> who, List<String> may, Map<String, List<String>> on) {
        public Line {
            who = List.copyOf(who);
            may = List.copyOf(may);
        }

        static Line of(PermissionRule rule) {
            Map<String, List<String>> on = new LinkedHashMap<>();
            for (ProtectedKind kind : ProtectedKind.values()) {
                List<String> patterns = rule.patterns(kind);
                if (!patterns.isEmpty()) {
                    on.put(kind.key(), patterns);
                }
            }
            return new Line(
                    rule.line(),
                    rule.who(),
                    rule.may().stream().map(Permission::text).toList(),
                    on);
        }
    }

    /// @param permissions null where every user may do everything
    public static PermissionList of(@Nullable Permissions permissions) {
        return permissions == null
                ? new PermissionList("", List.of(), List.of())
                : new PermissionList(
                        permissions.source(),
                        permissions.groups(),
                        permissions.rules().stream().map(Line::of).toList());
    }
}

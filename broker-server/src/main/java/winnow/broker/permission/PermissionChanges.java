package winnow.broker.permission;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Says what differs between two files of permissions.
public final class PermissionChanges {
    /// Lines that are named; nobody reads more in a line of the log.
    private static final int MAX_NAMED = 10;

    private PermissionChanges() {}

    /// A part of a sentence such as `permissions: rules that are new: 1 (lines 7)`, empty if there
    /// are none before and after.
    ///
    /// @param before null where everybody could do everything
    /// @param after null where everybody may do everything
    public static String text(@Nullable Permissions before, @Nullable Permissions after) {
        if (after == null) {
            return before == null
                    ? ""
                    : "permissions are no longer in force: every user may do everything";
        }
        if (before == null) {
            return "permissions are in force: " + after.rules().size() + " rules";
        }
        List<String> parts = new ArrayList<>();
        add(parts, "new", fresh(before.rules(), after.rules()));
        add(parts, "gone", fresh(after.rules(), before.rules()));
        List<String> groups = groups(before, after);
        if (!groups.isEmpty()) {
            parts.add("groups that differ: " + listed(groups));
        }
        return parts.isEmpty()
                ? "permissions did not change"
                : "permissions: " + String.join(", ", parts);
    }

    private static void add(List<String> parts, String what, List<PermissionRule> rules) {
        if (!rules.isEmpty()) {
            List<String> lines = rules.stream().map(rule -> String.valueOf(rule.line())).toList();
            parts.add(
                    "rules that are %s: %d (lines %s)"
                            .formatted(what, rules.size(), listed(lines)));
        }
    }

    private static String listed(List<String> all) {
        return all.stream().limit(MAX_NAMED).collect(Collectors.joining(", "))
                + (all.size() > MAX_NAMED ? ", ..." : "");
    }

    /// Rules that were not there before, whatever their lines.
    private static List<PermissionRule> fresh(
            Collection<PermissionRule> before, List<PermissionRule> after) {
        Set<PermissionRule> known = new HashSet<>();
        before.forEach(rule -> known.add(withoutLine(rule)));
        return after.stream().filter(rule -> !known.contains(withoutLine(rule))).toList();
    }

    private static PermissionRule withoutLine(PermissionRule rule) {
        return new PermissionRule(0, rule.who(), rule.may(), rule.on());
    }

    private static List<String> groups(Permissions before, Permissions after) {
        Set<String> differing = new TreeSet<>();
        differing.addAll(freshGroups(before, after));
        differing.addAll(freshGroups(after, before));
        return List.copyOf(differing);
    }

    private static List<String> freshGroups(Permissions before, Permissions after) {
        Set<PermissionGroup> known = new HashSet<>();
        before.groups()
                .forEach(one -> known.add(new PermissionGroup(one.name(), 0, one.members())));
        return after.groups().stream()
                .filter(one -> !known.contains(new PermissionGroup(one.name(), 0, one.members())))
                .map(PermissionGroup::name)
                .toList();
    }
}

package winnow.broker.permission;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Rules of a file of permissions. Rules add up; what none allows is refused. Thread-safe; the
/// rules do not change.
public final class Permissions {
    /// Users whose permissions are kept for their next connection or request; the one least asked
    /// for makes room.
    static final int MAX_USERS = 1000;

    private final String source;
    private final List<PermissionGroup> groups;
    private final List<PermissionRule> rules;

    /// By user, by group of others and [PermissionFile#EVERYBODY]: positions of rules.
    private final Map<String, BitSet> rulesOf = new HashMap<>();

    /// By user, without groups of others: all connections of a user share one.
    private final Map<String, UserPermissions> ofUsers =
            new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, UserPermissions> eldest) {
                    return size() > MAX_USERS;
                }
            };

    /// @param source name of the file
    Permissions(String source, List<PermissionGroup> groups, List<PermissionRule> rules) {
        this.source = source;
        this.groups = List.copyOf(groups);
        this.rules = List.copyOf(rules);
        Map<String, BitSet> ofGroup = new HashMap<>();
        groups.forEach(group -> ofGroup.put(group.name(), new BitSet()));
        for (int i = 0; i < this.rules.size(); i++) {
            for (String who : this.rules.get(i).who()) {
                BitSet its = ofGroup.get(who);
                if (its == null) {
                    its = rulesOf.computeIfAbsent(who, _ -> new BitSet());
                }
                its.set(i);
            }
        }
        for (PermissionGroup group : this.groups) {
            BitSet its = ofGroup.getOrDefault(group.name(), new BitSet());
            for (String member : group.members()) {
                rulesOf.computeIfAbsent(member, _ -> new BitSet()).or(its);
            }
        }
    }

    /// Name of the file.
    public String source() {
        return source;
    }

    public List<PermissionGroup> groups() {
        return groups;
    }

    /// The rules in the order of the file.
    public List<PermissionRule> rules() {
        return rules;
    }

    /// Permissions of one user.
    ///
    /// @param foreign groups that others say the user is in, such as `ldap:cn=desk`
    public UserPermissions of(String user, Set<String> foreign) {
        if (!foreign.isEmpty()) {
            return gathered(user, foreign);
        }
        synchronized (ofUsers) {
            return ofUsers.computeIfAbsent(user, one -> gathered(one, Set.of()));
        }
    }

    private UserPermissions gathered(String user, Set<String> foreign) {
        BitSet its = new BitSet();
        its.or(rulesOf.getOrDefault(PermissionFile.EVERYBODY, new BitSet()));
        if (!user.isEmpty() && !PermissionFile.isForeign(user)) {
            its.or(rulesOf.getOrDefault(user, new BitSet()));
        }
        for (String group : foreign) {
            if (PermissionFile.isForeign(group)) {
                its.or(rulesOf.getOrDefault(group, new BitSet()));
            }
        }
        Map<Permission, List<PermissionRule>> byOperation = new EnumMap<>(Permission.class);
        its.stream()
                .mapToObj(rules::get)
                .forEach(rule ->
                        rule.may()
                                .forEach(operation ->
                                        byOperation
                                                .computeIfAbsent(operation, _ -> new ArrayList<>())
                                                .add(rule)));
        return new UserPermissions(user, byOperation);
    }
}

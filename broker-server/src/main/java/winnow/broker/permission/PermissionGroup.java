package winnow.broker.permission;

import java.util.List;

/// A group of the file. Immutable.
///
/// @param line of the file
/// @param members users, and groups of others such as `ldap:cn=desk`
public record PermissionGroup(String name, int line, List<String> members) {
    public PermissionGroup {
        members = List.copyOf(members);
    }
}

package winnow.broker.permission;

import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Answer to a question about a permission, for people. Immutable.
///
/// @param allowed whether it is
/// @param line of the file with the rule that allows it, 0 if there is none
/// @param reason names the rule, or says why none allows it
public record PermissionDecision(String user, boolean allowed, int line, String reason) {
    /// Question about a permission.
    ///
    /// @param client identifier of the client that asks, empty if there is none
    public record Question(Permission operation, ProtectedKind kind, String name, String client) {
        /// @throws IllegalArgumentException if the operation is not about such objects
        public Question {
            if (!operation.isAbout(kind)) {
                throw new IllegalArgumentException(
                        "kind: expected what '%s' is about, %s, found '%s'"
                                .formatted(
                                        operation.text(),
                                        operation.kinds().stream()
                                                .map(ProtectedKind::text)
                                                .collect(Collectors.joining(" or ")),
                                        kind.text()));
            }
            if (name.isEmpty() && kind != ProtectedKind.BROKER && kind != ProtectedKind.CLIENT) {
                throw new IllegalArgumentException(
                        "name: expected the name of a " + kind.text() + ", found none");
            }
        }
    }

    /// The same for those who may not see the file.
    public PermissionDecision withoutFile() {
        return new PermissionDecision(
                user,
                allowed,
                UserPermissions.NO_LINE,
                (allowed ? "a rule" : "no rule") + " of security.permissions allows it");
    }

    /// @param permissions null where everybody may do everything
    /// @param groups that others say the user is in
    public static PermissionDecision of(
            @Nullable Permissions permissions, String user, Set<String> groups, Question question) {
        if (permissions == null) {
            return new PermissionDecision(
                    user,
                    true,
                    UserPermissions.NO_LINE,
                    "there is no security.permissions: every user may do everything");
        }
        int line =
                permissions
                        .of(
                                user,
                                groups.stream()
                                        .map(PermissionFile::normal)
                                        .collect(Collectors.toSet()))
                        .line(question.operation, question.kind, question.name, question.client);
        return new PermissionDecision(
                user,
                line != UserPermissions.NO_LINE,
                line,
                line == UserPermissions.NO_LINE
                        ? "no rule of " + permissions.source() + " allows it"
                        : "the rule at " + permissions.source() + ":" + line + " allows it");
    }
}

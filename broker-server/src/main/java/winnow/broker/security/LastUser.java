package winnow.broker.security;

import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import winnow.broker.permission.Permission;
import winnow.broker.permission.Permissions;

/// Keeps those users without whom nobody could log in, or manage the broker.
public final class LastUser {
    private LastUser() {}

    /// Reason why a user may not be removed, empty if there is none.
    ///
    /// @param permissions null where every user may do everything
    public static String reason(UserFile users, String user, @Nullable Permissions permissions) {
        if (users.names().equals(Set.of(user))) {
            return "user '%s' is the only one of the file, which needs one; add another user first"
                    .formatted(user);
        }
        if (permissions == null) {
            return "";
        }
        Predicate<String> manages = one -> permissions.of(one, Set.of()).allow(Permission.ADMIN);
        boolean last =
                manages.test(user)
                        && users.names().stream()
                                .noneMatch(one -> !one.equals(user) && manages.test(one));
        return last
                ? "user '%s' is the last one of the file to whom %s gives 'admin'; give it to"
                                .formatted(user, permissions.source())
                        + " another one first"
                : "";
    }
}

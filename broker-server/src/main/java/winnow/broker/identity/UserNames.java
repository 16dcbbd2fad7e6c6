package winnow.broker.identity;

import winnow.broker.permission.PermissionFile;
import winnow.wire.Printable;

/// Says which texts of others can be names of users: a name goes into logs, lists and rules.
final class UserNames {
    private static final int MAX_CHARACTERS = 256;

    private UserNames() {}

    /// Checks a name.
    ///
    /// @param place that it is from, such as `the claim 'sub'`
    /// @param kind of proof, which begins the message
    /// @throws RefusedIdentity if it can be none
    static void require(String name, String place, String kind) throws RefusedIdentity {
        boolean fits =
                !name.isEmpty()
                        && name.length() <= MAX_CHARACTERS
                        && name.equals(name.strip())
                        && name.equals(Printable.line(name))
                        && !name.equals(PermissionFile.EVERYBODY)
                        && !name.equals(ProvenUser.local().name())
                        && !PermissionFile.isForeign(name);
        if (!fits) {
            throw new RefusedIdentity(
                    "%s: expected in %s a name of at most %d characters, without control characters"
                                    .formatted(kind, place, MAX_CHARACTERS)
                            + " and blanks at its ends, that is neither '*' nor 'local' and does"
                            + " not begin as a group such as oidc:NAME, found '"
                            + Printable.of(name)
                            + "'");
        }
    }
}

package winnow.broker.identity;

import java.util.Set;

/// User of a connection or a request, as it was proven. Immutable.
///
/// @param name empty if clients need no credentials
/// @param groups that others say the user is in, such as `oidc:/trading`
/// @param proof of the name
/// @param endMillis time in ms since 1970 when the proof is not valid any more
public record ProvenUser(String name, Set<String> groups, Proof proof, long endMillis) {
    private static final ProvenUser NOBODY =
            new ProvenUser("", Set.of(), Proof.NONE, Long.MAX_VALUE);

    /// Ways to prove a name.
    public enum Proof {
        NONE,
        PASSWORD,
        TOKEN,
        CERTIFICATE,
        DIRECTORY
    }

    public ProvenUser {
        groups = Set.copyOf(groups);
    }

    /// The client of a broker that demands no credentials.
    public static ProvenUser nobody() {
        return NOBODY;
    }

    /// One of the user file, without an end.
    public static ProvenUser byPassword(String name) {
        return new ProvenUser(name, Set.of(), Proof.PASSWORD, Long.MAX_VALUE);
    }

    /// True if another login is needed.
    public boolean hasEnded(long nowMillis) {
        return nowMillis >= endMillis;
    }
}

package winnow.broker.identity;

import java.util.Set;

/// User of a connection or a request, as it was proven. Immutable.
///
/// @param name empty if clients need no credentials
/// @param groups that others say the user is in, such as `oidc:/trading`
/// @param proof of the name
/// @param endMillis time in ms since 1970 when the proof is not valid any more
/// @param passwordTag stands for the password that was sent and that the user file had then; empty
///   for other proofs
public record ProvenUser(
        String name, Set<String> groups, Proof proof, long endMillis, String passwordTag) {
    private static final ProvenUser NOBODY =
            new ProvenUser("", Set.of(), Proof.NONE, Long.MAX_VALUE);

    private static final ProvenUser LOCAL =
            new ProvenUser("local", Set.of(), Proof.LOCAL, Long.MAX_VALUE);

    /// Ways to prove a name.
    public enum Proof {
        NONE,
        PASSWORD,
        TOKEN,
        CERTIFICATE,
        DIRECTORY,
        LOCAL
    }

    public ProvenUser {
        groups = Set.copyOf(groups);
    }

    /// One who has sent no password of the user file.
    public ProvenUser(String name, Set<String> groups, Proof proof, long endMillis) {
        this(name, groups, proof, endMillis, "");
    }

    /// The client of a broker that demands no credentials.
    public static ProvenUser nobody() {
        return NOBODY;
    }

    /// The operator, who may open the broker's files and uses its socket: every operation is
    /// allowed.
    public static ProvenUser local() {
        return LOCAL;
    }

    /// True for the operator.
    public boolean isLocal() {
        return proof == Proof.LOCAL;
    }

    /// One of the user file, without an end.
    public static ProvenUser byPassword(String name) {
        return byPassword(name, "");
    }

    /// The same who has sent the password.
    ///
    /// @param passwordTag stands for the password
    public static ProvenUser byPassword(String name, String passwordTag) {
        return new ProvenUser(name, Set.of(), Proof.PASSWORD, Long.MAX_VALUE, passwordTag);
    }

    /// True if another login is needed.
    public boolean hasEnded(long nowMillis) {
        return nowMillis >= endMillis;
    }
}

package winnow.broker.session;

import winnow.broker.identity.ProvenUser;

/// Result of a check of credentials. Immutable.
///
/// @param refusal why they are refused, as the client is told; empty if they are right
/// @param user whose they are; nobody if they are refused, or if clients need none
public record LoginResult(String refusal, ProvenUser user) {
    static LoginResult refused(String why) {
        return new LoginResult(why, ProvenUser.nobody());
    }

    static LoginResult of(ProvenUser user) {
        return new LoginResult("", user);
    }

    /// True if the credentials are right.
    public boolean accepted() {
        return refusal.isEmpty();
    }
}

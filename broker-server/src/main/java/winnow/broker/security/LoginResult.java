package winnow.broker.security;

import winnow.broker.identity.ProvenUser;
import winnow.wire.ErrorCode;

/// Result of a check of credentials. Immutable.
///
/// @param code NONE if they are right
/// @param refusal why they are refused, as the client is told; empty if they are right
/// @param user whose they are; nobody if they are refused, or if clients need none
/// @param reason for the refusal, for the log: may say more than the client may know
public record LoginResult(ErrorCode code, String refusal, ProvenUser user, String reason) {
    static LoginResult refused(String why) {
        return refused(why, why);
    }

    /// @param reason for the log
    static LoginResult refused(String why, String reason) {
        return new LoginResult(ErrorCode.AUTHENTICATION_FAILED, why, ProvenUser.nobody(), reason);
    }

    /// They may be right: whoever has to say so cannot be asked at the moment.
    static LoginResult undecided(String why) {
        return new LoginResult(ErrorCode.AUTHENTICATION_UNAVAILABLE, why, ProvenUser.nobody(), why);
    }

    static LoginResult of(ProvenUser user) {
        return new LoginResult(ErrorCode.NONE, "", user, "");
    }

    /// True if the credentials are right.
    public boolean accepted() {
        return code == ErrorCode.NONE;
    }

    /// True if the same credentials may be right a moment later.
    public boolean passing() {
        return code == ErrorCode.AUTHENTICATION_UNAVAILABLE;
    }
}

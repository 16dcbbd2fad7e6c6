package winnow.broker.session;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import winnow.broker.identity.CertificateUsers;
import winnow.broker.identity.LdapUsers;
import winnow.broker.identity.Tokens;

/// Ways to prove a user that is not in the user file. Immutable.
///
/// @param tokens null if none are taken
/// @param certificates null if they prove no users
/// @param directory null if none is asked
public record ForeignProofs(
        @Nullable Tokens tokens,
        @Nullable CertificateUsers certificates,
        @Nullable LdapUsers directory) {
    static final ForeignProofs NONE = new ForeignProofs(null, null, null);

    /// The ways of the settings.
    ///
    /// @throws IOException naming setting and file if one cannot be used
    public static ForeignProofs of(SecurityConfig config) throws IOException {
        LdapUsers directory = config.ldap().enabled() ? new LdapUsers(config.ldap()) : null;
        if (directory != null) {
            directory.requireFiles();
        }
        return new ForeignProofs(
                config.tokens().enabled()
                        ? Tokens.open(config.tokens(), System::currentTimeMillis)
                        : null,
                config.certificates().enabled()
                        ? new CertificateUsers(config.certificates(), System::currentTimeMillis)
                        : null,
                directory);
    }

    boolean any() {
        return tokens != null || certificates != null || directory != null;
    }
}

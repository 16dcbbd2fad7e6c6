package winnow.broker.security;

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
    /// Passwords of the user file only.
    static final ForeignProofs NONE = new ForeignProofs(null, null, null);

    /// Reads again what they have in files.
    ///
    /// @return puts it into force
    /// @throws IOException naming setting and file if one cannot be used
    Runnable prepareReload() throws IOException {
        Runnable keys = tokens == null ? () -> {} : tokens.prepareReload();
        Runnable files = directory == null ? () -> {} : directory.prepareReload();
        return () -> {
            keys.run();
            files.run();
        };
    }
}

package winnow.broker.session;

import java.nio.file.Path;

/// Who may connect.
///
/// @param users file of users and password hashes (`winnow user` writes it); empty means that
///   clients need no credentials, which only a broker on a loopback address may offer
/// @param allowPlainTextPasswords whether a broker beyond loopback takes passwords although they
///   cross the network in clear text
public record SecurityConfig(Path users, boolean allowPlainTextPasswords) {
    public static final SecurityConfig DEFAULTS = new SecurityConfig(Path.of(""), false);

    /// Whether clients must authenticate.
    public boolean enabled() {
        return !users.toString().isEmpty();
    }
}

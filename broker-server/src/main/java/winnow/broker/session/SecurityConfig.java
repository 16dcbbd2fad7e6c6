package winnow.broker.session;

import java.nio.file.Path;
import winnow.broker.config.Setting;

/// Who may connect.
public record SecurityConfig(
        @Setting(
                        value =
                                "file of users and password hashes (`winnow user`"
                                        + " writes it); empty means that clients need no"
                                        + " credentials, which only a broker on a loopback"
                                        + " address may offer",
                        unit = "file",
                        reloadable = true)
                Path users,
        @Setting(
                        "whether a broker beyond loopback takes passwords"
                                + " although they cross the network in clear text")
                boolean allowPlainTextPasswords) {
    public static final SecurityConfig DEFAULTS = new SecurityConfig(Path.of(""), false);

    /// Whether clients must authenticate.
    public boolean enabled() {
        return !users.toString().isEmpty();
    }
}

package winnow.broker.session;

import java.nio.file.Path;
import winnow.broker.config.Setting;

/// Users, and what they may do.
public record SecurityConfig(
        @Setting(
                        value =
                                "file of users and verifiers of their passwords (`winnow user`"
                                        + " writes it); empty means that clients need no"
                                        + " credentials, which only a broker on a loopback"
                                        + " address may offer",
                        unit = "file",
                        reloadable = true)
                Path users,
        @Setting(
                        value =
                                "file of groups and rules that say what users may do; empty means"
                                        + " that every user may do everything",
                        unit = "file",
                        reloadable = true)
                Path permissions,
        @Setting(
                        "whether the mechanism PLAIN and HTTP Basic are taken from beyond"
                                + " loopback without TLS too, where others may read the"
                                + " password")
                boolean allowPlainTextPasswords) {
    public static final SecurityConfig DEFAULTS =
            new SecurityConfig(Path.of(""), Path.of(""), false);

    /// True if users may do only what a file allows.
    public boolean limited() {
        return !permissions.toString().isEmpty();
    }

    /// Whether clients must authenticate.
    public boolean enabled() {
        return !users.toString().isEmpty();
    }
}

package winnow.broker.security;

import java.nio.file.Path;
import winnow.broker.config.Setting;
import winnow.broker.identity.CertificateConfig;
import winnow.broker.identity.LdapConfig;
import winnow.broker.identity.TokenConfig;

/// Users, and what they may do.
public record SecurityConfig(
        @Setting(
                        value =
                                "file of users and verifiers of their passwords (`winnow user`"
                                        + " writes it); without it, `security.tokens.issuer`,"
                                        + " `security.certificates.user` and `security.ldap.url`"
                                        + " clients need no credentials, which only a broker on a"
                                        + " loopback address may offer",
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
                        "whether the mechanisms PLAIN and OAUTHBEARER, HTTP Basic and Bearer are"
                                + " taken from beyond loopback without TLS too, where others may"
                                + " read the password or the token")
                boolean allowPlainTextPasswords,
        TokenConfig tokens,
        CertificateConfig certificates,
        LdapConfig ldap) {
    public static final SecurityConfig DEFAULTS =
            new SecurityConfig(
                    Path.of(""),
                    Path.of(""),
                    false,
                    TokenConfig.DEFAULTS,
                    CertificateConfig.DEFAULTS,
                    LdapConfig.DEFAULTS);

    /// True if users may do only what a file allows.
    public boolean limited() {
        return !permissions.toString().isEmpty();
    }

    /// True if clients must authenticate.
    public boolean enabled() {
        return hasOtherProofs() || certificates.enabled();
    }

    /// True if users can be proved without a certificate.
    public boolean hasOtherProofs() {
        return hasUsers() || tokens.enabled() || ldap.enabled();
    }

    /// True if there is a file of users.
    public boolean hasUsers() {
        return !users.toString().isEmpty();
    }
}

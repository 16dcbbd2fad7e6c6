package winnow.broker.identity;

import winnow.broker.config.Ranges;
import winnow.broker.config.Setting;

/// Users whom their TLS certificates prove.
public record CertificateConfig(
        @Setting(
                        value =
                                "where the name of a user is in a client's certificate:"
                                        + " `subject.CN` or another attribute of the subject, or"
                                        + " the alternative name `dns`, `email` or `uri`;"
                                        + " `uri=spiffe://acme/*` takes the part at `*`; empty"
                                        + " means that certificates prove no user. Needs"
                                        + " `tls.client-auth`",
                        unit = "PLACE or PLACE=PATTERN")
                CertificateRule user,
        @Setting(
                        value =
                                "where the user's groups are, likewise; each is the group"
                                        + " `certificate:NAME` of the permissions; empty means no"
                                        + " groups",
                        unit = "PLACE or PLACE=PATTERN")
                CertificateRule groups) {
    public static final CertificateConfig DEFAULTS =
            new CertificateConfig(CertificateRule.NONE, CertificateRule.NONE);

    public CertificateConfig {
        Ranges.check(CertificateConfig.class, user, groups);
        if (groups.isSome() && !user.isSome()) {
            throw new IllegalArgumentException(
                    "user: expected where the name of a user is, because groups is set, found"
                            + " none");
        }
    }

    /// True if certificates prove users.
    public boolean enabled() {
        return user.isSome();
    }
}

package winnow.broker.identity;

import com.unboundid.ldap.sdk.DN;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import winnow.broker.config.Ranges;
import winnow.broker.config.Setting;

/// Users of a directory (LDAP), which checks their passwords.
public record LdapConfig(
        @Setting(
                        value =
                                "directory (LDAP) that checks passwords of users who are not in"
                                        + " `security.users`: `ldaps://HOST:PORT` (`ldap://` only"
                                        + " on this machine); empty means none",
                        unit = "URL")
                String url,
        @Setting(
                        value =
                                "the certificates that the directory's own must be signed by, PEM;"
                                        + " empty means those that the JDK trusts",
                        unit = "file")
                Path certificates,
        @Setting(
                        "name (DN) as which the broker searches; empty means that it does so"
                                + " anonymously")
                String bindDn,
        @Setting(
                        value =
                                "file whose first line is the password of `security.ldap.bind-dn`;"
                                        + " nobody but its owner and group may read it",
                        unit = "file")
                Path bindPasswordFile,
        @Setting("entry (DN) below which users are; must be set with a directory") String users,
        @Setting("filter that finds a user; `${user}` stands for the name, escaped")
                String userFilter,
        @Setting("attribute of an entry with the name of the user") String userName,
        @Setting("entry (DN) below which groups are; empty means no groups") String groups,
        @Setting(
                        "filter that finds the groups of a user; `${dn}` stands for the entry of"
                                + " the user, `${user}` for the name; each is the group `ldap:DN` of"
                                + " the permissions")
                String groupFilter,
        @Setting(
                        value = "longest wait for the directory, for each of its answers",
                        min = "100ms",
                        max = "30s")
                Duration timeout,
        @Setting(
                        value = "connections to the directory at a time",
                        unit = "connections",
                        min = "1",
                        max = "64")
                int connections,
        @Setting(
                        value = "time for which a password that was right is not asked about again",
                        min = "0s",
                        max = "60m")
                Duration remember) {
    private static final Path NONE = Path.of("");

    public static final LdapConfig DEFAULTS =
            new LdapConfig(
                    "",
                    NONE,
                    "",
                    NONE,
                    "",
                    "(uid=${user})",
                    "uid",
                    "",
                    "(member=${dn})",
                    Duration.ofSeconds(2),
                    4,
                    Duration.ofSeconds(60));

    public LdapConfig {
        Ranges.check(
                LdapConfig.class,
                url,
                certificates,
                bindDn,
                bindPasswordFile,
                users,
                userFilter,
                userName,
                groups,
                groupFilter,
                timeout,
                connections,
                remember);
        if (!url.isEmpty()) {
            requireUsable(url);
            if (users.isEmpty()) {
                throw new IllegalArgumentException(
                        "users: expected the entry (DN) below which users are, found none");
            }
        }
        if (bindDn.isEmpty() != bindPasswordFile.equals(NONE)) {
            throw new IllegalArgumentException(
                    "bind-dn: expected it and bind-password-file, found one of them only");
        }
        requireDn("bind-dn", bindDn);
        requireDn("users", users);
        requireDn("groups", groups);
        requireFilter("user-filter", userFilter, "${user}");
        requireFilter("group-filter", groupFilter, "${");
    }

    private static void requireUsable(String text) {
        try {
            URI url = URI.create(text);
            boolean clear = "ldap".equals(url.getScheme());
            String host = url.getHost();
            if (host == null || (!clear && !"ldaps".equals(url.getScheme()))) {
                throw new IllegalArgumentException(
                        "url: expected ldaps://HOST:PORT, found '" + text + "'");
            }
            if (clear && !KeyServer.isLoopback(host)) {
                throw new IllegalArgumentException(
                        "url: expected ldaps://, because others could read passwords that go by"
                                + " ldap:// beyond this machine, found '"
                                + text
                                + "'");
            }
        } catch (IllegalArgumentException e) {
            String message = String.valueOf(e.getMessage());
            throw message.startsWith("url: ")
                    ? e
                    : new IllegalArgumentException("url: expected a URL: " + message, e);
        }
    }

    private static void requireDn(String key, String text) {
        if (!DN.isValidDN(text)) {
            throw new IllegalArgumentException(
                    key
                            + ": expected the name of an entry (DN) such as ou=people,dc=acme,"
                            + " found '"
                            + text
                            + "'");
        }
    }

    private static void requireFilter(String key, String text, String variable) {
        try {
            Filter.create(text.replace("${user}", "x").replace("${dn}", "x"));
        } catch (LDAPException e) {
            throw new IllegalArgumentException(
                    key + ": expected a filter of LDAP, found '" + text + "'", e);
        }
        if (!text.contains(variable)) {
            throw new IllegalArgumentException(
                    "%s: expected a filter with %s, found '%s'"
                            .formatted(key, variable.equals("${") ? "${dn}" : variable, text));
        }
    }

    /// True if a directory is asked.
    public boolean enabled() {
        return !url.isEmpty();
    }
}

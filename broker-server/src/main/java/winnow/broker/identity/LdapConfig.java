package winnow.broker.identity;

import com.unboundid.ldap.sdk.DN;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import winnow.broker.config.Ranges;
import winnow.broker.config.Setting;

/// Users of a directory (LDAP), which checks their passwords.
public record LdapConfig(
        @Setting(
                        value =
                                "directory (LDAP) that checks passwords of users who are not in"
                                        + " `security.users`: `ldaps://HOST:PORT`, or `ldap://`"
                                        + " with `security.ldap.start-tls` or on this machine;"
                                        + " several, joined by commas, take the place of each"
                                        + " other; empty means none",
                        unit = "URLs")
                String url,
        @Setting("whether connections to `ldap://` begin TLS (StartTLS) before anything is sent")
                boolean startTls,
        @Setting(
                        "whether passwords may be sent to a directory beyond this machine without"
                                + " TLS, where others may read them")
                boolean allowClearText,
        @Setting(
                        value =
                                "the certificates that the directory's own must be signed by, PEM;"
                                        + " empty means those that the JDK trusts",
                        unit = "file")
                Path certificates,
        @Setting(
                        "name (DN) as which the broker searches; empty means that it looks for"
                                + " users anonymously, and for groups as the user")
                String bindDn,
        @Setting(
                        value =
                                "file whose first line is the password of `security.ldap.bind-dn`;"
                                        + " nobody but its owner and group may read it",
                        unit = "file")
                Path bindPasswordFile,
        @Setting(
                        "name (DN) of a user's entry, such as `uid=${user},ou=people,dc=acme`; this"
                                + " or `security.ldap.users` must be set with a directory")
                String userDn,
        @Setting("entry (DN) below which users are searched") String users,
        @Setting("filter that finds a user; `${user}` stands for the name, escaped")
                String userFilter,
        @Setting("attribute of a user's entry with the one name of the user") String userName,
        @Setting(
                        "attribute of a user's entry with its groups, such as `memberOf`; each is"
                                + " the group `ldap:VALUE` of the permissions; empty means none")
                String groupAttribute,
        @Setting("entry (DN) below which groups are searched; empty means that none are")
                String groups,
        @Setting(
                        "filter that finds the groups of a user; `${dn}` stands for the name of the"
                                + " user's entry, `${user}` for the user's; each is the group"
                                + " `ldap:DN` of the permissions")
                String groupFilter,
        @Setting(
                        value =
                                "longest wait for the directory in a login: to connect to it, and"
                                        + " for its answers",
                        min = "100ms",
                        max = "30s")
                Duration timeout,
        @Setting(
                        value = "connections to the directory at a time; further logins wait",
                        unit = "connections",
                        min = "1",
                        max = "64")
                int connections,
        @Setting(
                        value = "time for which a password that was right is not asked about again",
                        min = "0s",
                        max = "60m")
                Duration remember,
        @Setting(
                        value =
                                "time after which a client has to log in again, or up to a tenth"
                                        + " less; its connection ends and it comes back by itself;"
                                        + " 0s means never",
                        min = "60s",
                        zero = "0s")
                Duration loginLifetime) {
    static final String USER = "${user}";
    static final String DN_OF_USER = "${dn}";

    private static final Path NONE = Path.of("");

    public static final LdapConfig DEFAULTS =
            new LdapConfig(
                    "",
                    false,
                    false,
                    NONE,
                    "",
                    NONE,
                    "",
                    "",
                    "(uid=${user})",
                    "uid",
                    "",
                    "",
                    "(member=${dn})",
                    Duration.ofSeconds(2),
                    4,
                    Duration.ofSeconds(60),
                    Duration.ofHours(12));

    public LdapConfig {
        Ranges.check(
                LdapConfig.class,
                url,
                startTls,
                allowClearText,
                certificates,
                bindDn,
                bindPasswordFile,
                userDn,
                users,
                userFilter,
                userName,
                groupAttribute,
                groups,
                groupFilter,
                timeout,
                connections,
                remember,
                loginLifetime);
        if (url.isEmpty()) {
            requireNone("bind-dn", bindDn);
            requireNone("user-dn", userDn);
            requireNone("users", users);
            requireNone("groups", groups);
            requireNone("group-attribute", groupAttribute);
        } else {
            LdapUrl.requireUsable(urls(url), startTls, allowClearText);
            if (userDn.isEmpty() == users.isEmpty()) {
                throw new IllegalArgumentException(
                        "users: expected it, or user-dn, found "
                                + (users.isEmpty() ? "none of them" : "both"));
            }
        }
        if (bindDn.isEmpty() != bindPasswordFile.equals(NONE)) {
            throw new IllegalArgumentException(
                    "bind-dn: expected it and bind-password-file, found one of them only");
        }
        requireDn("bind-dn", bindDn);
        requireDn("user-dn", userDn);
        requireDn("users", users);
        requireDn("groups", groups);
        requireVariable("user-dn", userDn.isEmpty() ? USER : userDn, USER);
        requireFilter("user-filter", userFilter);
        requireVariable("user-filter", userFilter, USER);
        requireFilter("group-filter", groupFilter);
        requireVariable(
                "group-filter", groupFilter, groupFilter.contains(USER) ? USER : DN_OF_USER);
        if (userName.isEmpty()) {
            throw new IllegalArgumentException(
                    "user-name: expected an attribute such as uid, found none");
        }
    }

    private static void requireNone(String key, String value) {
        if (!value.isEmpty()) {
            throw new IllegalArgumentException(
                    "url: expected a directory, because %s is set, found none".formatted(key));
        }
    }

    private static void requireDn(String key, String text) {
        if (!DN.isValidDN(text)) {
            throw new IllegalArgumentException(
                    "%s: expected the name of an entry (DN) such as ou=people,dc=acme, found '%s'"
                            .formatted(key, text));
        }
    }

    private static void requireFilter(String key, String text) {
        try {
            Filter _ = Filter.create(text.replace(USER, "x").replace(DN_OF_USER, "x"));
        } catch (LDAPException e) {
            throw new IllegalArgumentException(
                    "%s: expected a filter of LDAP such as (uid=${user}), found '%s'"
                            .formatted(key, text),
                    e);
        }
    }

    private static void requireVariable(String key, String text, String variable) {
        if (!text.contains(variable)) {
            throw new IllegalArgumentException(
                    "%s: expected %s in it, found '%s'".formatted(key, variable, text));
        }
    }

    private static List<String> urls(String text) {
        return Arrays.stream(text.split(",", -1)).map(String::strip).toList();
    }

    /// True if a directory is asked.
    public boolean enabled() {
        return !url.isEmpty();
    }

    /// Addresses of the directory, in the order in which they are tried.
    List<LdapUrl> servers() {
        return urls(url).stream().map(LdapUrl::parse).toList();
    }
}

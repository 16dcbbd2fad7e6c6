package winnow.broker.identity;

import com.unboundid.ldap.sdk.DN;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.RDN;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.SearchScope;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.broker.fault.LogQuota;
import winnow.broker.permission.PermissionFile;
import winnow.wire.Printable;

/// Asks a directory (LDAP) whether a password is right, over a connection for each question: finds
/// the entry of the user, binds as it, and finds its groups. Waits for the directory, for a bounded
/// time. Thread-safe.
public final class LdapUsers {
    private static final Logger LOG = LoggerFactory.getLogger(LdapUsers.class);

    /// The same as for users of the file.
    private static final String WRONG = "user or password is wrong";

    /// Prefix of groups in the file of permissions.
    private static final String GROUP = "ldap:";

    private static final String ANY_ENTRY = "(objectClass=*)";
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{(user|dn)\\}");
    private static final int MAX_GROUPS = 1000;
    private static final int MAX_NAME_CHARACTERS = 256;
    private static final double JITTER = 0.1;

    private final LdapConfig config;
    private final LongSupplier wallMillis;
    private final LogQuota quota = new LogQuota();
    private volatile LdapServers current;

    /// True if the last question was not answered.
    private volatile boolean away;

    /// Reads the files of the settings. Does not connect yet.
    ///
    /// @param wallMillis tells the time in ms since 1970
    /// @throws IOException naming setting and file if one cannot be used
    public LdapUsers(LdapConfig config, LongSupplier wallMillis) throws IOException {
        this.config = config;
        this.wallMillis = wallMillis;
        current = LdapServers.read(config);
    }

    public LdapConfig config() {
        return config;
    }

    /// Reads the files of the settings again.
    ///
    /// @return puts them into force
    /// @throws IOException naming setting and file if one cannot be used
    public Runnable prepareReload() throws IOException {
        LdapServers next = LdapServers.read(config);
        return () -> current = next;
    }

    /// Says if a password may be tried at an entry that was found, which others may have tried by
    /// other names.
    @FunctionalInterface
    public interface EntryGate {
        /// @param entry name of the entry in its normal form
        boolean lets(String entry);
    }

    /// Checks a password.
    ///
    /// @param gate asked once for each server that finds the entry
    /// @throws AbsentDirectory if the directory could not be asked
    /// @throws RefusedIdentity if it does not say that the password is right
    public ProvenUser check(String user, String password, EntryGate gate) throws RefusedIdentity {
        // A bind without a password succeeds as nobody.
        if (password.isEmpty() || user.isEmpty() || user.length() > MAX_NAME_CHARACTERS) {
            throw new RefusedIdentity(WRONG);
        }
        LdapServers servers = current;
        try {
            ProvenUser proven =
                    servers.ask(session -> {
                        String bindPassword = servers.bindPassword();
                        List<DN> found = entriesOf(session, bindPassword, user);
                        return describe(
                                session, bindPassword, prove(session, found, password, gate));
                    });
            onAnswer();
            return proven;
        } catch (LDAPException e) {
            throw absent(e);
        } catch (RefusedIdentity e) {
            onAnswer();
            throw e;
        }
    }

    private boolean hasBindDn() {
        return !config.bindDn().isEmpty();
    }

    /// The entry of a user, perhaps one that is not there; or none, or two, of which none is the
    /// user's.
    private List<DN> entriesOf(LdapSession session, String bindPassword, String user)
            throws LDAPException {
        if (!config.userDn().isEmpty()) {
            return List.of(dn(user));
        }
        if (hasBindDn()) {
            session.bind(config.bindDn(), bindPassword);
        }
        return find(session, user);
    }

    /// Continues as the user. Who does not exist, is not the only one of that name, or may not be
    /// tried, costs as many questions as a wrong password, and has the same answer.
    private DN prove(LdapSession session, List<DN> found, String password, EntryGate gate)
            throws LDAPException, RefusedIdentity {
        DN entry = found.size() == 1 ? found.getFirst() : null;
        DN tried = entry != null && gate.lets(entry.toNormalizedString()) ? entry : null;
        String reason = session.tryPassword(tried == null ? nobody(entry) : tried, password);
        if (tried != null && reason.isEmpty()) {
            return tried;
        }
        throw new RefusedIdentity(WRONG, WRONG + ": " + why(found, tried, reason));
    }

    /// Reason for the log.
    private static String why(List<DN> found, @Nullable DN tried, String reason) {
        if (found.size() != 1) {
            return "security.ldap.user-filter finds %s of that name"
                    .formatted(found.isEmpty() ? "no entry" : "several entries");
        }
        return "entry '%s': %s"
                .formatted(
                        Printable.of(found.getFirst().toString()),
                        tried == null
                                ? "not tried, because there were too many wrong passwords for it"
                                        + " from this address, also by other names"
                                : reason);
    }

    private ProvenUser describe(LdapSession session, String bindPassword, DN dn)
            throws LDAPException, RefusedIdentity {
        if (hasBindDn()) {
            session.bind(config.bindDn(), bindPassword);
        }
        SearchResultEntry entry = entry(session, dn);
        String name = name(entry);
        return new ProvenUser(
                name, groups(session, entry, name), ProvenUser.Proof.DIRECTORY, endMillis());
    }

    private void onAnswer() {
        if (away) {
            away = false;
            LOG.info("The directory {} answers again", config.url());
        }
    }

    private AbsentDirectory absent(LDAPException failure) {
        away = true;
        quota.log(leftOut ->
                LOG.warn(
                        "The directory {} could not be asked about a user: {} ({}){}",
                        config.url(),
                        Printable.message(String.valueOf(failure.getMessage())),
                        failure.getResultCode(),
                        leftOut));
        return new AbsentDirectory(
                "the directory could not be asked about the user, try again; the broker's log says"
                        + " why");
    }

    /// Logins that came together do not end together.
    private long endMillis() {
        long millis = config.loginLifetime().toMillis();
        return millis == 0
                ? Long.MAX_VALUE
                : wallMillis.getAsLong()
                        + millis
                        - (long) (millis * JITTER * ThreadLocalRandom.current().nextDouble());
    }

    private DN dn(String user) throws LDAPException {
        RDN[] parts = new DN(config.userDn()).getRDNs();
        return new DN(
                Arrays.stream(parts)
                        .map(part ->
                                new RDN(
                                        part.getAttributeNames(),
                                        Arrays.stream(part.getAttributeValues())
                                                .map(text -> text.replace(LdapConfig.USER, user))
                                                .toArray(String[]::new)))
                        .toArray(RDN[]::new));
    }

    /// An entry that is not there, beside those of users.
    private DN nobody(@Nullable DN user) throws LDAPException {
        DN beside = user == null || !config.users().isEmpty() ? null : user.getParent();
        return new DN(
                new RDN("cn", UUID.randomUUID().toString()),
                beside == null ? new DN(config.users()) : beside);
    }

    private List<DN> find(LdapSession session, String user) throws LDAPException {
        List<SearchResultEntry> found =
                session.search(
                        config.users(),
                        SearchScope.SUB,
                        filter(config.userFilter(), user, ""),
                        2,
                        SearchRequest.NO_ATTRIBUTES);
        List<DN> names = new ArrayList<>();
        for (SearchResultEntry entry : found) {
            names.add(entry.getParsedDN());
        }
        return names;
    }

    private SearchResultEntry entry(LdapSession session, DN dn)
            throws LDAPException, RefusedIdentity {
        List<SearchResultEntry> found =
                session.search(
                        dn.toString(),
                        SearchScope.BASE,
                        Filter.create(ANY_ENTRY),
                        1,
                        config.groupAttribute().isEmpty()
                                ? new String[] {config.userName()}
                                : new String[] {config.userName(), config.groupAttribute()});
        if (found.isEmpty()) {
            throw new RefusedIdentity(
                    "expected an entry of the user that "
                            + (config.bindDn().isEmpty() ? "it" : "security.ldap.bind-dn")
                            + " may read, found none");
        }
        return found.getFirst();
    }

    /// The name as the directory writes it: it finds an entry by others, too, such as in capitals.
    private String name(SearchResultEntry entry) throws RefusedIdentity {
        String[] names = entry.getAttributeValues(config.userName());
        if (names == null || names.length != 1) {
            throw new RefusedIdentity(
                    "expected one value of '%s' in the entry of the user (security.ldap.user-name),"
                                    .formatted(config.userName())
                            + " found "
                            + (names == null ? "none" : names.length));
        }
        UserNames.require(names[0], "'" + config.userName() + "'", "directory");
        return names[0];
    }

    private Set<String> groups(LdapSession session, SearchResultEntry entry, String user)
            throws LDAPException, RefusedIdentity {
        Set<String> groups = new LinkedHashSet<>();
        String[] own =
                config.groupAttribute().isEmpty()
                        ? null
                        : entry.getAttributeValues(config.groupAttribute());
        if (own != null) {
            Arrays.stream(own).forEach(group -> groups.add(PermissionFile.normal(GROUP + group)));
        }
        if (!config.groups().isEmpty()) {
            Filter filter = filter(config.groupFilter(), user, entry.getDN());
            List<SearchResultEntry> found =
                    session.search(
                            config.groups(),
                            SearchScope.SUB,
                            filter,
                            MAX_GROUPS + 1,
                            SearchRequest.NO_ATTRIBUTES);
            found.forEach(group -> groups.add(PermissionFile.normal(GROUP + group.getDN())));
        }
        if (groups.size() > MAX_GROUPS) {
            throw new RefusedIdentity(
                    "expected at most " + MAX_GROUPS + " groups of the user, found more");
        }
        return groups;
    }

    private static Filter filter(String template, String user, String dn) throws LDAPException {
        return Filter.create(
                VARIABLE.matcher(template)
                        .replaceAll(variable ->
                                Matcher.quoteReplacement(
                                        Filter.encodeValue(
                                                variable.group().equals(LdapConfig.DN_OF_USER)
                                                        ? dn
                                                        : user))));
    }
}

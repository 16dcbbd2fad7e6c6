package winnow.broker.identity;

import com.unboundid.ldap.sdk.DN;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPConnectionOptions;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.LDAPSearchException;
import com.unboundid.ldap.sdk.RDN;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.SimpleBindRequest;
import com.unboundid.util.ssl.HostNameSSLSocketVerifier;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.SocketFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.broker.config.PrivateFile;
import winnow.broker.config.SmallFile;
import winnow.broker.fault.LogQuota;
import winnow.wire.tls.TrustedCertificates;

/// Asks a directory (LDAP) whether a password is right, over a connection for each question: finds
/// the entry of the user, binds as it, and finds its groups. Waits for the directory, for a bounded
/// time. Thread-safe.
public final class LdapUsers {
    private static final Logger LOG = LoggerFactory.getLogger(LdapUsers.class);

    /// The same as for users of the file.
    private static final String WRONG = "user or password is wrong";

    /// Prefix of groups in the file of permissions.
    private static final String GROUP = "ldap:";

    private static final Set<ResultCode> WRONG_PASSWORD =
            Set.of(
                    ResultCode.INVALID_CREDENTIALS,
                    ResultCode.INAPPROPRIATE_AUTHENTICATION,
                    ResultCode.NO_SUCH_OBJECT);

    private static final Pattern VARIABLE = Pattern.compile("\\$\\{(user|dn)\\}");

    private static final int MAX_GROUPS = 1000;
    private static final int MAX_MESSAGE_BYTES = 4 << 20;
    private static final int MAX_PASSWORD_BYTES = 4096;
    private static final int CLEAR_PORT = 389;
    private static final int TLS_PORT = 636;

    private final LdapConfig config;
    private final URI url;
    private final LogQuota quota = new LogQuota();

    public LdapUsers(LdapConfig config) {
        this.config = config;
        url = URI.create(config.url());
    }

    public LdapConfig config() {
        return config;
    }

    /// Checks the files of the settings.
    ///
    /// @throws IOException naming setting and file if one cannot be used
    public void requireFiles() throws IOException {
        try {
            String _ = bindPassword();
        } catch (IOException e) {
            throw new IOException("security.ldap.bind-password-file: " + e.getMessage(), e);
        }
        try {
            SocketFactory _ = sockets();
        } catch (IOException e) {
            throw new IOException("security.ldap.certificates: " + e.getMessage(), e);
        }
    }

    /// Checks a password.
    ///
    /// @throws RefusedIdentity if it is wrong, or the directory does not say that it is right
    public ProvenUser check(String user, String password) throws RefusedIdentity {
        if (password.isEmpty()) {
            // A bind without a password succeeds as nobody.
            throw new RefusedIdentity(WRONG);
        }
        try (LDAPConnection connection = connect()) {
            bindAsBroker(connection);
            SearchResultEntry entry = find(connection, user);
            String dn = entry == null ? nobody() : entry.getDN();
            bind(connection, dn, password);
            if (entry == null) {
                throw new RefusedIdentity(WRONG);
            }
            String name = name(entry);
            bindAsBroker(connection);
            return new ProvenUser(
                    name, groups(connection, name, dn), ProvenUser.Proof.DIRECTORY, Long.MAX_VALUE);
        } catch (LDAPException | IOException e) {
            quota.log(leftOut ->
                    LOG.warn(
                            "The directory {} could not be asked about a user: {}{}",
                            config.url(),
                            e.getMessage(),
                            leftOut));
            throw new RefusedIdentity(
                    "the directory could not be asked about the user; the broker's log says why");
        }
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

    /// A user who does not exist costs as many questions as one with a wrong password.
    private String nobody() throws LDAPException {
        return new DN(new RDN("cn", UUID.randomUUID().toString()), new DN(config.users()))
                .toString();
    }

    private static void bind(LDAPConnection connection, String dn, String password)
            throws LDAPException, RefusedIdentity {
        try {
            connection.bind(new SimpleBindRequest(dn, password));
        } catch (LDAPException e) {
            if (WRONG_PASSWORD.contains(e.getResultCode())) {
                throw new RefusedIdentity(WRONG);
            }
            throw e;
        }
    }

    private void bindAsBroker(LDAPConnection connection) throws LDAPException, IOException {
        if (config.bindDn().isEmpty()) {
            connection.bind(new SimpleBindRequest());
        } else {
            connection.bind(new SimpleBindRequest(config.bindDn(), bindPassword()));
        }
    }

    private @Nullable SearchResultEntry find(LDAPConnection connection, String user)
            throws LDAPException, RefusedIdentity {
        Filter filter = filter(config.userFilter(), user, "");
        List<SearchResultEntry> found;
        try {
            found =
                    connection
                            .search(search(config.users(), filter, 2, config.userName()))
                            .getSearchEntries();
        } catch (LDAPSearchException e) {
            if (!e.getResultCode().equals(ResultCode.SIZE_LIMIT_EXCEEDED)) {
                throw e;
            }
            found = e.getSearchEntries();
        }
        if (found.size() > 1) {
            throw new RefusedIdentity(
                    "expected one entry of the user (security.ldap.user-filter), found several");
        }
        return found.isEmpty() ? null : found.getFirst();
    }

    private Set<String> groups(LDAPConnection connection, String user, String dn)
            throws LDAPException {
        Set<String> groups = new LinkedHashSet<>();
        if (!config.groups().isEmpty()) {
            SearchRequest request =
                    search(
                            config.groups(),
                            filter(config.groupFilter(), user, dn),
                            MAX_GROUPS,
                            SearchRequest.NO_ATTRIBUTES);
            for (SearchResultEntry entry : connection.search(request).getSearchEntries()) {
                groups.add(GROUP + entry.getDN());
            }
        }
        return groups;
    }

    private SearchRequest search(String base, Filter filter, int most, String attribute) {
        SearchRequest request = new SearchRequest(base, SearchScope.SUB, filter, attribute);
        request.setSizeLimit(most);
        request.setTimeLimitSeconds((int) Math.max(1, config.timeout().toSeconds()));
        request.setResponseTimeoutMillis(config.timeout().toMillis());
        return request;
    }

    private static Filter filter(String template, String user, String dn) throws LDAPException {
        String text =
                VARIABLE.matcher(template)
                        .replaceAll(variable ->
                                Matcher.quoteReplacement(
                                        Filter.encodeValue(
                                                variable.group().equals("${dn}") ? dn : user)));
        return Filter.create(text);
    }

    private LDAPConnection connect() throws LDAPException, IOException {
        LDAPConnectionOptions options = new LDAPConnectionOptions();
        int millis = (int) config.timeout().toMillis();
        options.setConnectTimeoutMillis(millis);
        options.setResponseTimeoutMillis(millis);
        options.setFollowReferrals(false);
        options.setMaxMessageSize(MAX_MESSAGE_BYTES);
        boolean tls = "ldaps".equals(url.getScheme());
        if (tls) {
            options.setSSLSocketVerifier(new HostNameSSLSocketVerifier(true));
        }
        int port = url.getPort() >= 0 ? url.getPort() : tls ? TLS_PORT : CLEAR_PORT;
        return new LDAPConnection(sockets(), options, url.getHost(), port);
    }

    private SocketFactory sockets() throws IOException {
        if (!"ldaps".equals(url.getScheme())) {
            return SocketFactory.getDefault();
        }
        Path certificates = config.certificates();
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            TrustManager[] trusted = {
                certificates.toString().isEmpty()
                        ? TrustedCertificates.ofJdk()
                        : TrustedCertificates.of(certificates, "")
            };
            context.init(null, trusted, null);
            return context.getSocketFactory();
        } catch (GeneralSecurityException e) {
            throw new IOException(certificates + ": " + e.getMessage(), e);
        }
    }

    /// Read each time, so that it can be replaced.
    private String bindPassword() throws IOException {
        if (config.bindDn().isEmpty()) {
            return "";
        }
        PrivateFile.requireNotForOthers(config.bindPasswordFile());
        return SmallFile.read(config.bindPasswordFile(), MAX_PASSWORD_BYTES)
                .lines()
                .findFirst()
                .orElse("");
    }
}

package winnow.broker.identity;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPConnectionOptions;
import com.unboundid.ldap.sdk.LDAPException;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import javax.net.SocketFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;
import winnow.broker.config.PrivateFile;
import winnow.broker.config.SmallFile;
import winnow.wire.tls.TrustedCertificates;

/// Asks the servers of a directory, with what the files of the settings had when they were read.
/// Thread-safe.
final class LdapServers {
    /// An entry with some thousand groups takes less.
    private static final int MAX_MESSAGE_BYTES = 1 << 20;

    private static final int MAX_PASSWORD_BYTES = 4096;

    private final List<LdapUrl> urls;
    private final Duration timeout;
    private final LDAPConnectionOptions options;
    private final boolean startTls;

    /// Null if passwords go in clear text.
    private final @Nullable SSLSocketFactory tls;

    private final String bindPassword;

    /// Place in [#urls] of the server that answered last, which is asked first.
    private volatile int first;

    private LdapServers(LdapConfig config, @Nullable SSLSocketFactory tls, String bindPassword) {
        urls = config.servers();
        timeout = config.timeout();
        options = options(config);
        startTls = config.startTls();
        this.tls = tls;
        this.bindPassword = bindPassword;
    }

    /// Something that a server answers.
    @FunctionalInterface
    interface Question<T> {
        /// @throws LDAPException if the server could not be asked
        T ask(LdapSession session) throws LDAPException, RefusedIdentity;
    }

    /// Reads the files.
    ///
    /// @throws IOException naming setting and file if one cannot be used
    static LdapServers read(LdapConfig config) throws IOException {
        String password;
        try {
            password = bindPassword(config);
        } catch (IOException e) {
            throw new IOException("security.ldap.bind-password-file: " + e.getMessage(), e);
        }
        try {
            boolean secure = config.startTls() || config.servers().getFirst().tls();
            return new LdapServers(
                    config, secure ? trusting(config.certificates()) : null, password);
        } catch (IOException e) {
            throw new IOException("security.ldap.certificates: " + e.getMessage(), e);
        }
    }

    private static String bindPassword(LdapConfig config) throws IOException {
        if (config.bindDn().isEmpty()) {
            return "";
        }
        PrivateFile.requireNotForOthers(config.bindPasswordFile());
        return SmallFile.read(config.bindPasswordFile(), MAX_PASSWORD_BYTES)
                .lines()
                .findFirst()
                .filter(line -> !line.isEmpty())
                .orElseThrow(() ->
                        new IOException(
                                config.bindPasswordFile()
                                        + ": expected a password in the first line, found none"));
    }

    private static LDAPConnectionOptions options(LdapConfig config) {
        LDAPConnectionOptions options = new LDAPConnectionOptions();
        int millis = (int) config.timeout().toMillis();
        options.setConnectTimeoutMillis(millis);
        options.setResponseTimeoutMillis(millis);
        options.setFollowReferrals(false);
        options.setMaxMessageSize(MAX_MESSAGE_BYTES);
        options.setUseSynchronousMode(true);
        options.setBindWithDNRequiresPassword(true);
        return options;
    }

    private static SSLSocketFactory trusting(Path certificates) throws IOException {
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

    /// Password of the broker itself, empty if it has none.
    String bindPassword() {
        return bindPassword;
    }

    /// Asks one server after the other until one answers, each for a bounded time.
    ///
    /// @throws LDAPException of the last one if none answered
    <T> T ask(Question<T> question) throws LDAPException, RefusedIdentity {
        int begin = first;
        for (int i = 0; ; i++) {
            int place = (begin + i) % urls.size();
            try {
                T answer = ask(urls.get(place), question);
                first = place;
                return answer;
            } catch (RefusedIdentity e) {
                first = place;
                throw e;
            } catch (LDAPException e) {
                if (i == urls.size() - 1 || e.getResultCode().isConnectionUsable()) {
                    throw e;
                }
            }
        }
    }

    private <T> T ask(LdapUrl url, Question<T> question) throws LDAPException, RefusedIdentity {
        // The library lets one connection at a time use a factory in a handshake.
        LdapSockets sockets = tls == null ? null : new LdapSockets(tls);
        LDAPConnection connection =
                new LDAPConnection(
                        sockets == null || startTls ? SocketFactory.getDefault() : sockets,
                        options);
        connection.connect(url.host(), url.port());
        try (LdapSession session = new LdapSession(connection, sockets, timeout)) {
            try {
                if (startTls && sockets != null) {
                    session.startTls(sockets);
                }
                return question.ask(session);
            } catch (LDAPException e) {
                throw session.isOver() ? LdapSession.late(e) : e;
            }
        }
    }
}

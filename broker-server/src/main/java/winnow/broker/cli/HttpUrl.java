package winnow.broker.cli;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URLDecoder;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import winnow.wire.tls.TrustedCertificates;

/// Address of a broker's HTTP port and the certificates that are trusted there:
/// `https://host:port?trustStore=FILE`. The options have the names that those of a client's URL
/// have. Immutable.
final class HttpUrl {
    private static final String TRUST_STORE = "trustStore";
    private static final String TRUST_STORE_PASSWORD = "trustStorePassword";
    private static final String VERIFY_HOST = "verifyHost";
    private static final String TRUST_ALL = "trustAll";
    private static final List<String> OPTIONS =
            List.of(TRUST_STORE, TRUST_STORE_PASSWORD, VERIFY_HOST, TRUST_ALL);

    private final String base;
    private final Map<String, String> options;

    private HttpUrl(String base, Map<String, String> options) {
        this.base = base;
        this.options = Map.copyOf(options);
    }

    /// Reads the text form.
    ///
    /// @throws IllegalArgumentException with what was expected and what was found, but no password
    static HttpUrl parse(String url) {
        int mark = url.indexOf('?');
        String base = mark < 0 ? url : url.substring(0, mark);
        if (url.contains("@")) {
            throw new IllegalArgumentException(
                    "--url: expected host and port only, found more; give the user by --user and"
                            + " the password by --password-file or $WINNOW_PASSWORD");
        }
        if (!base.matches("https?://.+")) {
            throw new IllegalArgumentException(
                    "--url: expected one such as http://127.0.0.1:8161, found '" + base + "'");
        }
        Map<String, String> options =
                mark < 0 ? Map.of() : options(url.substring(mark + 1).split("&", -1));
        if (!options.isEmpty() && !base.startsWith("https://")) {
            throw new IllegalArgumentException(
                    "--url: expected https:// with "
                            + String.join(", ", OPTIONS)
                            + ", found http://");
        }
        return new HttpUrl(base.replaceFirst("/+$", ""), options);
    }

    private static Map<String, String> options(String... parts) {
        Map<String, String> options = new HashMap<>();
        for (String part : parts) {
            int equals = part.indexOf('=');
            String key = part.substring(0, Math.max(0, equals));
            if (!OPTIONS.contains(key)) {
                throw new IllegalArgumentException(
                        "--url: expected behind '?' one of "
                                + String.join("=…, ", OPTIONS)
                                + "=…, found another option");
            }
            String value = part.substring(equals + 1).replace("+", "%2B");
            options.put(key, URLDecoder.decode(value, StandardCharsets.UTF_8));
        }
        requireBoolean(options, VERIFY_HOST);
        requireBoolean(options, TRUST_ALL);
        return options;
    }

    private static void requireBoolean(Map<String, String> options, String key) {
        String value = options.getOrDefault(key, "true");
        if (!value.equals("true") && !value.equals("false")) {
            throw new IllegalArgumentException(
                    "--url: option " + key + ": expected true or false, found '" + value + "'");
        }
    }

    /// Scheme, host and port.
    String base() {
        return base;
    }

    /// True if nobody else can read what is sent there: by TLS or because it is on this machine.
    boolean isConfidential() {
        if (base.startsWith("https:")) {
            return true;
        }
        try {
            String host = URI.create(base).getHost();
            return host != null && InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException | IllegalArgumentException _) {
            return false; // connecting tells what is wrong
        }
    }

    /// Context that checks the certificate of the port.
    ///
    /// @throws IOException naming the file if it cannot be used
    SSLContext tls() throws IOException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {trust()}, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException("TLS: " + e.getMessage(), e);
        }
    }

    private X509ExtendedTrustManager trust() throws IOException {
        boolean all = options.getOrDefault(TRUST_ALL, "false").equals("true");
        boolean verifyHost = options.getOrDefault(VERIFY_HOST, "true").equals("true");
        X509ExtendedTrustManager trusted = trusted();
        return verifyHost && !all ? trusted : new AnyHost(trusted, all);
    }

    private X509ExtendedTrustManager trusted() throws IOException {
        String file = options.getOrDefault(TRUST_STORE, "");
        if (file.isEmpty()) {
            return TrustedCertificates.ofJdk();
        }
        try {
            return TrustedCertificates.of(
                    Path.of(file), options.getOrDefault(TRUST_STORE_PASSWORD, ""));
        } catch (NoSuchFileException e) {
            throw new IOException(TRUST_STORE + ": " + file + ": no such file", e);
        } catch (IOException e) {
            throw new IOException(TRUST_STORE + ": " + e.getMessage(), e);
        }
    }

    /// Checks who signed a certificate, or nothing at all, but not for which host it is.
    private static final class AnyHost extends X509ExtendedTrustManager {
        private final X509ExtendedTrustManager trusted;
        private final boolean all;

        AnyHost(X509ExtendedTrustManager trusted, boolean all) {
            this.trusted = trusted;
            this.all = all;
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type)
                throws CertificateException {
            if (!all) {
                trusted.checkServerTrusted(chain, type);
            }
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            checkServerTrusted(chain, type);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            checkServerTrusted(chain, type);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type)
                throws CertificateException {
            throw new CertificateException("a client does not trust clients");
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            checkClientTrusted(chain, type);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            checkClientTrusted(chain, type);
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return trusted.getAcceptedIssuers();
        }
    }
}

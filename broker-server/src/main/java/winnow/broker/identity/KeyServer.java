package winnow.broker.identity;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;
import winnow.wire.Printable;
import winnow.wire.tls.TrustedCertificates;

/// Keys of an issuer on a web server. Follows no redirection. Used by one thread.
final class KeyServer implements KeySource {
    /// Time for everything from the connection to the last byte, less than the default of
    /// `transport.handshake-timeout`, since clients wait.
    private static final Duration TIMEOUT = Duration.ofSeconds(4);

    private final URI url;
    private final Path certificates;
    private final Duration timeout;
    private volatile @Nullable HttpClient client;

    /// @param certificates that the server's own must be signed by, empty for those of the JDK
    KeyServer(URI url, Path certificates) {
        this(url, certificates, TIMEOUT);
    }

    KeyServer(URI url, Path certificates, Duration timeout) {
        this.url = url;
        this.certificates = certificates;
        this.timeout = timeout;
    }

    /// Checks the text of a URL.
    ///
    /// @throws IllegalArgumentException if the keys could not be read from there, or could be
    ///   replaced by others on their way
    static void requireUsable(String text) {
        URI url;
        try {
            url = URI.create(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "keys: expected a URL, found '" + text + "': " + e.getMessage(), e);
        }
        String host = url.getHost();
        boolean clear = "http".equals(url.getScheme());
        if ((!clear && !"https".equals(url.getScheme())) || host == null) {
            throw new IllegalArgumentException(
                    "keys: expected https://HOST/PATH or a file, found '" + text + "'");
        }
        if (url.getUserInfo() != null || url.getFragment() != null) {
            throw new IllegalArgumentException(
                    "keys: expected a URL without a user and without '#', found '" + text + "'");
        }
        if (clear && !isLoopback(host)) {
            throw new IllegalArgumentException(
                    "keys: expected https://, because others could replace what comes by http://"
                            + " from beyond this machine, found '"
                            + text
                            + "'");
        }
    }

    static boolean isLoopback(String host) {
        if (host.equals("localhost")) {
            return true;
        }
        try {
            return InetAddress.ofLiteral(host).isLoopbackAddress();
        } catch (IllegalArgumentException _) {
            return false;
        }
    }

    @Override
    public String read() throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(url)
                        .header("Accept", "application/jwk-set+json, application/json")
                        .timeout(timeout)
                        .build();
        CompletableFuture<HttpResponse<String>> answer =
                client().sendAsync(
                                request,
                                HttpResponse.BodyHandlers.limiting(
                                        HttpResponse.BodyHandlers.ofString(), MAX_BYTES));
        try {
            HttpResponse<String> response = answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            if (response.statusCode() != 200) {
                throw new IOException(
                        "%s: expected status 200, found %d".formatted(url, response.statusCode()));
            }
            return response.body();
        } catch (TimeoutException e) {
            throw new IOException(
                    "%s: expected the keys within %d ms, found no end"
                            .formatted(url, timeout.toMillis()),
                    e);
        } catch (ExecutionException e) {
            throw new IOException(url + ": " + reason(e), e);
        } finally {
            answer.cancel(true);
        }
    }

    private static String reason(ExecutionException failure) {
        Throwable innermost = failure;
        while (innermost.getCause() != null) {
            innermost = innermost.getCause();
        }
        return Printable.of(
                innermost.getMessage() == null
                        ? innermost.getClass().getSimpleName()
                        : innermost.getMessage());
    }

    /// Made anew after a failure to read the certificates, which may be there later.
    private HttpClient client() throws IOException {
        HttpClient made = client;
        if (made == null) {
            HttpClient.Builder builder =
                    HttpClient.newBuilder()
                            .version(HttpClient.Version.HTTP_1_1)
                            .followRedirects(HttpClient.Redirect.NEVER)
                            .connectTimeout(timeout);
            if (!certificates.toString().isEmpty()) {
                builder.sslContext(tls());
            }
            made = builder.build();
            client = made;
        }
        return made;
    }

    private SSLContext tls() throws IOException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            TrustManager[] trusted = {TrustedCertificates.of(certificates, "")};
            context.init(null, trusted, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException(certificates + ": " + e.getMessage(), e);
        }
    }

    @Override
    public String name() {
        return url.toString();
    }

    @Override
    public void close() {
        HttpClient made = client;
        if (made != null) {
            made.shutdownNow();
        }
    }
}

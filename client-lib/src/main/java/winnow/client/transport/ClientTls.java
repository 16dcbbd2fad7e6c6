package winnow.client.transport;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.IdentityCipherSuiteFilter;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;
import winnow.client.transport.endpoint.GivenTls;
import winnow.client.transport.endpoint.LocalFailure;
import winnow.client.transport.endpoint.TlsOptions;
import winnow.client.transport.endpoint.TransportException;
import winnow.wire.tls.Identity;
import winnow.wire.tls.TrustedCertificates;

/// The TLS of connections with the same options and files: made once, because reading the JDK's
/// certificates takes long, and because a session that is resumed costs less than a new one.
/// Thread-safe.
public final class ClientTls {
    private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};
    private static final int MAX_KEPT = 16;

    private static final Map<Origin, ClientTls> KEPT =
            new LinkedHashMap<>(MAX_KEPT, 0.75f, true) {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<Origin, ClientTls> eldest) {
                    return size() > MAX_KEPT;
                }
            };

    private final SslContext context;
    private final boolean verifiesHost;

    /// Options and file times that it was made from.
    private record Origin(TlsOptions options, FileTime trustTime, FileTime keyTime) {}

    private ClientTls(SslContext context, boolean verifiesHost) {
        this.context = context;
        this.verifiesHost = verifiesHost;
    }

    /// @throws TransportException naming option and file if they cannot be used
    public static ClientTls of(TlsOptions options) throws TransportException {
        try {
            Origin origin =
                    new Origin(options, time(options.trustStore()), time(options.keyStore()));
            synchronized (KEPT) {
                ClientTls kept = KEPT.get(origin);
                if (kept == null) {
                    kept = make(options);
                    KEPT.put(origin, kept);
                }
                return kept;
            }
        } catch (NoSuchFileException e) {
            throw unusable(e.getFile() + ": no such file", e);
        } catch (IOException | InvalidPathException e) {
            throw unusable(String.valueOf(e.getMessage()), e);
        }
    }

    private static TransportException unusable(String text, Exception e) {
        return new TransportException(
                LocalFailure.TLS_FAILED, "trustStore or keyStore cannot be used: " + text, e);
    }

    private static FileTime time(String file) throws IOException {
        return file.isEmpty() ? FileTime.fromMillis(0) : Files.getLastModifiedTime(Path.of(file));
    }

    private static ClientTls make(TlsOptions options) throws IOException {
        GivenTls given = options.given();
        return given == null ? ofFiles(options) : of(given, options.verifyHost());
    }

    private static ClientTls of(GivenTls given, boolean verifyHost) {
        List<String> protocols = given.protocols();
        SslContext context =
                new JdkSslContext(
                        given.context(),
                        true,
                        given.ciphers(),
                        IdentityCipherSuiteFilter.INSTANCE,
                        null,
                        ClientAuth.NONE,
                        protocols == null ? PROTOCOLS : protocols.toArray(String[]::new),
                        false);
        return new ClientTls(context, verifyHost);
    }

    private static ClientTls ofFiles(TlsOptions options) throws IOException {
        SslContextBuilder builder =
                SslContextBuilder.forClient().sslProvider(SslProvider.JDK).protocols(PROTOCOLS);
        if (options.trustAll()) {
            builder.trustManager(InsecureTrustManagerFactory.INSTANCE);
        } else if (options.trustStore().isEmpty()) {
            builder.trustManager(new ExplainedTrust(TrustedCertificates.ofJdk()));
        } else {
            builder.trustManager(
                    new ExplainedTrust(
                            TrustedCertificates.of(
                                    Path.of(options.trustStore()), options.trustStorePassword())));
        }
        if (!options.keyStore().isEmpty()) {
            Path file = Path.of(options.keyStore());
            Identity own = Identity.read(file, file, options.keyStorePassword());
            builder.keyManager(own.key(), own.chain());
        }
        return new ClientTls(builder.build(), options.verifyHost() && !options.trustAll());
    }

    /// A handler for a connection that begins.
    ///
    /// @param host that the certificate must be for
    public SslHandler newHandler(ByteBufAllocator allocator, String host, int port) {
        SslHandler handler = context.newHandler(allocator, host, port);
        SSLParameters parameters = handler.engine().getSSLParameters();
        // Said in either case, because the default is another from Netty 4.2 on.
        parameters.setEndpointIdentificationAlgorithm(verifiesHost ? "HTTPS" : "");
        handler.engine().setSSLParameters(parameters);
        // The waiting thread alone watches the time.
        handler.setHandshakeTimeoutMillis(0);
        return handler;
    }

    /// Failure that says what is wrong, as a sentence about "it".
    static TransportException failure(Throwable cause) {
        Throwable inner = cause;
        while (inner.getCause() != null && !(inner instanceof UntrustedException)) {
            inner = inner.getCause();
        }
        // Its text is the bytes that were found, which tell people nothing.
        @Nullable Throwable told = isNoRecord(inner) ? null : cause;
        return new TransportException(LocalFailure.TLS_FAILED, text(cause, inner), told);
    }

    private static boolean isNoRecord(Throwable inner) {
        return String.valueOf(inner.getMessage()).contains("not an SSL/TLS record");
    }

    private static String text(Throwable cause, Throwable inner) {
        String said = inner.getMessage() == null ? inner.toString() : inner.getMessage();
        if (inner instanceof UntrustedException) {
            return said;
        }
        if (isNoRecord(inner)) {
            return "it does not speak TLS: use winnow://, or the port of the broker that does";
        }
        if (said.contains("fatal alert")) {
            String alert = said.substring(said.lastIndexOf(' ') + 1);
            return switch (alert) {
                case "certificate_required", "bad_certificate", "unknown_ca" ->
                        "it does not accept the client's certificate (alert %s): name one by"
                                        .formatted(alert)
                                + " keyStore";
                case "protocol_version" ->
                        "it speaks neither TLS 1.2 nor TLS 1.3, or no TLS (alert protocol_version)";
                default -> "it ended the TLS handshake (alert " + alert + ")";
            };
        }
        String what = cause instanceof SSLException ? "TLS: " : "the TLS handshake failed: ";
        return what + said;
    }
}

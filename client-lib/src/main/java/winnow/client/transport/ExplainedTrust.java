package winnow.client.transport;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/// Trusts what another manager trusts, and says in words why it does not. Thread-safe.
final class ExplainedTrust extends X509ExtendedTrustManager {
    private static final int MAX_NAMES = 5;

    private final X509ExtendedTrustManager trust;

    ExplainedTrust(X509ExtendedTrustManager trust) {
        this.trust = trust;
    }

    private interface Check {
        void run() throws CertificateException;
    }

    private static void check(X509Certificate[] chain, @Nullable String host, Check check)
            throws CertificateException {
        try {
            check.run();
        } catch (CertificateException e) {
            throw new UntrustedException(reason(chain[0], host, e), e);
        }
    }

    private static String reason(
            X509Certificate certificate, @Nullable String host, CertificateException failure) {
        String name = certificate.getSubjectX500Principal().getName();
        if (isCausedBy(failure, CertificateExpiredException.class)) {
            return "its certificate (%s) or one of its issuers' has expired; its own ends at %s"
                    .formatted(name, certificate.getNotAfter().toInstant());
        }
        if (isCausedBy(failure, CertificateNotYetValidException.class)) {
            return "its certificate (%s) is not valid yet; it begins at %s"
                    .formatted(name, certificate.getNotBefore().toInstant());
        }
        String text = String.valueOf(failure.getMessage());
        if (text.contains("valid certification path") || text.contains("trustAnchors")) {
            return "its certificate (%s) is signed by an issuer that is not trusted (%s): name the"
                            .formatted(name, certificate.getIssuerX500Principal().getName())
                    + " issuer's certificate by trustStore";
        }
        if (host != null && text.startsWith("No ")) {
            return "its certificate is for %s, not for %s: connect to a name that is in it, or set"
                            .formatted(names(certificate), host)
                    + " verifyHost=false";
        }
        return "its certificate (%s) is not trusted: %s".formatted(name, text);
    }

    private static boolean isCausedBy(Throwable failure, Class<?> kind) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (kind.isInstance(cause)) {
                return true;
            }
        }
        return false;
    }

    private static String names(X509Certificate certificate) {
        try {
            Collection<List<?>> names = certificate.getSubjectAlternativeNames();
            if (names != null && !names.isEmpty()) {
                return names.stream()
                        .limit(MAX_NAMES)
                        .map(one -> String.valueOf(one.get(1)))
                        .collect(Collectors.joining(", "));
            }
        } catch (CertificateParsingException e) {
            return "names that cannot be read";
        }
        return certificate.getSubjectX500Principal().getName() + " without alternative names";
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
            throws CertificateException {
        check(chain, engine.getPeerHost(), () -> trust.checkServerTrusted(chain, type, engine));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
            throws CertificateException {
        check(chain, null, () -> trust.checkServerTrusted(chain, type, socket));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type)
            throws CertificateException {
        check(chain, null, () -> trust.checkServerTrusted(chain, type));
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
            throws CertificateException {
        trust.checkClientTrusted(chain, type, engine);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
            throws CertificateException {
        trust.checkClientTrusted(chain, type, socket);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type)
            throws CertificateException {
        trust.checkClientTrusted(chain, type);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return trust.getAcceptedIssuers();
    }
}

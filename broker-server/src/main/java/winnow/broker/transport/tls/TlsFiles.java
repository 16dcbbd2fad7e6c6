package winnow.broker.transport.tls;

import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.TrustManager;
import winnow.broker.config.FileProblem;
import winnow.broker.config.PrivateFile;
import winnow.broker.config.SmallFile;
import winnow.wire.tls.Identity;
import winnow.wire.tls.TrustedCertificates;

/// The files that the settings of TLS name, read and checked. Immutable.
public final class TlsFiles {
    private static final int MAX_PASSWORD_BYTES = 64 * 1024;
    private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};

    private final TlsConfig config;

    public TlsFiles(TlsConfig config) {
        this.config = config;
    }

    /// Everything that keeps the files from being used: each of them is opened.
    public List<String> problems() {
        List<String> problems = new ArrayList<>();
        named().forEach((name, file) -> {
            try (InputStream in = Files.newInputStream(file)) {
                var _ = in.read();
            } catch (IOException e) {
                problems.add(name + ": " + FileProblem.of(file, e).getMessage());
            }
        });
        if (problems.isEmpty()) {
            findProblems(problems);
        }
        return problems;
    }

    /// The files by the names of their settings.
    private Map<String, Path> named() {
        Map<String, Path> named = new LinkedHashMap<>();
        named.put("tls.certificate", config.certificate());
        named.put("tls.key", config.key());
        named.put("tls.password-file", config.passwordFile());
        named.put("tls.client-certificates", config.clientCertificates());
        named.values().removeIf(file -> file.toString().isEmpty());
        return named;
    }

    private void findProblems(List<String> problems) {
        try {
            String password = password();
            if (config.clientAuth() != TlsConfig.ClientAuthentication.NONE) {
                check(problems, () -> trusted(password));
            }
            check(problems, () -> identity(password));
            if (problems.isEmpty()) {
                check(problems, () -> context(identity(password), password));
            }
        } catch (IOException e) {
            problems.add(String.valueOf(e.getMessage()));
        }
    }

    private interface Reading {
        Object read() throws IOException;
    }

    private static void check(List<String> problems, Reading reading) {
        try {
            reading.read();
        } catch (IOException e) {
            problems.add(String.valueOf(e.getMessage()));
        }
    }

    /// Reads the files.
    ///
    /// @throws IOException naming setting and file if they cannot be used
    TlsCertificates.Loaded load() throws IOException {
        List<FileTime> times = times();
        String password = password();
        Identity identity = identity(password);
        X509Certificate[] chain = identity.chain();
        return new TlsCertificates.Loaded(context(identity, password), chain[0], end(chain), times);
    }

    /// Time of the last change of the files.
    List<FileTime> times() throws IOException {
        List<FileTime> times = new ArrayList<>();
        for (Map.Entry<String, Path> one : named().entrySet()) {
            try {
                times.add(Files.getLastModifiedTime(one.getValue()));
            } catch (IOException e) {
                throw new IOException(
                        one.getKey() + ": " + FileProblem.of(one.getValue(), e).getMessage(), e);
            }
        }
        return times;
    }

    private Identity identity(String password) throws IOException {
        try {
            PrivateFile.requireNotForOthers(config.keyFile());
            return Identity.read(config.certificate(), config.keyFile(), password);
        } catch (IOException e) {
            throw new IOException("tls.certificate, tls.key: " + e.getMessage(), e);
        }
    }

    private SslContext context(Identity identity, String password) throws IOException {
        SslContextBuilder builder =
                SslContextBuilder.forServer(identity.key(), identity.chain())
                        .sslProvider(SslProvider.JDK)
                        .protocols(PROTOCOLS);
        if (config.clientAuth() != TlsConfig.ClientAuthentication.NONE) {
            askForCertificates(builder, password);
        }
        return builder.build();
    }

    private void askForCertificates(SslContextBuilder builder, String password) throws IOException {
        builder.clientAuth(
                config.clientAuth() == TlsConfig.ClientAuthentication.NEED
                        ? ClientAuth.REQUIRE
                        : ClientAuth.OPTIONAL);
        builder.trustManager(trusted(password));
    }

    private TrustManager trusted(String password) throws IOException {
        try {
            return TrustedCertificates.of(config.clientCertificates(), password);
        } catch (IOException e) {
            throw new IOException("tls.client-certificates: " + e.getMessage(), e);
        }
    }

    private String password() throws IOException {
        Path file = config.passwordFile();
        if (file.toString().isEmpty()) {
            return "";
        }
        try {
            PrivateFile.requireNotForOthers(file);
            return SmallFile.read(file, MAX_PASSWORD_BYTES).lines().findFirst().orElse("");
        } catch (IOException e) {
            throw new IOException("tls.password-file: " + e.getMessage(), e);
        }
    }

    private static Instant end(X509Certificate[] chain) {
        Instant end = Instant.MAX;
        for (X509Certificate one : chain) {
            Instant next = one.getNotAfter().toInstant();
            end = next.isBefore(end) ? next : end;
        }
        return end;
    }
}

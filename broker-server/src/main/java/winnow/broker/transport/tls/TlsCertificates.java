package winnow.broker.transport.tls;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.nio.file.attribute.FileTime;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.broker.fault.FatalErrors;

/// The broker's certificate and key as files say, and the TLS handlers made with them. Its thread
/// looks at the files now and then, and does the costly part of handshakes, so that they neither
/// delay messages nor take more than one processor. Thread-safe.
public final class TlsCertificates implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TlsCertificates.class);

    /// Time for which a closing connection waits for its last bytes to leave.
    private static final int CLOSE_MILLIS = 1000;

    /// A certificate that ends so soon is worth a line in the log.
    private static final Duration SOON = Duration.ofDays(14);

    static {
        // A client may begin one handshake. Under TLS 1.2 it could else begin one after the other
        // on its connection, without a slot. The JDK reads this before its first handshake.
        System.setProperty("jdk.tls.rejectClientInitiatedRenegotiation", "true");
    }

    private final TlsFiles files;
    private final HandshakeSlots slots;
    private final ScheduledThreadPoolExecutor executor;
    private volatile Loaded current;
    private volatile List<FileTime> seen;

    /// Contents of the files, read and checked.
    ///
    /// @param own the broker's certificate
    /// @param end when it expires, or an issuer's that is sent with it if that is sooner
    /// @param times when the files were last changed
    public record Loaded(
            SslContext context, X509Certificate own, Instant end, List<FileTime> times) {
        public Loaded {
            times = List.copyOf(times);
        }
    }

    /// Reads the files.
    ///
    /// @throws IOException naming setting and file if they cannot be used
    public TlsCertificates(TlsConfig config) throws IOException {
        files = new TlsFiles(config);
        slots = new HandshakeSlots(config.maxHandshakes());
        current = load();
        seen = current.times();
        tell(current.own());
        executor =
                new ScheduledThreadPoolExecutor(
                        1,
                        task -> {
                            Thread thread = new Thread(task, "winnow-tls");
                            thread.setDaemon(true);
                            return thread;
                        });
        long millis = config.reloadInterval().toMillis();
        if (millis > 0) {
            executor.scheduleWithFixedDelay(this::look, millis, millis, TimeUnit.MILLISECONDS);
        }
    }

    /// Reads the files anew.
    ///
    /// @throws IOException naming setting and file if they cannot be used
    public Loaded load() throws IOException {
        return files.load();
    }

    /// Puts what was read into force for new connections; those that are open stay.
    public synchronized void use(Loaded loaded) {
        seen = loaded.times();
        current = loaded;
        tell(loaded.own());
    }

    /// Looks at the files; what cannot be used is told once, not at each look.
    void look() {
        try {
            List<FileTime> times = fileTimesOrNone();
            if (!times.equals(seen)) {
                seen = times;
                use(load());
            }
        } catch (IOException e) {
            LOG.error("The TLS certificate in force stays, because of {}", e.getMessage());
        } catch (RuntimeException | Error fault) {
            FatalErrors.endIfFatal(fault);
            LOG.error("Cannot look at the files of the TLS certificate", fault);
        }
    }

    /// Empty while a file is missing, which reading the files then tells.
    private List<FileTime> fileTimesOrNone() {
        try {
            return files.times();
        } catch (IOException _) {
            return List.of();
        }
    }

    private static void tell(X509Certificate certificate) {
        Instant end = certificate.getNotAfter().toInstant();
        String name = certificate.getSubjectX500Principal().getName();
        if (end.isBefore(Instant.now())) {
            LOG.error("The TLS certificate of {} ended at {}; clients refuse it", name, end);
        } else if (end.isBefore(Instant.now().plus(SOON))) {
            LOG.warn("The TLS certificate of {} ends at {}; clients refuse it then", name, end);
        } else {
            LOG.info("The TLS certificate of {} is in force until {}", name, end);
        }
    }

    /// When the certificate in force expires, or an issuer's that is sent with it if that is
    /// sooner.
    public Instant end() {
        return current.end();
    }

    /// Handshakes under way.
    public HandshakeSlots slots() {
        return slots;
    }

    /// A handler for a connection that begins.
    public SslHandler newHandler(ByteBufAllocator allocator) throws SSLException {
        SslHandler handler = current.context().newHandler(allocator, executor);
        // The connection's own deadline counts from its first byte on.
        handler.setHandshakeTimeoutMillis(0);
        handler.setCloseNotifyFlushTimeoutMillis(CLOSE_MILLIS);
        return handler;
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}

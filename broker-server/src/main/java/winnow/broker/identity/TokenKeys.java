package winnow.broker.identity;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.broker.fault.FatalErrors;
import winnow.broker.fault.LogQuota;

/// The issuer's keys as they were last read. They are read again at intervals and when somebody
/// asks for it, on a thread of its own, one read at a time and with a pause between two; those that
/// were read last stay until others could be read. Thread-safe: by its own lock.
final class TokenKeys implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TokenKeys.class);

    /// Pause between two reads, however many unknown keys clients name.
    static final Duration PAUSE = Duration.ofSeconds(5);

    private final KeySource source;
    private final long pauseNanos;
    private final LogQuota quota = new LogQuota();
    private final ScheduledThreadPoolExecutor executor;
    private volatile IssuerKeys current;
    private volatile boolean failed;

    /// Ends with the read that is under way or will be next; null if there is none.
    private @Nullable CompletableFuture<Void> next;

    /// When the last read ended, null before it.
    private @Nullable Long endedNanos;

    private TokenKeys(KeySource source, IssuerKeys first, Duration pause) {
        this.source = source;
        this.current = first;
        this.pauseNanos = pause.toNanos();
        executor =
                new ScheduledThreadPoolExecutor(
                        1,
                        task -> {
                            Thread thread = new Thread(task, "winnow-token-keys");
                            thread.setDaemon(true);
                            return thread;
                        });
        executor.setRemoveOnCancelPolicy(true);
    }

    /// Keys of a file are read at once; those of a server are asked for, because it may answer
    /// later.
    ///
    /// @param interval between reads that nobody asks for
    /// @param pause between any two
    /// @throws IOException naming the file if it cannot be used
    static TokenKeys open(KeySource source, Duration interval, Duration pause) throws IOException {
        boolean local = source instanceof KeyFile;
        TokenKeys keys = new TokenKeys(source, local ? readSome(source) : IssuerKeys.NONE, pause);
        if (!local) {
            var _ = keys.refresh();
        }
        long millis = interval.toMillis();
        var _ =
                keys.executor.scheduleWithFixedDelay(
                        keys::refresh, millis, millis, TimeUnit.MILLISECONDS);
        return keys;
    }

    private static IssuerKeys readSome(KeySource source) throws IOException {
        return IssuerKeys.parseSome(text(source), source.name());
    }

    private static String text(KeySource source) throws IOException {
        try {
            return source.read();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(source.name() + ": interrupted", e);
        }
    }

    /// The keys to verify with.
    IssuerKeys current() {
        return current;
    }

    /// True if the last read failed.
    boolean failed() {
        return failed;
    }

    /// Reads a file of keys that are [used][#use] later.
    ///
    /// @return null if they are those of a server, which are not waited for
    /// @throws IOException naming the file if it cannot be used
    @Nullable IssuerKeys readFile() throws IOException {
        return source instanceof KeyFile ? readSome(source) : null;
    }

    /// Puts keys into force.
    void use(IssuerKeys keys) {
        current = keys;
        failed = false;
    }

    /// Has the keys read soon.
    ///
    /// @return done when they were, or could not be
    synchronized CompletionStage<Void> refresh() {
        CompletableFuture<Void> waiting = next;
        if (waiting == null) {
            waiting = new CompletableFuture<>();
            next = waiting;
            try {
                executor.schedule(this::fetch, pauseLeft(), TimeUnit.NANOSECONDS);
            } catch (RejectedExecutionException _) {
                // The broker is stopping.
                waiting.complete(null);
            }
        }
        return waiting;
    }

    private long pauseLeft() {
        Long ended = endedNanos;
        return ended == null ? 0 : Math.max(0, ended + pauseNanos - System.nanoTime());
    }

    private void fetch() {
        try {
            IssuerKeys before = current;
            IssuerKeys found = IssuerKeys.parse(text(source), source.name());
            use(found);
            if (found.keys().isEmpty()) {
                LOG.warn(
                        "The issuer of tokens has no key that can be used (security.tokens.keys):"
                                + " no token is good");
            } else if (!found.equals(before)) {
                LOG.info("Read {} keys of the issuer of tokens", found.keys().size());
            }
        } catch (Throwable failure) {
            FatalErrors.endIfFatal(failure);
            failed = true;
            quota.log(leftOut ->
                    LOG.warn(
                            "Cannot read the keys of the issuer of tokens (security.tokens.keys);"
                                    + " those that are known stay: {}{}",
                            failure instanceof IOException ? failure.getMessage() : failure,
                            leftOut));
        }
        CompletableFuture<Void> waiting;
        synchronized (this) {
            endedNanos = System.nanoTime();
            waiting = next;
            next = null;
        }
        if (waiting != null) {
            waiting.complete(null);
        }
    }

    @Override
    public void close() {
        executor.shutdownNow();
        source.close();
        CompletableFuture<Void> waiting;
        synchronized (this) {
            waiting = next;
        }
        if (waiting != null) {
            waiting.complete(null);
        }
    }
}

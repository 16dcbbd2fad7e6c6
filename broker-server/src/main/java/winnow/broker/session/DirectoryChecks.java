package winnow.broker.session;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.broker.fault.FatalErrors;
import winnow.broker.identity.LdapUsers;
import winnow.broker.identity.ProvenUser;
import winnow.broker.identity.RefusedIdentity;

/// Checks passwords by a directory, on threads that wait for it; [CheckOrder] says which comes next
/// and which are too many. A password that was right is remembered for a while, as a keyed digest.
/// Thread-safe: by its own lock.
final class DirectoryChecks implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DirectoryChecks.class);

    static final int MAX_WAITING = 256;

    private static final int MAX_REMEMBERED = 1_000;

    private static final String FULL = "too many authentications are waiting, try again";

    private final Asking asking;
    private final long rememberNanos;
    private final LongSupplier nanoClock;
    private final int threads;
    private final SecretKeySpec digestKey;
    private final ThreadPoolExecutor executor;
    private final CheckOrder<DirectoryCheck> order = new CheckOrder<>();

    /// In the order in which they came, without those that run.
    private final Set<DirectoryCheck> waiting = new LinkedHashSet<>();

    private final Map<String, Remembered> remembered =
            new LinkedHashMap<>() {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Remembered> eldest) {
                    return size() > MAX_REMEMBERED;
                }
            };

    private int working;
    private boolean closed;

    /// Asks the directory.
    @FunctionalInterface
    interface Asking {
        /// @throws RefusedIdentity if it does not say that the password is right
        ProvenUser ask(String user, String password) throws RefusedIdentity;
    }

    /// A user whose password was right, until a time.
    private record Remembered(ProvenUser user, long untilNanos) {}

    DirectoryChecks(LdapUsers directory, LongSupplier nanoClock) {
        this(
                directory::check,
                directory.config().connections(),
                directory.config().remember().toNanos(),
                nanoClock);
    }

    /// @param threads so many wait for the directory at a time
    /// @param rememberNanos time for which a password that was right is not asked about again
    DirectoryChecks(Asking asking, int threads, long rememberNanos, LongSupplier nanoClock) {
        this.asking = asking;
        this.threads = threads;
        this.rememberNanos = rememberNanos;
        this.nanoClock = nanoClock;
        byte[] key = new byte[32];
        new SecureRandom().nextBytes(key);
        digestKey = new SecretKeySpec(key, "HmacSHA256");
        executor =
                new ThreadPoolExecutor(
                        threads,
                        threads,
                        30,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(),
                        task -> {
                            Thread thread = new Thread(task, "winnow-directory");
                            thread.setDaemon(true);
                            return thread;
                        });
        executor.allowCoreThreadTimeOut(true);
    }

    /// @param digest of user and password
    private record DirectoryCheck(
            String user,
            String password,
            String digest,
            CheckOrder.Origin origin,
            Consumer<LoginResult> result)
            implements CheckOrder.Waiting {
        @Override
        public boolean equals(@Nullable Object other) {
            return this == other;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(this);
        }

        /// Without the password.
        @Override
        public String toString() {
            return "DirectoryCheck[user=" + user + "]";
        }
    }

    /// Tells the result as [Authenticator#authenticate] does.
    ///
    /// @return gives the attempt up
    Runnable check(
            String user, String password, String address, Consumer<LoginResult> result) {
        DirectoryCheck check =
                new DirectoryCheck(
                        user,
                        password,
                        digest(user, password),
                        new CheckOrder.Origin(address, digest(address, user)),
                        result);
        ProvenUser known = remembered(check);
        if (known != null) {
            result.accept(LoginResult.of(known));
            return () -> {};
        }
        DirectoryCheck refused = add(check);
        if (refused != null) {
            tell(refused, LoginResult.refused(FULL));
        }
        return () -> giveUp(check);
    }

    private synchronized @Nullable ProvenUser remembered(DirectoryCheck check) {
        Remembered found = remembered.get(check.digest);
        if (found == null) {
            return null;
        }
        if (found.untilNanos - nanoClock.getAsLong() > 0) {
            return found.user;
        }
        remembered.remove(check.digest);
        return null;
    }

    /// @return one for which there is no room any more, perhaps this one; null if there is
    private synchronized @Nullable DirectoryCheck add(DirectoryCheck check) {
        DirectoryCheck displaced = null;
        if (closed) {
            return check;
        }
        if (waiting.size() >= MAX_WAITING) {
            displaced = CheckOrder.leastEntitled(waiting, check);
            if (displaced == check) {
                return check;
            }
            waiting.remove(displaced);
        }
        waiting.add(check);
        if (working < threads) {
            working++;
            executor.execute(this::runAll);
        }
        return displaced;
    }

    private void runAll() {
        for (DirectoryCheck check = next(); check != null; check = next()) {
            run(check);
        }
    }

    private synchronized @Nullable DirectoryCheck next() {
        DirectoryCheck next = closed ? null : order.next(waiting);
        if (next == null) {
            working--;
        } else {
            waiting.remove(next);
        }
        return next;
    }

    private void run(DirectoryCheck check) {
        try {
            ProvenUser user = asking.ask(check.user, check.password);
            remember(check, user);
            tell(check, LoginResult.of(user));
        } catch (RefusedIdentity e) {
            tell(check, LoginResult.refused(String.valueOf(e.getMessage())));
        } catch (Throwable fault) {
            FatalErrors.endIfFatal(fault);
            LOG.error("Cannot check the password of a user by the directory", fault);
            tell(
                    check,
                    LoginResult.refused(
                            "the password could not be checked; the broker's log says why"));
        }
    }

    private synchronized void remember(DirectoryCheck check, ProvenUser user) {
        if (rememberNanos > 0) {
            remembered.put(
                    check.digest, new Remembered(user, nanoClock.getAsLong() + rememberNanos));
        }
    }

    /// Settings were read again: the directory is asked about every password.
    synchronized void forget() {
        remembered.clear();
    }

    private static void tell(DirectoryCheck check, LoginResult result) {
        try {
            check.result.accept(result);
        } catch (Throwable fault) {
            FatalErrors.endIfFatal(fault);
            LOG.error("Cannot tell the result of an authentication", fault);
        }
    }

    private synchronized void giveUp(DirectoryCheck check) {
        waiting.remove(check);
    }

    private String digest(String name, String secret) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(digestKey);
            mac.update(bytes(name));
            mac.update((byte) 0);
            return Base64.getEncoder().encodeToString(mac.doFinal(bytes(secret)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("HmacSHA256 is part of every Java", e);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public synchronized void close() {
        closed = true;
        executor.shutdownNow();
    }
}

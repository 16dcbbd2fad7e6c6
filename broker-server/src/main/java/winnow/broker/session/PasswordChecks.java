package winnow.broker.session;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.broker.fault.FatalErrors;

/// Checks passwords, which takes long, on a thread of its own and one after the other: which comes
/// next and which are too many says [CheckOrder]. What was right once is remembered as a keyed
/// digest and waits for nothing; attempts with the same credentials share a check. Thread-safe: by
/// its own lock.
final class PasswordChecks implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PasswordChecks.class);

    /// A check takes 12 ms, so the last one has its answer after 3 s, within the default of
    /// `transport.handshake-timeout`.
    static final int MAX_WAITING = 256;

    private static final int MAX_REMEMBERED = 1_000;

    private static final String FULL = "too many authentications are waiting, try again";

    private final BiPredicate<String, String> matches;
    private final SecretKeySpec digestKey;
    private final ThreadPoolExecutor executor;
    private final CheckOrder<Check> order = new CheckOrder<>();

    /// By digest, in the order in which they came, the one that runs included.
    private final Map<String, Check> waiting = new LinkedHashMap<>();

    private final Map<String, Boolean> remembered =
            new LinkedHashMap<>() {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
                    return size() > MAX_REMEMBERED;
                }
            };

    private @Nullable Check running;

    /// Whether what [#running] finds may be remembered and shared by those who come now.
    private boolean current;

    private boolean working;
    private boolean closed;

    /// @param matches whether a user has a password; takes its time
    PasswordChecks(BiPredicate<String, String> matches) {
        this.matches = matches;
        byte[] key = new byte[32];
        new SecureRandom().nextBytes(key);
        digestKey = new SecretKeySpec(key, "HmacSHA256");
        executor =
                new ThreadPoolExecutor(
                        1,
                        1,
                        30,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(),
                        task -> {
                            Thread thread = new Thread(task, "winnow-authentication");
                            thread.setDaemon(true);
                            return thread;
                        });
        executor.allowCoreThreadTimeOut(true);
    }

    private static final class Check implements CheckOrder.Waiting {
        final String user;
        final String password;
        final String digest;
        final CheckOrder.Origin origin;
        final List<Consumer<String>> results = new ArrayList<>();

        Check(String user, String password, String digest, CheckOrder.Origin origin) {
            this.user = user;
            this.password = password;
            this.digest = digest;
            this.origin = origin;
        }

        @Override
        public CheckOrder.Origin origin() {
            return origin;
        }
    }

    /// What becomes of an attempt.
    ///
    /// @param check that it waits for, null if it is decided
    /// @param told those who are told now
    /// @param refusal what they are told, empty if their credentials are right
    private record Begun(@Nullable Check check, List<Consumer<String>> told, String refusal) {}

    /// Tells the result as [Authenticator#authenticate] does.
    ///
    /// @return gives the attempt up
    Runnable check(String user, String password, String address, Consumer<String> result) {
        CheckOrder.Origin origin = new CheckOrder.Origin(address, digest(address, user));
        String digest = digest(user, password);
        Begun begun = begin(new Check(user, password, digest, origin), result);
        tell(begun.told, begun.refusal);
        Check joined = begun.check;
        return joined == null ? () -> {} : () -> giveUp(joined, result);
    }

    private synchronized Begun begin(Check check, Consumer<String> result) {
        if (closed) {
            return new Begun(null, List.of(result), "the broker is stopping");
        }
        if (remembered.containsKey(check.digest)) {
            return new Begun(null, List.of(result), "");
        }
        Check known = waiting.get(check.digest);
        if (known != null && (current || known != running)) {
            known.results.add(result);
            return new Begun(known, List.of(), "");
        }
        Check displaced = null;
        if (waiting.size() >= MAX_WAITING) {
            displaced = CheckOrder.leastEntitled(movable(), check);
            if (displaced == check) {
                return new Begun(null, List.of(result), FULL);
            }
            waiting.remove(displaced.digest);
        }
        check.results.add(result);
        waiting.put(check.digest, check);
        if (!working) {
            working = true;
            executor.execute(this::work);
        }
        return new Begun(check, displaced == null ? List.of() : displaced.results, FULL);
    }

    private List<Check> movable() {
        return waiting.values().stream().filter(one -> one != running).toList();
    }

    private void work() {
        for (Check check = next(); check != null; check = next()) {
            String refusal = run(check);
            finish(check, refusal);
            tell(check.results, refusal);
        }
    }

    private synchronized @Nullable Check next() {
        running = closed ? null : order.next(waiting.values());
        working = running != null;
        current = true;
        return running;
    }

    private String run(Check check) {
        try {
            return matches.test(check.user, check.password) ? "" : "user or password is wrong";
        } catch (Throwable fault) {
            FatalErrors.endIfFatal(fault);
            LOG.error("Cannot check the password of a user", fault);
            return "the password could not be checked; the broker's log says why";
        }
    }

    /// Nobody joins the check any more when this returns.
    private synchronized void finish(Check check, String refusal) {
        waiting.remove(check.digest, check);
        running = null;
        if (refusal.isEmpty() && current) {
            remembered.put(check.digest, true);
        }
    }

    private static void tell(List<Consumer<String>> results, String refusal) {
        for (Consumer<String> result : results) {
            try {
                result.accept(refusal);
            } catch (Throwable fault) {
                FatalErrors.endIfFatal(fault);
                LOG.error("Cannot tell the result of an authentication", fault);
            }
        }
    }

    private synchronized void giveUp(Check check, Consumer<String> result) {
        if (waiting.get(check.digest) == check) {
            check.results.remove(result);
            if (check.results.isEmpty() && check != running) {
                waiting.remove(check.digest);
            }
        }
    }

    /// Passwords have changed: what was right is checked again.
    synchronized void forget() {
        remembered.clear();
        current = false;
    }

    private String digest(String name, String secret) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(digestKey);
            mac.update(MessageDigest.getInstance("SHA-256").digest(bytes(name)));
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

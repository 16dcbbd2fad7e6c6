package winnow.broker.session;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Checks passwords, which takes long, on a thread of its own and one after the other. What was
/// right once is remembered as a keyed digest and waits for nothing; attempts with the same
/// credentials share a check. Thread-safe: by its own lock.
final class PasswordChecks implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PasswordChecks.class);

    /// A check takes 12 ms, so the last one has its answer after 3 s, within the default of
    /// `transport.handshake-timeout`.
    private static final int MAX_WAITING = 256;

    /// So that one address does not keep others from connecting; many users may be behind one.
    private static final int MAX_WAITING_PER_ADDRESS = MAX_WAITING / 2;

    private static final int MAX_REMEMBERED = 1_000;

    private final BiPredicate<String, String> matches;
    private final SecretKeySpec digestKey;
    private final ThreadPoolExecutor executor;

    /// By digest, the one that runs included.
    private final Map<String, Check> waiting = new HashMap<>();

    private final Map<String, Boolean> remembered =
            new LinkedHashMap<>() {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
                    return size() > MAX_REMEMBERED;
                }
            };

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
                        new LinkedBlockingQueue<>(MAX_WAITING),
                        task -> {
                            Thread thread = new Thread(task, "winnow-authentication");
                            thread.setDaemon(true);
                            return thread;
                        });
        executor.allowCoreThreadTimeOut(true);
    }

    private final class Check implements Runnable {
        final String user;
        final String password;
        final String digest;
        final String address;
        final List<Consumer<String>> results = new ArrayList<>();

        Check(String user, String password, String digest, String address) {
            this.user = user;
            this.password = password;
            this.digest = digest;
            this.address = address;
        }

        @Override
        public void run() {
            String refusal;
            try {
                refusal = matches.test(user, password) ? "" : "user or password is wrong";
            } catch (RuntimeException e) {
                LOG.error("Cannot check the password of user '{}'", user, e);
                refusal = "the password could not be checked; the broker's log says why";
            }
            for (Consumer<String> result : finish(this, refusal)) {
                result.accept(refusal);
            }
        }
    }

    /// Tells the result as [Authenticator#authenticate] does.
    ///
    /// @return gives the attempt up
    Runnable check(String user, String password, String address, Consumer<String> result) {
        String digest = digest(user, password);
        String refusal = "";
        synchronized (this) {
            if (!remembered.containsKey(digest)) {
                Check check = waiting.get(digest);
                refusal = check == null ? full(address) : "";
                if (refusal.isEmpty()) {
                    Check joined = check == null ? begin(user, password, digest, address) : check;
                    joined.results.add(result);
                    return () -> giveUp(joined, result);
                }
            }
        }
        result.accept(refusal);
        return () -> {};
    }

    private Check begin(String user, String password, String digest, String address) {
        Check check = new Check(user, password, digest, address);
        waiting.put(digest, check);
        executor.execute(check);
        return check;
    }

    /// Why no check can begin now, or empty.
    private String full(String address) {
        if (executor.isShutdown()) {
            return "the broker is stopping";
        }
        if (waiting.size() >= MAX_WAITING) {
            return "too many authentications are waiting, try again";
        }
        long ofAddress =
                waiting.values().stream().filter(one -> one.address.equals(address)).count();
        return ofAddress < MAX_WAITING_PER_ADDRESS
                ? ""
                : "too many authentications from " + address + " are waiting, try again";
    }

    private synchronized List<Consumer<String>> finish(Check check, String refusal) {
        waiting.remove(check.digest);
        if (refusal.isEmpty()) {
            remembered.put(check.digest, true);
        }
        return check.results;
    }

    private synchronized void giveUp(Check check, Consumer<String> result) {
        if (waiting.get(check.digest) == check) {
            check.results.remove(result);
            if (check.results.isEmpty() && executor.remove(check)) {
                waiting.remove(check.digest);
            }
        }
    }

    private String digest(String user, String password) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(digestKey);
            mac.update(MessageDigest.getInstance("SHA-256").digest(bytes(user)));
            return Base64.getEncoder().encodeToString(mac.doFinal(bytes(password)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("HmacSHA256 is part of every Java", e);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public synchronized void close() {
        executor.shutdownNow();
    }
}

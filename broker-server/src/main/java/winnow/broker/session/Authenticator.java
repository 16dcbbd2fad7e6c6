package winnow.broker.session;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/// Checks credentials by SASL mechanism: `PLAIN` against the user file, `ANONYMOUS` only if there
/// is none. Password hashing runs on a thread of its own with a bounded queue; what was right once
/// is remembered as a keyed digest, so that a thousand connections of one user hash once.
/// Thread-safe.
public final class Authenticator implements AutoCloseable {
    private static final int MAX_WAITING = 1_000;
    private static final int MAX_REMEMBERED = 1_000;

    private final @Nullable UserFile users;
    private final SecretKeySpec digestKey;
    private final Map<String, Boolean> remembered =
            new LinkedHashMap<>() {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
                    return size() > MAX_REMEMBERED;
                }
            };
    private final ThreadPoolExecutor executor;

    /// @param users null if clients need no credentials
    public Authenticator(@Nullable UserFile users) {
        this.users = users;
        byte[] key = new byte[32];
        if (users != null) {
            new SecureRandom().nextBytes(key);
        }
        digestKey = new SecretKeySpec(key, "HmacSHA256");
        executor =
                new ThreadPoolExecutor(
                        1,
                        1,
                        30,
                        TimeUnit.SECONDS,
                        new ArrayBlockingQueue<>(MAX_WAITING),
                        task -> {
                            Thread thread = new Thread(task, "winnow-authentication");
                            thread.setDaemon(true);
                            return thread;
                        });
        executor.allowCoreThreadTimeOut(true);
    }

    /// Whether clients need credentials.
    public boolean demandsCredentials() {
        return users != null;
    }

    /// Checks credentials and tells the result, on any thread: empty if they are right, else why
    /// not.
    public void authenticate(String mechanism, String response, Consumer<String> result) {
        if (users == null) {
            boolean known = mechanism.equals("ANONYMOUS") || mechanism.equals("PLAIN");
            result.accept(known ? "" : unknown(mechanism));
            return;
        }
        if (!mechanism.equals("PLAIN")) {
            result.accept(
                    mechanism.equals("ANONYMOUS")
                            ? "this broker demands a user and a password"
                            : unknown(mechanism));
            return;
        }
        try {
            executor.execute(() -> result.accept(plain(users, response)));
        } catch (RejectedExecutionException e) {
            result.accept("too many authentications are waiting, try again");
        }
    }

    private static String unknown(String mechanism) {
        return "expected the mechanism PLAIN or ANONYMOUS, found '" + mechanism + "'";
    }

    private String plain(UserFile users, String response) {
        String[] parts = response.split("\0", -1);
        if (parts.length != 3) {
            return "PLAIN: expected authorisation id, user and password separated by NUL";
        }
        String digest = digest(parts[1], parts[2]);
        synchronized (remembered) {
            if (remembered.containsKey(digest)) {
                return "";
            }
        }
        if (!users.matches(parts[1], parts[2])) {
            return "user or password is wrong";
        }
        synchronized (remembered) {
            remembered.put(digest, true);
        }
        return "";
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
    public void close() {
        executor.shutdownNow();
    }
}

package winnow.wire.scram;

import java.util.LinkedHashMap;
import java.util.Map;

/// The keys of the passwords that this process used last, so that an application which connects
/// again and again computes them once. Thread-safe.
final class RecentKeys {
    private static final int MAX_KEPT = 16;
    private static final byte[] PROCESS_KEY = ScramKeys.newBytes(ScramKeys.KEY_BYTES);

    /// By a keyed digest of the password, the salt and the iteration count.
    private static final Map<String, ScramKeys> KEPT =
            new LinkedHashMap<>(MAX_KEPT, 0.75f, true) {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, ScramKeys> eldest) {
                    return size() > MAX_KEPT;
                }
            };

    private RecentKeys() {}

    static ScramKeys of(String password, byte[] salt, int iterations) {
        String from = iterations + ":" + ScramKeys.base64(salt) + ":" + password;
        String digest = ScramKeys.base64(ScramKeys.hmac(PROCESS_KEY, from));
        synchronized (KEPT) {
            ScramKeys kept = KEPT.get(digest);
            if (kept != null) {
                return kept;
            }
        }
        ScramKeys made = ScramKeys.of(password, salt, iterations);
        synchronized (KEPT) {
            KEPT.put(digest, made);
        }
        return made;
    }
}

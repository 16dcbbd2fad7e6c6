package winnow.broker.security;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import winnow.broker.identity.ProvenUser;

/// Users whose password was right a moment ago, by digests of name and password. The oldest goes if
/// there are too many. Thread-safe: by its own lock.
public final class RememberedLogins {
    private static final int MAX_LOGINS = 1_000;

    private final long nanos;
    private final LongSupplier nanoClock;

    private final Map<String, Login> logins =
            new LinkedHashMap<>() {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Login> eldest) {
                    return size() > MAX_LOGINS;
                }
            };

    /// Number of times that all were forgotten.
    private int generation;

    /// A user until a time.
    private record Login(ProvenUser user, long untilNanos) {}

    /// @param nanos time for which one is remembered, 0 for none
    /// @param nanoClock see [System#nanoTime]
    RememberedLogins(long nanos, LongSupplier nanoClock) {
        this.nanos = nanos;
        this.nanoClock = nanoClock;
    }

    /// The user of a digest, null if none is remembered.
    synchronized @Nullable ProvenUser find(String digest) {
        Login found = logins.get(digest);
        if (found == null) {
            return null;
        }
        if (found.untilNanos - nanoClock.getAsLong() > 0) {
            return found.user;
        }
        logins.remove(digest);
        return null;
    }

    /// Changes when all are forgotten.
    synchronized int generation() {
        return generation;
    }

    /// Remembers a user, unless all were forgotten since the question was asked.
    ///
    /// @param asked generation at that time
    synchronized void put(String digest, ProvenUser user, int asked) {
        if (nanos > 0 && asked == generation) {
            logins.put(digest, new Login(user, nanoClock.getAsLong() + nanos));
        }
    }

    synchronized void forgetAll() {
        logins.clear();
        generation++;
    }
}

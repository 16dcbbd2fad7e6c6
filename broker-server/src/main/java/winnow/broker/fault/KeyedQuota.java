package winnow.broker.fault;

import java.util.LinkedHashMap;
import java.util.Map;

/// A [LogQuota] for each key, such as a user or an address: who uses up its own hides no lines of
/// others. Thread-safe.
public final class KeyedQuota {
    /// Keys that are counted one by one; the one least seen makes room.
    private static final int MAX_KEYS = 1000;

    private final Map<String, LogQuota> quotas =
            new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, LogQuota> eldest) {
                    return size() > MAX_KEYS;
                }
            };

    /// Asks for one entry of a key.
    ///
    /// @return how many of it were left out since the last one, -1 if this one is to be left out,
    ///   too
    public long take(String key) {
        LogQuota quota;
        synchronized (quotas) {
            quota = quotas.computeIfAbsent(key, _ -> new LogQuota());
        }
        return quota.take();
    }
}

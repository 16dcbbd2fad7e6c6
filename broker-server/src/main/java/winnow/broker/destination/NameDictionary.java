package winnow.broker.destination;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Property names and their numbers, the same for all connections, so that a message block can be
/// forwarded as it came. Every connection may be told every name, and none is ever forgotten, so a
/// name that no application would use gets no number. Grows only, up to a limit. Thread-safe: reads
/// take no lock.
public final class NameDictionary {
    /// Longest name that gets a number, in bytes of UTF-8.
    public static final int MAX_NAME_BYTES = 255;

    /// Bytes that a name takes on average when all numbers are given, at most.
    private static final int MEAN_NAME_BYTES = 64;

    private final ConcurrentHashMap<String, Integer> idByName = new ConcurrentHashMap<>();
    private final int limit;
    private volatile String[] names = new String[0];
    private long totalBytes;

    /// @param limit names that get a number
    public NameDictionary(int limit) {
        this.limit = limit;
    }

    /// Number of names; the largest number in use.
    public int size() {
        return names.length;
    }

    /// The name with this number, 1 to [#size].
    public String name(int id) {
        return names[id - 1];
    }

    /// The names numbered `from` to `to`, both included.
    public List<String> names(int from, int to) {
        return Arrays.asList(names).subList(from - 1, to);
    }

    /// The number of `name`, a new one if it has none yet.
    ///
    /// @return null if the dictionary is full or the name is not fit for it
    public @Nullable Integer intern(String name) {
        Integer known = idByName.get(name);
        return known != null ? known : add(name);
    }

    private synchronized @Nullable Integer add(String name) {
        Integer known = idByName.get(name);
        if (known != null || names.length >= limit || !isFit(name)) {
            return known;
        }
        int bytes = name.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_NAME_BYTES || totalBytes + bytes > (long) limit * MEAN_NAME_BYTES) {
            return null;
        }
        totalBytes += bytes;
        String[] grown = Arrays.copyOf(names, names.length + 1);
        grown[names.length] = name;
        names = grown;
        idByName.put(name, grown.length);
        return grown.length;
    }

    private static boolean isFit(String name) {
        return !name.isEmpty()
                && name.length() <= MAX_NAME_BYTES
                && name.chars().noneMatch(Character::isISOControl);
    }
}

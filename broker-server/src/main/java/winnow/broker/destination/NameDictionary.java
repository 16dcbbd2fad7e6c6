package winnow.broker.destination;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Property names and their numbers, the same for all connections, so that a message block can be
/// forwarded as it came. Grows only, up to a limit. Thread-safe: reads take no lock.
public final class NameDictionary {
    private final ConcurrentHashMap<String, Integer> idByName = new ConcurrentHashMap<>();
    private final int limit;
    private volatile String[] names = new String[0];

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
    /// @return null if the dictionary is full
    public @Nullable Integer intern(String name) {
        Integer known = idByName.get(name);
        return known != null ? known : add(name);
    }

    private synchronized @Nullable Integer add(String name) {
        Integer known = idByName.get(name);
        if (known != null || names.length >= limit) {
            return known;
        }
        String[] grown = Arrays.copyOf(names, names.length + 1);
        grown[names.length] = name;
        names = grown;
        idByName.put(name, grown.length);
        return grown.length;
    }
}

package winnow.broker.matching;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Property names and their numbers, the same for all connections, so that a message block can be
/// forwarded as it came. Every connection may be told every name, and none is ever forgotten, so a
/// name that no application would use gets no number. Grows only, up to a limit. Nobody who brings
/// names may have more than half of what the others have left, so that there is always room for one
/// more. Thread-safe: reads take no lock.
public final class NameDictionary {
    /// Longest name that gets a number, in bytes of UTF-8.
    public static final int MAX_NAME_BYTES = 255;

    /// Bytes that a name takes on average when all numbers are given, at most.
    private static final int MEAN_NAME_BYTES = 64;

    private final ConcurrentHashMap<String, Integer> idByName = new ConcurrentHashMap<>();
    private final int limit;
    private volatile String[] names = new String[0];
    private long totalBytes;

    /// By who brought them; guarded by this. As many as there are names at most.
    private final Map<String, Share> shares = new HashMap<>();

    private static final class Share {
        int names;
        long bytes;
    }

    /// @param limit names that get a number
    public NameDictionary(int limit) {
        this.limit = limit;
    }

    /// Gives names the numbers 1, 2, 3, … that stored messages use for them, whatever the limit. To
    /// be called before any other name gets a number.
    public synchronized void restore(List<String> stored) {
        names = stored.toArray(String[]::new);
        for (int i = 0; i < names.length; i++) {
            idByName.put(names[i], i + 1);
            totalBytes += names[i].getBytes(StandardCharsets.UTF_8).length;
        }
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
    /// @param owner who brings it: a user, or an address where there are none
    /// @return null if it has none and gets none, because the owner's share or the dictionary is
    ///   full or the name is not fit for it
    public @Nullable Integer intern(String name, String owner) {
        Integer known = idByName.get(name);
        return known != null ? known : add(name, owner);
    }

    private synchronized @Nullable Integer add(String name, String owner) {
        Integer known = idByName.get(name);
        if (known != null || names.length >= limit || !isFit(name)) {
            return known;
        }
        int bytes = name.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_NAME_BYTES || !take(owner, bytes)) {
            return null;
        }
        totalBytes += bytes;
        String[] grown = Arrays.copyOf(names, names.length + 1);
        grown[names.length] = name;
        names = grown;
        idByName.put(name, grown.length);
        return grown.length;
    }

    /// Charges the owner's share.
    ///
    /// @return false if there is no room in it
    private boolean take(String owner, int bytes) {
        Share share = shares.getOrDefault(owner, new Share());
        long freeNames = (long) limit - names.length + share.names;
        long freeBytes = (long) limit * MEAN_NAME_BYTES - (totalBytes - share.bytes);
        if (share.names + 1 > half(freeNames) || share.bytes + bytes > half(freeBytes)) {
            return false;
        }
        share.names++;
        share.bytes += bytes;
        shares.put(owner, share);
        return true;
    }

    private static long half(long whole) {
        return (whole + 1) / 2;
    }

    private static boolean isFit(String name) {
        return !name.isEmpty()
                && name.length() <= MAX_NAME_BYTES
                && name.chars().noneMatch(Character::isISOControl);
    }
}

package winnow.broker.security;

import java.util.Arrays;
import java.util.Base64;

/// ETags of users, which change with their lines in the user file and reveal nothing of them: keyed
/// digests (HMAC), by a key that each process makes for itself. Thread-safe.
public final class UserTags {
    /// Two lines have the same tag by chance once in 2^144 pairs.
    private static final int TAG_BYTES = 18;

    private final KeyedDigest digests = new KeyedDigest();

    /// The ETag with its quotes, empty if there is no such user.
    public String of(UserFile users, String user) {
        if (!users.has(user)) {
            return "";
        }
        byte[] tag = Arrays.copyOf(digests.of(users.storedLine(user)), TAG_BYTES);
        return "\"" + Base64.getUrlEncoder().encodeToString(tag) + "\"";
    }
}

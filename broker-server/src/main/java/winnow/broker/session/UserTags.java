package winnow.broker.session;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// ETags of users, which change with their lines in the user file and reveal nothing of them: keyed
/// digests (HMAC), by a key that each process makes for itself. Thread-safe.
public final class UserTags {
    private static final String HMAC = "HmacSHA256";
    private static final int KEY_BYTES = 32;

    /// Two lines have the same tag by chance once in 2^144 pairs.
    private static final int TAG_BYTES = 18;

    private final SecretKeySpec key;

    public UserTags() {
        byte[] bytes = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(bytes);
        key = new SecretKeySpec(bytes, HMAC);
    }

    /// The ETag with its quotes, empty if there is no such user.
    public String of(UserFile users, String user) {
        if (!users.has(user)) {
            return "";
        }
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(key);
            byte[] digest = mac.doFinal(users.storedLine(user).getBytes(StandardCharsets.UTF_8));
            return "\""
                    + Base64.getUrlEncoder().encodeToString(Arrays.copyOf(digest, TAG_BYTES))
                    + "\"";
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("HmacSHA256 is part of every Java", e);
        }
    }
}

package winnow.broker.security;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Digests that stand for secrets and reveal nothing of them (HMAC-SHA-256), by a key that each of
/// these makes for itself. Thread-safe.
public final class KeyedDigest {
    private static final String HMAC = "HmacSHA256";
    private static final int KEY_BYTES = 32;

    private final SecretKeySpec key;

    KeyedDigest() {
        byte[] bytes = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(bytes);
        key = new SecretKeySpec(bytes, HMAC);
    }

    byte[] of(String text) {
        return of(new byte[0], bytes(text));
    }

    /// The digest of two texts, and of no other two, in base 64.
    String of(String name, String secret) {
        try {
            byte[] first = MessageDigest.getInstance("SHA-256").digest(bytes(name));
            return Base64.getEncoder().encodeToString(of(first, bytes(secret)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("SHA-256 is part of every Java", e);
        }
    }

    private byte[] of(byte[] first, byte[] last) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(key);
            mac.update(first);
            return mac.doFinal(last);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("HmacSHA256 is part of every Java", e);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}

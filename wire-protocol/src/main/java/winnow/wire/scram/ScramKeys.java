package winnow.wire.scram;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.text.Normalizer;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

/// The two keys that follow from a password, a salt and an iteration count (RFC 5802, section 3).
/// Immutable.
final class ScramKeys {
    static final int KEY_BYTES = 32;

    private static final int NONCE_BYTES = 24;
    private static final String HMAC = "HmacSHA256";
    private static final SecureRandom RANDOM = new SecureRandom();

    private final byte[] clientKey;
    private final byte[] serverKey;

    private ScramKeys(byte[] clientKey, byte[] serverKey) {
        this.clientKey = clientKey;
        this.serverKey = serverKey;
    }

    /// Takes tens of milliseconds with a usual iteration count.
    static ScramKeys of(String password, byte[] salt, int iterations) {
        byte[] salted;
        try {
            PBEKeySpec spec =
                    new PBEKeySpec(
                            prepared(password).toCharArray(),
                            salt,
                            iterations,
                            KEY_BYTES * Byte.SIZE);
            salted =
                    SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                            .generateSecret(spec)
                            .getEncoded();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("PBKDF2WithHmacSHA256 is part of every Java", e);
        }
        return new ScramKeys(hmac(salted, "Client Key"), hmac(salted, "Server Key"));
    }

    byte[] clientKey() {
        return clientKey;
    }

    byte[] serverKey() {
        return serverKey;
    }

    byte[] storedKey() {
        return hash(clientKey);
    }

    /// SASLprep (RFC 4013) but for its prohibitions: a password that is there may be used.
    static String prepared(String password) {
        if (password.chars().allMatch(c -> c < 0x80)) {
            return password;
        }
        StringBuilder mapped = new StringBuilder();
        password.codePoints()
                .filter(c -> !isMappedToNothing(c))
                .map(c -> Character.getType(c) == Character.SPACE_SEPARATOR ? ' ' : c)
                .forEach(mapped::appendCodePoint);
        return Normalizer.normalize(mapped, Normalizer.Form.NFKC);
    }

    /// RFC 3454, table B.1.
    private static boolean isMappedToNothing(int c) {
        return c == 0xAD
                || c == 0x34F
                || c == 0x1806
                || (c >= 0x180B && c <= 0x180D)
                || (c >= 0x200B && c <= 0x200D)
                || c == 0x2060
                || (c >= 0xFE00 && c <= 0xFE0F)
                || c == 0xFEFF;
    }

    static byte[] hmac(byte[] key, String text) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(key, HMAC));
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("HmacSHA256 is part of every Java", e);
        }
    }

    static byte[] hash(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("SHA-256 is part of every Java", e);
        }
    }

    static byte[] xor(byte[] one, byte[] other) {
        byte[] result = new byte[one.length];
        for (int i = 0; i < one.length; i++) {
            result[i] = (byte) (one[i] ^ other[i]);
        }
        return result;
    }

    static String newNonce() {
        return base64(newBytes(NONCE_BYTES));
    }

    static byte[] newBytes(int count) {
        byte[] bytes = new byte[count];
        RANDOM.nextBytes(bytes);
        return bytes;
    }

    static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }
}

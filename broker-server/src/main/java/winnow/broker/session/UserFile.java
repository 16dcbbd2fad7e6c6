package winnow.broker.session;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/// Users and the PBKDF2 hashes of their passwords, one line each: `name:iterations:salt:hash`, salt
/// and hash in base 64. Immutable.
public final class UserFile {
    private static final int ITERATIONS = 120_000;
    private static final int SALT_BYTES = 16;
    private static final int HASH_BITS = 256;

    /// Hashed for a user who does not exist, so that the time of an answer tells nothing.
    private static final Entry NOBODY = new Entry(ITERATIONS, List.of("AAAA", "AAAA"));

    private final Map<String, Entry> entries;

    private record Entry(int iterations, List<String> saltAndHash) {
        String salt() {
            return saltAndHash.get(0);
        }

        String hash() {
            return saltAndHash.get(1);
        }
    }

    private UserFile(Map<String, Entry> entries) {
        this.entries = entries;
    }

    /// Reads a file.
    ///
    /// @throws IOException if it cannot be read or a line is not as expected; the text names the
    ///   line
    public static UserFile read(Path file) throws IOException {
        Map<String, Entry> entries = new HashMap<>();
        List<String> lines = Files.readAllLines(file);
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            String[] fields = line.split(":", -1);
            if (fields.length != 4 || !fields[1].matches("[1-9][0-9]{0,7}")) {
                throw new IOException(
                        file + " line " + (i + 1) + ": expected name:iterations:salt:hash");
            }
            entries.put(
                    fields[0],
                    new Entry(Integer.parseInt(fields[1]), List.of(fields[2], fields[3])));
        }
        return new UserFile(entries);
    }

    /// The line for a user with this password, with a new salt.
    public static String line(String user, String password) {
        if (user.isEmpty() || user.contains(":") || user.startsWith("#")) {
            throw new IllegalArgumentException(
                    "expected a user name without ':' and not beginning with '#', found '"
                            + user
                            + "'");
        }
        byte[] salt = new byte[SALT_BYTES];
        new SecureRandom().nextBytes(salt);
        Base64.Encoder base64 = Base64.getEncoder();
        String hash = base64.encodeToString(hash(password, salt, ITERATIONS));
        return user + ":" + ITERATIONS + ":" + base64.encodeToString(salt) + ":" + hash;
    }

    /// Whether the user exists and has this password. Takes tens of milliseconds.
    boolean matches(String user, String password) {
        Entry entry = entries.getOrDefault(user, NOBODY);
        Base64.Decoder base64 = Base64.getDecoder();
        byte[] found = hash(password, base64.decode(entry.salt()), entry.iterations());
        return MessageDigest.isEqual(found, base64.decode(entry.hash()))
                && entries.containsKey(user);
    }

    private static byte[] hash(String password, byte[] salt, int iterations) {
        try {
            PBEKeySpec spec = new PBEKeySpec(password.toCharArray(), salt, iterations, HASH_BITS);
            return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                    .generateSecret(spec)
                    .getEncoded();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("PBKDF2WithHmacSHA256 is part of every Java", e);
        }
    }
}

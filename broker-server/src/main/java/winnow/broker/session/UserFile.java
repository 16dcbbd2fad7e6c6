package winnow.broker.session;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import winnow.broker.config.FileProblem;

/// Users and the PBKDF2 hashes of their passwords, one line each: `name:iterations:salt:hash`, salt
/// and hash in base 64. Only its owner may read or write the file. Immutable.
public final class UserFile {
    private static final int ITERATIONS = 120_000;
    private static final int SALT_BYTES = 16;
    private static final int HASH_BITS = 256;

    /// Hashed for a user who does not exist, so that the time of an answer tells nothing.
    private static final Entry NOBODY = new Entry(ITERATIONS, new byte[SALT_BYTES], new byte[0]);

    /// What nobody else may do with the file.
    private static final Set<PosixFilePermission> OTHERS =
            PosixFilePermissions.fromString("---rw-rw-");

    private final Map<String, Entry> entries;

    private static final class Entry {
        final int iterations;
        final byte[] salt;
        final byte[] hash;

        Entry(int iterations, byte[] salt, byte[] hash) {
            this.iterations = iterations;
            this.salt = salt;
            this.hash = hash;
        }
    }

    private UserFile(Map<String, Entry> entries) {
        this.entries = entries;
    }

    /// Reads a file.
    ///
    /// @throws IOException if it cannot be read, others than its owner can read or change it, it
    ///   names nobody or a line is not as expected; the text names the line
    public static UserFile read(Path file) throws IOException {
        List<String> lines = lines(file);
        requireOwnerOnly(file);
        Map<String, Entry> entries = new HashMap<>();
        Map<String, Integer> lineNumbers = new HashMap<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            String[] fields = line.split(":", -1);
            try {
                entries.put(fields[0], entry(fields));
            } catch (IllegalArgumentException e) {
                throw new IOException(file + ":" + (i + 1) + ": " + e.getMessage(), e);
            }
            Integer before = lineNumbers.put(fields[0], i + 1);
            if (before != null) {
                throw new IOException(
                        "%s:%d: expected each user once, found '%s' on line %d, too"
                                .formatted(file, i + 1, fields[0], before));
            }
        }
        if (entries.isEmpty()) {
            throw new IOException(
                    file
                            + ":"
                            + Math.max(1, lines.size())
                            + ": expected at least one user, found none; 'winnow user' adds one");
        }
        return new UserFile(entries);
    }

    /// How many users there are.
    public int size() {
        return entries.size();
    }

    /// Where files have such permissions.
    private static void requireOwnerOnly(Path file) throws IOException {
        PosixFileAttributeView view =
                Files.getFileAttributeView(file, PosixFileAttributeView.class);
        if (view == null) {
            return;
        }
        Set<PosixFilePermission> permissions = view.readAttributes().permissions();
        if (!Collections.disjoint(permissions, OTHERS)) {
            throw new IOException(
                    "%s:1: expected a file for its owner only (chmod 600), found %s"
                            .formatted(file, PosixFilePermissions.toString(permissions)));
        }
    }

    private static List<String> lines(Path file) throws IOException {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw FileProblem.of(file, e);
        }
    }

    private static Entry entry(String... fields) {
        if (fields.length != 4 || fields[0].isEmpty()) {
            throw new IllegalArgumentException("expected name:iterations:salt:hash");
        }
        if (!fields[1].matches("[1-9][0-9]{0,6}")) {
            throw new IllegalArgumentException(
                    "expected 1 to 9999999 iterations, found '" + fields[1] + "'");
        }
        byte[] salt = decode("a salt", fields[2]);
        byte[] hash = decode("a hash", fields[3]);
        if (salt.length == 0 || hash.length != HASH_BITS / Byte.SIZE) {
            throw new IllegalArgumentException(
                    "expected a salt and a hash of "
                            + HASH_BITS / Byte.SIZE
                            + " bytes, found "
                            + salt.length
                            + " and "
                            + hash.length
                            + " bytes");
        }
        return new Entry(Integer.parseInt(fields[1]), salt, hash);
    }

    private static byte[] decode(String what, String text) {
        try {
            return Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "expected " + what + " in base 64: " + e.getMessage(), e);
        }
    }

    /// Checks that a line for this user can be read again.
    ///
    /// @throws IllegalArgumentException with what was expected
    public static void requireName(String user) {
        if (user.isEmpty()
                || user.contains(":")
                || user.startsWith("#")
                || !user.equals(user.strip())
                || user.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException(
                    "expected a user name without ':' and control characters, not beginning with"
                            + " '#' and neither beginning nor ending with a blank, found '"
                            + user
                            + "'");
        }
    }

    /// The line for a user with this password, with a new salt.
    ///
    /// @throws IllegalArgumentException if it could not be read again
    public static String line(String user, String password) {
        requireName(user);
        byte[] salt = new byte[SALT_BYTES];
        new SecureRandom().nextBytes(salt);
        Base64.Encoder base64 = Base64.getEncoder();
        String hash = base64.encodeToString(hash(password, salt, ITERATIONS));
        return user + ":" + ITERATIONS + ":" + base64.encodeToString(salt) + ":" + hash;
    }

    /// Whether the user exists and has this password. Takes tens of milliseconds.
    boolean matches(String user, String password) {
        Entry entry = entries.getOrDefault(user, NOBODY);
        byte[] found = hash(password, entry.salt, entry.iterations);
        return MessageDigest.isEqual(found, entry.hash) && entries.containsKey(user);
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

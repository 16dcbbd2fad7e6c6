package winnow.broker.session;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import winnow.broker.config.PrivateFile;
import winnow.broker.config.SmallFile;
import winnow.wire.scram.ScramVerifier;

/// Users and the verifiers of their passwords, one line each: `name:verifier`, in the form of
/// [ScramVerifier]. Only its owner may read or write the file. Immutable.
public final class UserFile {
    /// More than 50,000 users.
    static final int MAX_BYTES = 8 * 1024 * 1024;

    private static final Pattern OLD_HASH = Pattern.compile("[0-9]+:[^:]*:[^:]*");

    private final Map<String, ScramVerifier> verifiers;

    /// What those get who do not exist looks like the first verifier of the file.
    private final ScramVerifier first;

    private final Decoys decoys;

    private UserFile(Map<String, ScramVerifier> verifiers, ScramVerifier first, Decoys decoys) {
        this.verifiers = verifiers;
        this.first = first;
        this.decoys = decoys;
    }

    /// Reads a file.
    ///
    /// @throws IOException if it cannot be read, others than its owner can read or change it, it
    ///   names nobody or a line is not as expected; the text names the line
    public static UserFile read(Path file) throws IOException {
        List<String> lines = lines(file);
        PrivateFile.requireOwnerOnly(file);
        Map<String, ScramVerifier> verifiers = new LinkedHashMap<>();
        Map<String, Integer> lineNumbers = new HashMap<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            String name = line.substring(0, Math.max(0, line.indexOf(':')));
            try {
                verifiers.put(name, verifier(file, name, line));
            } catch (IllegalArgumentException e) {
                throw new IOException(file + ":" + (i + 1) + ": " + e.getMessage(), e);
            }
            Integer before = lineNumbers.put(name, i + 1);
            if (before != null) {
                throw new IOException(
                        "%s:%d: expected each user once, found '%s' on line %d, too"
                                .formatted(file, i + 1, name, before));
            }
        }
        if (verifiers.isEmpty()) {
            throw new IOException(
                    file
                            + ":"
                            + Math.max(1, lines.size())
                            + ": expected at least one user, found none; 'winnow user' adds one");
        }
        ScramVerifier first = verifiers.values().iterator().next();
        try {
            return new UserFile(verifiers, first, Decoys.of(lines, first));
        } catch (IllegalArgumentException e) {
            throw new IOException(
                    file
                            + ": expected behind '# decoy-key: ' a key in base 64, as 'winnow user'"
                            + " writes it: "
                            + e.getMessage(),
                    e);
        }
    }

    /// The same users. If their file has no line for decoys, those who do not exist get what they
    /// got before.
    UserFile after(UserFile before) {
        return decoys.lasting() ? this : new UserFile(verifiers, first, before.decoys);
    }

    /// How many users there are.
    public int size() {
        return verifiers.size();
    }

    private static List<String> lines(Path file) throws IOException {
        if (Files.notExists(file)) {
            throw new IOException(
                    "%1$s: no such file or directory; 'winnow user --file %1$s NAME' makes it"
                            .formatted(file));
        }
        return SmallFile.read(file, MAX_BYTES).lines().toList();
    }

    private static ScramVerifier verifier(Path file, String name, String line) {
        String text = line.substring(line.indexOf(':') + 1);
        if (name.isEmpty()) {
            throw new IllegalArgumentException("expected name:verifier, found no name");
        }
        if (OLD_HASH.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "expected a verifier of SCRAM-SHA-256, found the hash of an older version of"
                            + " Winnow; set the password anew by 'winnow user --file %s %s'"
                                    .formatted(file, name));
        }
        return ScramVerifier.parse(text);
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
        return user + ":" + ScramVerifier.of(password).text();
    }

    /// What is known of the user's password; of a user who does not exist, a decoy that no password
    /// fits and that looks like a verifier.
    ScramVerifier verifier(String user) {
        ScramVerifier known = verifiers.get(user);
        return known == null ? decoys.of(user, first) : known;
    }

    boolean has(String user) {
        return verifiers.containsKey(user);
    }

    /// Whether the user exists and has this password. Takes tens of milliseconds, whether the user
    /// exists or not.
    boolean matches(String user, String password) {
        return verifier(user).matches(password);
    }
}

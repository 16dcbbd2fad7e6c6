package winnow.broker.security;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import winnow.broker.config.PrivateFile;
import winnow.broker.config.SmallFile;
import winnow.broker.identity.ProvenUser;
import winnow.broker.permission.PermissionFile;
import winnow.wire.Printable;
import winnow.wire.scram.ScramVerifier;

/// Users and the verifiers of their passwords, one line each: `name:verifier`, in the form of
/// [ScramVerifier]. Only its owner may read or write the file. Immutable.
public final class UserFile {
    /// More than 50,000 users.
    static final int MAX_BYTES = 8 * 1024 * 1024;

    private static final int MAX_PASSWORD = 1024;

    private static final Pattern OLD_HASH = Pattern.compile("[0-9]+:[^:]*:[^:]*");

    private final Map<String, ScramVerifier> verifiers;

    /// First verifier of the file; those for users who do not exist look like it.
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
        return parse(file, lines);
    }

    /// Reads the lines of a file.
    ///
    /// @throws IOException if they name nobody or one is not as expected; the text names the line
    static UserFile parse(Path file, List<String> lines) throws IOException {
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

    /// Names of the users, in the order of the file.
    public Set<String> names() {
        return Collections.unmodifiableSet(verifiers.keySet());
    }

    /// The line of a user who exists, as it is written.
    String storedLine(String user) {
        return user + ":" + verifier(user).text();
    }

    /// Number of users.
    public int size() {
        return verifiers.size();
    }

    private static List<String> lines(Path file) throws IOException {
        if (Files.notExists(file)) {
            throw missing(file);
        }
        return SmallFile.read(file, MAX_BYTES).lines().toList();
    }

    static IOException missing(Path file) {
        return new IOException(
                "%1$s: no such file or directory; 'winnow user --file %1$s NAME' makes it"
                        .formatted(file));
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

    /// Names that could be taken for others, in a file that was written by hand or long ago.
    public List<String> unclearNames() {
        return verifiers.keySet().stream().filter(UserFile::isUnclear).toList();
    }

    private static boolean isUnclear(String user) {
        try {
            requireName(user);
            return false;
        } catch (IllegalArgumentException _) {
            return true;
        }
    }

    /// Checks that a line for this user can be read again, and that its name cannot be taken for
    /// another one.
    ///
    /// @throws IllegalArgumentException with what was expected
    public static void requireName(String user) {
        if (user.isEmpty()
                || user.contains(":")
                || user.startsWith("#")
                || !user.equals(user.strip())
                || !user.equals(Printable.line(user))
                || user.equals(PermissionFile.EVERYBODY)
                || user.equals(ProvenUser.local().name())) {
            throw new IllegalArgumentException(
                    "expected a user name without ':' and control or invisible characters, not"
                            + " beginning with '#', neither beginning nor ending with a blank, and"
                            + " neither '*', which is everybody, nor 'local', which is the operator"
                            + " at the socket, found '"
                            + Printable.of(user)
                            + "'");
        }
    }

    /// Checks that a password can be typed, and sent by each way to log in.
    ///
    /// @throws IllegalArgumentException with what was expected, but not with the password
    public static void requirePassword(String password) {
        if (password.isEmpty()) {
            throw new IllegalArgumentException("expected a password, found none");
        }
        if (password.length() > MAX_PASSWORD) {
            throw new IllegalArgumentException(
                    "expected a password of at most %d characters, found %d"
                            .formatted(MAX_PASSWORD, password.length()));
        }
        if (password.chars().anyMatch(Character::isISOControl)
                || !StandardCharsets.UTF_8.newEncoder().canEncode(password)) {
            throw new IllegalArgumentException(
                    "expected a password without control characters and in whole characters of"
                            + " Unicode, found others");
        }
    }

    /// The line for a user with this password, with a new salt.
    ///
    /// @throws IllegalArgumentException if it could not be read again
    public static String line(String user, String password) {
        requireName(user);
        return user + ":" + ScramVerifier.of(password).text();
    }

    /// Verifier of the user's password; for a user who does not exist, a decoy that no password
    /// fits and that looks like a verifier.
    ScramVerifier verifier(String user) {
        ScramVerifier known = verifiers.get(user);
        return known == null ? decoys.of(user, first) : known;
    }

    /// True if there is a user of that name.
    public boolean has(String user) {
        return verifiers.containsKey(user);
    }

    /// True if the user exists and has this password. Takes tens of milliseconds, whether the user
    /// exists or not.
    boolean matches(String user, String password) {
        return verifier(user).matches(password);
    }
}

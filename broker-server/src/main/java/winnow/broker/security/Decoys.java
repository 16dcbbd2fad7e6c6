package winnow.broker.security;

import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import winnow.wire.scram.ScramVerifier;

/// Verifiers for users who do not exist, whose salts follow from a key. The key is a comment of the
/// user file: did it follow from somebody's password, then all salts but those of users would
/// change with it, and tell who exists. Immutable.
final class Decoys {
    private static final String BEGIN = "# decoy-key: ";
    private static final int KEY_BYTES = 32;

    private final byte[] key;
    private final boolean lasting;

    private Decoys(byte[] key, boolean lasting) {
        this.key = key;
        this.lasting = lasting;
    }

    /// The decoys of a user file.
    ///
    /// @param first gives the key if no line does
    /// @throws IllegalArgumentException saying what is wrong with the key
    static Decoys of(List<String> lines, ScramVerifier first) {
        return lines.stream()
                .filter(Decoys::isLine)
                .findFirst()
                .map(line -> new Decoys(key(line), true))
                .orElseGet(() -> new Decoys(first.decoyKey(), false));
    }

    /// A line for a file that has none: the decoys stay as they are.
    static String line(List<String> lines) {
        return lines.stream()
                .map(line -> line.strip().substring(line.strip().indexOf(':') + 1))
                .flatMap(text -> verifier(text).stream())
                .findFirst()
                .map(first -> line(first.decoyKey()))
                .orElseGet(Decoys::newLine);
    }

    private static Optional<ScramVerifier> verifier(String text) {
        try {
            return Optional.of(ScramVerifier.parse(text));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    private static byte[] key(String line) {
        byte[] key = Base64.getDecoder().decode(line.substring(BEGIN.length()).strip());
        if (key.length == 0) {
            throw new IllegalArgumentException("it is empty");
        }
        return key;
    }

    /// True if it is the line with the key.
    static boolean isLine(String line) {
        return line.startsWith(BEGIN);
    }

    /// A line with a new key.
    static String newLine() {
        byte[] key = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(key);
        return line(key);
    }

    private static String line(byte[] key) {
        return BEGIN + Base64.getEncoder().encodeToString(key);
    }

    /// True if the key is in the user file.
    boolean lasting() {
        return lasting;
    }

    /// Decoy for a user who does not exist.
    ///
    /// @param like what it looks like
    ScramVerifier of(String user, ScramVerifier like) {
        return like.decoy(key, user);
    }
}

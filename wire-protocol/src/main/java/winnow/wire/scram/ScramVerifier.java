package winnow.wire.scram;

import java.security.MessageDigest;
import java.util.Base64;

/// Data that a server keeps of a password: enough to check it, not enough to log in. Immutable.
///
/// Its text is `SCRAM-SHA-256$iterations:salt$storedKey:serverKey`, salt and keys in base 64, as
/// PostgreSQL writes it.
public final class ScramVerifier {
    /// The mechanism's name.
    public static final String MECHANISM = "SCRAM-SHA-256";

    /// Minimum of RFC 7677; with fewer iterations, the password behind an overheard proof is soon
    /// guessed.
    public static final int MIN_ITERATIONS = 4_096;

    /// More would delay a client by more than half a second.
    public static final int MAX_ITERATIONS = 5_000_000;

    /// Iterations of new verifiers: each password that is tried takes 12 ms of a processor.
    public static final int DEFAULT_ITERATIONS = 120_000;

    private static final int SALT_BYTES = 16;
    private static final String FORM = MECHANISM + "$iterations:salt$storedKey:serverKey";

    private final int iterations;
    private final byte[] salt;
    private final byte[] storedKey;
    private final byte[] serverKey;

    private ScramVerifier(int iterations, byte[] salt, byte[] storedKey, byte[] serverKey) {
        this.iterations = iterations;
        this.salt = salt;
        this.storedKey = storedKey;
        this.serverKey = serverKey;
    }

    /// The verifier of a password, with a new salt. Takes tens of milliseconds.
    public static ScramVerifier of(String password) {
        return of(password, ScramKeys.newBytes(SALT_BYTES), DEFAULT_ITERATIONS);
    }

    static ScramVerifier of(String password, byte[] salt, int iterations) {
        ScramKeys keys = ScramKeys.of(password, salt, iterations);
        return new ScramVerifier(iterations, salt.clone(), keys.storedKey(), keys.serverKey());
    }

    /// Reads the text form.
    ///
    /// @throws IllegalArgumentException with what was expected and what was found
    public static ScramVerifier parse(String text) {
        String[] parts = text.split("[$:]", -1);
        if (parts.length != 5 || !parts[0].equals(MECHANISM)) {
            throw new IllegalArgumentException("expected " + FORM);
        }
        byte[] salt = decode("a salt", parts[2]);
        if (salt.length == 0) {
            throw new IllegalArgumentException("expected a salt, found none");
        }
        return new ScramVerifier(
                iterations(parts[1]),
                salt,
                key("a stored key", parts[3]),
                key("a server key", parts[4]));
    }

    private static int iterations(String text) {
        int found = text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : 0;
        if (found < MIN_ITERATIONS || found > MAX_ITERATIONS) {
            throw new IllegalArgumentException(
                    "expected %d to %d iterations, found '%s'"
                            .formatted(MIN_ITERATIONS, MAX_ITERATIONS, text));
        }
        return found;
    }

    private static byte[] key(String what, String text) {
        byte[] key = decode(what, text);
        if (key.length != ScramKeys.KEY_BYTES) {
            throw new IllegalArgumentException(
                    "expected %s of %d bytes, found %d"
                            .formatted(what, ScramKeys.KEY_BYTES, key.length));
        }
        return key;
    }

    private static byte[] decode(String what, String text) {
        try {
            return Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "expected " + what + " in base 64: " + e.getMessage(), e);
        }
    }

    /// A verifier that no password fits, for users who do not exist: each has the same salt every
    /// time, and the same iteration count as this one, so that nothing tells them from others.
    ///
    /// @param key that the salts follow from; secret, and not to be changed
    public ScramVerifier decoy(byte[] key, String user) {
        byte[] own = ScramKeys.hmac(key, "decoy " + user);
        byte[] decoySalt = new byte[salt.length];
        for (int i = 0; i < decoySalt.length; i++) {
            decoySalt[i] = own[i % own.length];
        }
        byte[] nobody = ScramKeys.newBytes(ScramKeys.KEY_BYTES);
        return new ScramVerifier(iterations, decoySalt, nobody, nobody);
    }

    /// True if it is the password. Takes tens of milliseconds.
    public boolean matches(String password) {
        byte[] found = ScramKeys.of(password, salt, iterations).storedKey();
        return MessageDigest.isEqual(found, storedKey);
    }

    int iterations() {
        return iterations;
    }

    String saltText() {
        return ScramKeys.base64(salt);
    }

    byte[] storedKey() {
        return storedKey;
    }

    byte[] serverKey() {
        return serverKey;
    }

    /// A key for decoys where there is no other. It changes with the password.
    public byte[] decoyKey() {
        return serverKey.clone();
    }

    /// The text form.
    public String text() {
        return "%s$%d:%s$%s:%s"
                .formatted(
                        MECHANISM,
                        iterations,
                        saltText(),
                        ScramKeys.base64(storedKey),
                        ScramKeys.base64(serverKey));
    }

    /// Without salt and keys.
    @Override
    public String toString() {
        return "ScramVerifier[" + iterations + " iterations]";
    }
}

package winnow.wire.scram;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;

/// A client's side of one exchange: [#first], [#last], [#verify], each once and in this order.
/// Owned by one thread at a time.
public final class ScramClient {
    static final Charset UTF_8 = StandardCharsets.UTF_8;

    /// No channel binding, no authorisation id.
    private static final String GS2_HEADER = "n,,";

    private final String password;
    private final String nonce;
    private final String firstBare;
    private byte[] expectedSignature = {};

    public ScramClient(String user, String password) {
        this(user, password, ScramKeys.newNonce());
    }

    /// @param nonce never used before
    ScramClient(String user, String password, String nonce) {
        this.password = password;
        this.nonce = nonce;
        firstBare = "n=%s,r=%s".formatted(ScramAttributes.encodeName(user), nonce);
    }

    /// The client-first-message.
    public String first() {
        return GS2_HEADER + firstBare;
    }

    /// The client-final-message. Takes tens of milliseconds with a usual iteration count, which the
    /// server decides within [ScramVerifier#MIN_ITERATIONS] and [ScramVerifier#MAX_ITERATIONS].
    ///
    /// @throws ScramException if the server-first-message is not as specified
    public String last(String serverFirst) throws ScramException {
        ScramAttributes attributes = new ScramAttributes("server-first-message", serverFirst);
        String wholeNonce = attributes.takeNonce();
        if (!wholeNonce.startsWith(nonce) || wholeNonce.length() == nonce.length()) {
            throw new ScramException(
                    "SCRAM-SHA-256: expected a nonce that goes on from the client's, found"
                            + " another");
        }
        byte[] salt = attributes.takeBytes('s');
        int iterations = iterations(attributes.take('i'));
        if (salt.length == 0) {
            throw new ScramException("SCRAM-SHA-256: expected a salt, found none");
        }
        ScramKeys keys = RecentKeys.of(password, salt, iterations);
        String withoutProof = "c=%s,r=%s".formatted(base64(GS2_HEADER), wholeNonce);
        String signed = firstBare + "," + serverFirst + "," + withoutProof;
        expectedSignature = ScramKeys.hmac(keys.serverKey(), signed);
        byte[] proof = ScramKeys.xor(keys.clientKey(), ScramKeys.hmac(keys.storedKey(), signed));
        return withoutProof + ",p=" + ScramKeys.base64(proof);
    }

    private static int iterations(String text) throws ScramException {
        int found = text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : 0;
        if (found < ScramVerifier.MIN_ITERATIONS || found > ScramVerifier.MAX_ITERATIONS) {
            throw new ScramException(
                    "SCRAM-SHA-256: expected %d to %d iterations, found %s"
                            .formatted(
                                    ScramVerifier.MIN_ITERATIONS,
                                    ScramVerifier.MAX_ITERATIONS,
                                    found == 0 ? "another number" : text));
        }
        return found;
    }

    private static String base64(String text) {
        return ScramKeys.base64(text.getBytes(UTF_8));
    }

    /// Checks that the server knows the password's verifier.
    ///
    /// @throws ScramException if it does not
    public void verify(String serverFinal) throws ScramException {
        byte[] signature = new ScramAttributes("server-final-message", serverFinal).takeBytes('v');
        boolean asked = expectedSignature.length > 0;
        if (!asked || !MessageDigest.isEqual(signature, expectedSignature)) {
            throw new ScramException(
                    "SCRAM-SHA-256: the server's signature is wrong: it does not know the"
                            + " password, so it is not the broker that the user belongs to");
        }
        Arrays.fill(expectedSignature, (byte) 0);
    }
}

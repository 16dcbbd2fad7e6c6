package winnow.wire.scram;

import java.security.MessageDigest;
import java.util.function.Function;

/// A server's side of one exchange: client-first in the constructor, then [#first], then [#last].
/// Takes some hashes, no iterations. Owned by one thread.
public final class ScramServer {
    private final String user;
    private final String gs2Header;
    private final String clientFirstBare;
    private final String nonce;
    private final ScramVerifier verifier;

    /// Reads the client-first-message.
    ///
    /// @param verifiers of users, a [decoy][ScramVerifier#decoy] for those who do not exist
    /// @throws ScramException if it is not as specified, asks for channel binding or for another
    ///   user's rights
    public ScramServer(String clientFirst, Function<String, ScramVerifier> verifiers)
            throws ScramException {
        this(clientFirst, verifiers, ScramKeys.newNonce());
    }

    /// @param serverNonce never used before
    ScramServer(String clientFirst, Function<String, ScramVerifier> verifiers, String serverNonce)
            throws ScramException {
        int flagEnd = clientFirst.indexOf(',');
        int headerEnd = clientFirst.indexOf(',', flagEnd + 1);
        String flag = clientFirst.substring(0, Math.max(0, flagEnd));
        if (headerEnd < 0 || !(flag.equals("n") || flag.equals("y"))) {
            throw new ScramException(
                    "SCRAM-SHA-256: expected a message that begins with 'n,' or 'y,' (no channel"
                            + " binding), found another");
        }
        gs2Header = clientFirst.substring(0, headerEnd + 1);
        clientFirstBare = clientFirst.substring(headerEnd + 1);
        ScramAttributes attributes = new ScramAttributes("client-first-message", clientFirstBare);
        user = ScramAttributes.decodeName(attributes.take('n'));
        nonce = attributes.takeNonce() + serverNonce;
        checkAuthorisation(clientFirst.substring(flagEnd + 1, headerEnd));
        verifier = verifiers.apply(user);
    }

    private void checkAuthorisation(String id) throws ScramException {
        if (!id.isEmpty() && !id.equals("a=" + ScramAttributes.encodeName(user))) {
            throw new ScramException(
                    "SCRAM-SHA-256: expected no authorisation id or the user's own, found another");
        }
    }

    /// The name that the client gave, which nothing proves before [#last] has returned.
    public String user() {
        return user;
    }

    /// The server-first-message.
    public String first() {
        return "r=%s,s=%s,i=%d".formatted(nonce, verifier.saltText(), verifier.iterations());
    }

    /// Checks the client-final-message.
    ///
    /// @return the server-final-message, empty if the client's proof is wrong
    /// @throws ScramException if the message is not as specified or belongs to another exchange
    public String last(String clientFinal) throws ScramException {
        ScramAttributes attributes = new ScramAttributes("client-final-message", clientFinal);
        String binding = attributes.take('c');
        if (!binding.equals(ScramKeys.base64(gs2Header.getBytes(ScramClient.UTF_8)))) {
            throw new ScramException(
                    "SCRAM-SHA-256: expected the header of the first message in 'c=', found"
                            + " another");
        }
        if (!attributes.takeNonce().equals(nonce)) {
            throw new ScramException(
                    "SCRAM-SHA-256: expected the nonce of this exchange, found another");
        }
        int proofBegin = clientFinal.lastIndexOf(",p=");
        byte[] proof =
                new ScramAttributes(
                                "end of the client-final-message",
                                clientFinal.substring(Math.max(0, proofBegin) + 1))
                        .takeBytes('p');
        if (proof.length != ScramKeys.KEY_BYTES) {
            throw new ScramException(
                    "SCRAM-SHA-256: expected a proof of %d bytes, found %d"
                            .formatted(ScramKeys.KEY_BYTES, proof.length));
        }
        String signed =
                clientFirstBare + "," + first() + "," + clientFinal.substring(0, proofBegin);
        byte[] clientKey = ScramKeys.xor(proof, ScramKeys.hmac(verifier.storedKey(), signed));
        if (!MessageDigest.isEqual(ScramKeys.hash(clientKey), verifier.storedKey())) {
            return "";
        }
        return "v=" + ScramKeys.base64(ScramKeys.hmac(verifier.serverKey(), signed));
    }
}

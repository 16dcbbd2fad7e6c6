package winnow.wire.scram;

import java.util.Base64;
import org.jspecify.annotations.Nullable;

/// Reads one message of the exchange: attributes `x=value` separated by commas, in order. Owned by
/// one thread.
final class ScramAttributes {
    private static final int MAX_NONCE_CHARACTERS = 512;

    private final String message;
    private final String[] parts;
    private int next;

    /// @param message named in errors
    ScramAttributes(String message, String text) {
        this.message = message;
        parts = text.split(",", -1);
    }

    /// The value of the next attribute.
    ///
    /// @throws ScramException if the next one has another name or there is none
    String take(char name) throws ScramException {
        String value = poll(name);
        if (value == null) {
            throw new ScramException(
                    "SCRAM-SHA-256: expected the attribute '%s=' as number %d of the %s"
                            .formatted(name, next + 1, message));
        }
        return value;
    }

    /// The value of the next attribute if it has this name, else null.
    @Nullable String poll(char name) {
        if (next < parts.length && parts[next].startsWith(name + "=")) {
            return parts[next++].substring(2);
        }
        return null;
    }

    /// A nonce: printable ASCII without commas.
    String takeNonce() throws ScramException {
        String nonce = take('r');
        boolean printable = nonce.chars().allMatch(c -> c > ' ' && c < 0x7F);
        if (nonce.isEmpty() || nonce.length() > MAX_NONCE_CHARACTERS || !printable) {
            throw new ScramException(
                    "SCRAM-SHA-256: expected a nonce of 1 to %d printable characters, found %d"
                            .formatted(MAX_NONCE_CHARACTERS, nonce.length()));
        }
        return nonce;
    }

    /// Bytes in base 64.
    byte[] takeBytes(char name) throws ScramException {
        String text = take(name);
        try {
            return Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            throw new ScramException(
                    "SCRAM-SHA-256: expected base 64 in the attribute '%s=' of the %s"
                            .formatted(name, message));
        }
    }

    /// A name as in `n=` and `a=`, where `=2C` and `=3D` stand for comma and equals sign.
    static String decodeName(String text) throws ScramException {
        String decoded = text.replace("=2C", ",").replace("=3D", "=");
        if (text.isEmpty() || !encodeName(decoded).equals(text)) {
            throw new ScramException(
                    "SCRAM-SHA-256: expected a user name with '=2C' for ',' and '=3D' for '='");
        }
        return decoded;
    }

    static String encodeName(String name) {
        return name.replace("=", "=3D").replace(",", "=2C");
    }
}

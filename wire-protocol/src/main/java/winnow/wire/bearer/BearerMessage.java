package winnow.wire.bearer;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The message by which a client logs in with a bearer token (RFC 7628, 3.1). Immutable.
///
/// @param authorizationId user to act as, empty for the token's own
/// @param token as the issuer made it
public record BearerMessage(String authorizationId, String token) {
    /// Name of the SASL mechanism.
    public static final String MECHANISM = "OAUTHBEARER";

    /// Characters of a token (RFC 6750, 2.1).
    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9._~+/-]+=*");

    private static final char SEPARATOR = '\u0001';
    private static final String END = "\u0001\u0001";

    /// The channel binding flag and the authorisation id. No binding is offered.
    private static final Pattern HEADER = Pattern.compile("[ny],(?:a=([^,]+))?,");

    private static final String SCHEME = "auth=Bearer ";

    /// @throws IllegalArgumentException if it is not the text of a token
    public BearerMessage {
        if (!isToken(token)) {
            throw new IllegalArgumentException(
                    "%s: expected a token of letters, digits and the characters - . _ ~ + / and ="
                                    .formatted(MECHANISM)
                            + (token.isEmpty() ? ", found none" : ", found others"));
        }
    }

    /// One without an authorisation id.
    public static BearerMessage of(String token) {
        return new BearerMessage("", token);
    }

    /// Tells if a text can be a token.
    public static boolean isToken(String text) {
        return TOKEN.matcher(text).matches();
    }

    /// Reads the text of a message.
    ///
    /// @throws IllegalArgumentException with what was expected, without the token
    public static BearerMessage parse(String text) {
        int end = text.indexOf(SEPARATOR);
        Matcher header = HEADER.matcher(text.substring(0, Math.max(0, end)));
        if (!header.matches() || !text.endsWith(END)) {
            throw new IllegalArgumentException(
                    MECHANISM
                            + ": expected a message such as 'n,,^Aauth=Bearer TOKEN^A^A' (^A is the"
                            + " character 1), found another");
        }
        String token = "";
        for (String pair : text.substring(end + 1).split(String.valueOf(SEPARATOR), -1)) {
            if (pair.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
                token = pair.substring(SCHEME.length()).strip();
            }
        }
        String id = header.group(1);
        return new BearerMessage(id == null ? "" : unescaped(id), token);
    }

    private static String unescaped(String id) {
        return id.replace("=2C", ",").replace("=3D", "=");
    }

    /// The text that [#parse] reads.
    public String text() {
        String id = authorizationId.replace("=", "=3D").replace(",", "=2C");
        return "n,%s,%c%s%s%s"
                .formatted(id.isEmpty() ? "" : "a=" + id, SEPARATOR, SCHEME, token, END);
    }

    /// Without the token.
    @Override
    public String toString() {
        return "BearerMessage[authorizationId=" + authorizationId + "]";
    }
}

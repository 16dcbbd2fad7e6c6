package winnow.client.message;

import static java.nio.charset.StandardCharsets.UTF_8;

import jakarta.jms.MessageFormatException;

/// Strings to bytes, strictly: the JDK's short form puts another character in the place of what
/// cannot be converted.
final class StrictUtf8 {
    private StrictUtf8() {}

    /// The text in UTF-8. Looking for surrogates is free where all characters are below U+0100: the
    /// compiler knows that such a string has none.
    ///
    /// @throws MessageFormatException if there is one half of a surrogate pair without the other
    static byte[] encode(String text) throws MessageFormatException {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                requirePairs(text, i);
                break;
            }
        }
        return text.getBytes(UTF_8);
    }

    private static void requirePairs(String text, int from) throws MessageFormatException {
        int i = from;
        while (i < text.length()) {
            int codePoint = text.codePointAt(i);
            if (Character.getType(codePoint) == Character.SURROGATE) {
                throw new MessageFormatException(
                        "expected text, found half a surrogate pair (U+%X) at index %d"
                                .formatted(codePoint, i));
            }
            i += Character.charCount(codePoint);
        }
    }
}

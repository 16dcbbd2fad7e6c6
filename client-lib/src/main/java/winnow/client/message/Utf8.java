package winnow.client.message;

import static java.nio.charset.StandardCharsets.UTF_8;

import jakarta.jms.MessageFormatException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;

/// Strings to bytes and back, strictly: the JDK's short forms put other characters in the place of
/// what cannot be converted.
final class Utf8 {
    private Utf8() {}

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

    /// The text of bytes that are UTF-8.
    ///
    /// @throws MessageFormatException if they are not
    static String decode(byte[] bytes) throws MessageFormatException {
        try {
            return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException e) {
            MessageFormatException notText =
                    new MessageFormatException("expected bytes in UTF-8, found other bytes");
            notText.initCause(e);
            throw notText;
        }
    }
}

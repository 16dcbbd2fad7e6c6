package winnow.client.message;

import static java.nio.charset.StandardCharsets.UTF_8;

import jakarta.jms.MessageFormatException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;

/// Correlation IDs to bytes and back, without loss. What is text is UTF-8. Each byte that is not,
/// as in the IDs of other providers, is the character U+DC00 plus the byte: half a surrogate pair,
/// which no text has. So an ID that was set as bytes may be copied to a reply as a string.
final class CorrelationIdBytes {
    /// The JDK puts it in the place of what is no text.
    private static final char REPLACEMENT = '\uFFFD';

    private static final char ESCAPE = '\uDC00';
    private static final char FIRST_ESCAPED = ESCAPE + 0x80;
    private static final char LAST_ESCAPED = ESCAPE + 0xFF;

    private CorrelationIdBytes() {}

    /// The correlation ID of any bytes.
    static String decode(byte[] bytes, int index, int length) {
        String text = new String(bytes, index, length, UTF_8);
        return text.indexOf(REPLACEMENT) < 0 ? text : decodeEscaped(bytes, index, length);
    }

    private static String decodeEscaped(byte[] bytes, int index, int length) {
        ByteBuffer in = ByteBuffer.wrap(bytes, index, length);
        CharBuffer out = CharBuffer.allocate(length);
        CharsetDecoder decoder = UTF_8.newDecoder();
        while (true) {
            CoderResult result = decoder.decode(in, out, true);
            if (!result.isError()) {
                return out.flip().toString();
            }
            for (int i = 0; i < result.length(); i++) {
                out.put((char) (ESCAPE + (in.get() & 0xFF)));
            }
            decoder.reset();
        }
    }

    /// The bytes of a correlation ID.
    ///
    /// @throws MessageFormatException if there is one half of a surrogate pair without the other,
    ///   and it stands for no byte
    static byte[] encode(String correlationId) throws MessageFormatException {
        int escaped = nextEscaped(correlationId, 0);
        if (escaped == correlationId.length()) {
            return StrictUtf8.encode(correlationId);
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int from = 0;
        while (escaped < correlationId.length()) {
            bytes.writeBytes(StrictUtf8.encode(correlationId.substring(from, escaped)));
            bytes.write(correlationId.charAt(escaped) - ESCAPE);
            from = escaped + 1;
            escaped = nextEscaped(correlationId, from);
        }
        bytes.writeBytes(StrictUtf8.encode(correlationId.substring(from)));
        return bytes.toByteArray();
    }

    private static int nextEscaped(String text, int from) {
        int i = from;
        while (i < text.length()) {
            char character = text.charAt(i);
            if (character >= FIRST_ESCAPED && character <= LAST_ESCAPED) {
                return i;
            }
            i += Character.charCount(text.codePointAt(i));
        }
        return i;
    }
}

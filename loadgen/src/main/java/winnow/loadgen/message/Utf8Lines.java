package winnow.loadgen.message;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Lines of a stream that has to be UTF-8. They end with `\n` or `\r\n`; the last one may end with
/// the stream. For one thread.
final class Utf8Lines {
    private final InputStream in;
    private long number;

    Utf8Lines(InputStream in) {
        this.in = new BufferedInputStream(in);
    }

    /// The next line, null at the end.
    ///
    /// @throws IllegalArgumentException if it is not UTF-8
    @Nullable String next() throws IOException {
        var line = new ByteArrayOutputStream();
        var read = in.read();
        if (read < 0) {
            return null;
        }
        for (; read >= 0 && read != '\n'; read = in.read()) {
            line.write(read);
        }
        number++;
        var text = decoded(line.toByteArray());
        return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
    }

    private String decoded(byte[] line) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(line)).toString();
        } catch (CharacterCodingException other) {
            throw new IllegalArgumentException(
                    "expected text in UTF-8 on standard input, found other bytes in line %,d: '%s'"
                            .formatted(number, new String(line, StandardCharsets.UTF_8)),
                    other);
        }
    }
}

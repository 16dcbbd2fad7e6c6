package winnow.client.transport.endpoint;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import winnow.wire.Protocol;
import winnow.wire.bearer.BearerMessage;

/// Reads files that have one bearer token each.
final class TokenFile {
    private TokenFile() {}

    /// The token, without white space around it.
    ///
    /// @throws TransportException naming the file, without what it has, if there is none; it may be
    ///   there later
    static String read(String file) throws TransportException {
        String text;
        try (InputStream in = Files.newInputStream(Path.of(file))) {
            byte[] bytes = in.readNBytes(Protocol.MAX_HANDSHAKE_FRAME_BYTES + 1);
            text = new String(bytes, StandardCharsets.US_ASCII).strip();
        } catch (NoSuchFileException e) {
            throw unusable(file, "expected a file with a token, found none", e);
        } catch (IOException | InvalidPathException e) {
            throw unusable(file, "expected a file that can be read: " + e.getMessage(), e);
        }
        if (text.length() > Protocol.MAX_HANDSHAKE_FRAME_BYTES || !BearerMessage.isToken(text)) {
            throw unusable(
                    file,
                    "expected a token of letters, digits and the characters - . _ ~ + / and =, of"
                            + " at most "
                            + Protocol.MAX_HANDSHAKE_FRAME_BYTES
                            + " characters, found "
                            + (text.isEmpty() ? "nothing" : "something else"),
                    null);
        }
        return text;
    }

    private static TransportException unusable(
            String file, String what, @Nullable Exception cause) {
        return new TransportException(
                LocalFailure.CONNECT_FAILED, "tokenFile: " + file + ": " + what, cause);
    }
}

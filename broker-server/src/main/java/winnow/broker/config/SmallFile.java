package winnow.broker.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/// Reads text files that people write. One that never ends, such as a device, or a large one that
/// was named by mistake does not use up the heap.
public final class SmallFile {
    private SmallFile() {}

    /// The text.
    ///
    /// @throws IOException naming the file if it cannot be read, is longer or is not UTF-8
    public static String read(Path file, int maxBytes) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(maxBytes + 1);
            if (bytes.length > maxBytes) {
                throw new IOException("expected at most " + maxBytes + " bytes, found more");
            }
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (IOException e) {
            throw FileProblem.of(file, e);
        }
    }
}

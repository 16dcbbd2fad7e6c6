package winnow.loadgen.remote;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;

/// Lines of a connection, each of which has a limit. Owned by one thread.
final class LineInput {

    private static final int BUFFER_BYTES = 16 << 10;

    /// Time for a line, however many bytes come meanwhile.
    private static final Duration LINE = Duration.ofMinutes(1);

    private final BufferedInputStream input;
    private long beginNanos;

    LineInput(InputStream input) {
        this.input = new BufferedInputStream(new Timed(input), BUFFER_BYTES);
    }

    private final class Timed extends FilterInputStream {

        Timed(InputStream input) {
            super(input);
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            var read = super.read(bytes, offset, length);
            if (System.nanoTime() - beginNanos > LINE.toNanos()) {
                throw new IOException(
                        "expected a line within %d s, found a part".formatted(LINE.toSeconds()));
            }
            return read;
        }
    }

    /// The next line, without its end.
    ///
    /// @throws EOFException if the connection ends before the line does
    /// @throws IOException if the line is longer than the limit, or takes too long
    byte[] read(int mostBytes) throws IOException {
        beginNanos = System.nanoTime();
        var line = new ByteArrayOutputStream();
        for (var read = input.read(); read != '\n'; read = input.read()) {
            if (read < 0) {
                throw new EOFException("the connection was closed");
            }
            if (line.size() == mostBytes) {
                throw new IOException(
                        "expected a line of at most %,d bytes, found more".formatted(mostBytes));
            }
            line.write(read);
        }
        return line.toByteArray();
    }
}

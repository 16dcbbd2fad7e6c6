package winnow.client.message;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// The body of a bytes message, on the heap or in a file. Immutable, as long as nobody appends to
/// the file.
final class BytesContent {
    static final BytesContent EMPTY = new BytesContent(new byte[0], 0, 0);

    final byte[] array;
    final int offset;
    private final long length;
    final @Nullable SpillFile file;

    BytesContent(byte[] array, int offset, int length) {
        this.array = array;
        this.offset = offset;
        this.length = length;
        this.file = null;
    }

    /// All of a file.
    BytesContent(SpillFile file) {
        this.array = EMPTY.array;
        this.offset = 0;
        this.length = file.length();
        this.file = file;
    }

    long length() {
        return length;
    }

    /// Copies bytes that are there.
    ///
    /// @param from index of the first
    void copy(long from, byte[] to, int at, int count) throws IOException {
        if (file == null) {
            System.arraycopy(array, offset + (int) from, to, at, count);
        } else {
            file.read(from, to, at, count);
        }
    }
}

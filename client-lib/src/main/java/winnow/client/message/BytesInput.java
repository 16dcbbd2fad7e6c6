package winnow.client.message;

import java.io.IOException;
import winnow.wire.WireReader;

/// Body of a bytes message as an application reads it, by a moving window if it is in a file. Not
/// thread-safe, as its message.
final class BytesInput {
    /// Holds the longest value that is read at once, a text of [java.io.DataInputStream].
    static final int LONGEST_VALUE = 2 + 65_535;

    private static final int WINDOW_BYTES = 128 * 1024;

    private final BytesContent content;
    private final WireReader window = new WireReader();

    /// Index of the first byte behind the window.
    private long next;

    BytesInput(BytesContent content) {
        this.content = content;
        if (content.file == null) {
            int end = content.offset + (int) content.length();
            window.wrap(content.array, content.offset, end);
            next = content.length();
        } else {
            window.wrap(new byte[WINDOW_BYTES], 0, 0);
        }
    }

    /// A reader that has the next so many bytes, or all that are left.
    ///
    /// @param wanted at most [#LONGEST_VALUE]
    WireReader reader(int wanted) throws IOException {
        int rest = window.remaining();
        if (rest < wanted && next < content.length()) {
            byte[] array = window.array();
            System.arraycopy(array, window.position(), array, 0, rest);
            int more = (int) Math.min(array.length - rest, content.length() - next);
            content.copy(next, array, rest, more);
            next += more;
            window.wrap(array, 0, rest + more);
        }
        return window;
    }

    /// Reads bytes, many of them past the window.
    ///
    /// @return how many; 0 if there are none
    int read(byte[] to, int length) throws IOException {
        int count = Math.min(length, window.remaining());
        System.arraycopy(window.array(), window.position(), to, 0, count);
        window.skip(count);
        int more = (int) Math.min(length - count, content.length() - next);
        if (more > 0) {
            content.copy(next, to, count, more);
            next += more;
        }
        return count + more;
    }
}

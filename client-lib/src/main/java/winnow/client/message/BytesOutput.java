package winnow.client.message;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import winnow.wire.Protocol;
import winnow.wire.WireWriter;

/// Body of a bytes message as an application writes it: on the heap, and in a file once it is
/// longer than what travels in one piece. Not thread-safe, as its message.
final class BytesOutput {
    private static final int HEAP_BYTES = Protocol.MAX_PART_BYTES;

    /// Bytes that gather before they are written to the file.
    private static final int TAIL_BYTES = 64 * 1024;

    private final SpillSpace space;
    private final WireWriter tail = new WireWriter(32);
    private @Nullable SpillFile file;

    BytesOutput(SpillSpace space) {
        this.space = space;
    }

    /// Writer for values; [#onWritten] is to be called after each.
    WireWriter writer() {
        return tail;
    }

    /// A value was written.
    void onWritten() throws IOException {
        if (tail.size() > (file == null ? HEAP_BYTES : TAIL_BYTES)) {
            spill();
        }
    }

    /// Writes bytes; many of them go to the file directly.
    void write(byte[] value, int offset, int length) throws IOException {
        if (tail.size() + (long) length <= (file == null ? HEAP_BYTES : TAIL_BYTES)) {
            tail.writeRaw(value, offset, length);
        } else {
            spill().append(value, offset, length);
        }
    }

    private SpillFile spill() throws IOException {
        SpillFile known = file;
        if (known == null) {
            known = space.newFile();
            file = known;
        }
        known.append(tail.array(), 0, tail.size());
        tail.clear();
        return known;
    }

    /// Bytes written so far. On the heap their content is valid until more is written.
    BytesContent content() throws IOException {
        return file == null
                ? new BytesContent(tail.array(), 0, tail.size())
                : new BytesContent(spill());
    }

    /// The bytes written, which do not change any more.
    BytesContent finish() throws IOException {
        return file == null
                ? new BytesContent(tail.toByteArray(), 0, tail.size())
                : new BytesContent(spill());
    }
}

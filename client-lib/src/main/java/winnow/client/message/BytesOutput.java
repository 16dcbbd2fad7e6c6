package winnow.client.message;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import winnow.wire.Protocol;
import winnow.wire.WireWriter;

/// Where an application writes the body of a bytes message: to the heap, and to a file when it
/// becomes longer than what travels in one piece. Not thread-safe, as its message.
final class BytesOutput {
    private static final int HEAP_BYTES = Protocol.MAX_PART_BYTES;

    /// What gathers before it is written to the file.
    private static final int TAIL_BYTES = 64 * 1024;

    private final SpillSpace space;
    private final WireWriter tail = new WireWriter(32);
    private @Nullable SpillFile file;

    BytesOutput(SpillSpace space) {
        this.space = space;
    }

    /// Where values are written; [#onWritten] is to be called after each.
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

    /// What has been written so far. On the heap it is valid until more is written.
    BytesContent content() throws IOException {
        return file == null
                ? new BytesContent(tail.array(), 0, tail.size())
                : new BytesContent(spill());
    }

    /// What has been written, which does not change any more.
    BytesContent finish() throws IOException {
        return file == null
                ? new BytesContent(tail.toByteArray(), 0, tail.size())
                : new BytesContent(spill());
    }
}

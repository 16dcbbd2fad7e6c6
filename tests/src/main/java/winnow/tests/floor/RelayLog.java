package winnow.tests.floor;

import io.netty.channel.EventLoop;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/// The least that stores messages: what an event loop has read in one turn is written to a bare
/// file and synced by the loop itself, without another thread, and confirmed then. Owned by the
/// loop.
final class RelayLog {
    private static final int BUFFER_BYTES = 4 << 20;

    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private final List<Runnable> waiting = new ArrayList<>();
    private final FileChannel file;

    RelayLog(Path path) throws IOException {
        file =
                FileChannel.open(
                        path,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE);
    }

    /// Appends a message.
    ///
    /// @param message not longer than the buffer
    /// @param loop the caller's
    /// @param stored called when it is on the disk
    void append(byte[] message, EventLoop loop, Runnable stored) {
        if (waiting.isEmpty()) {
            loop.execute(this::commit);
        }
        if (buffer.remaining() < message.length) {
            write();
        }
        buffer.put(message);
        waiting.add(stored);
    }

    private void commit() {
        write();
        try {
            file.force(false);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<Runnable> done = List.copyOf(waiting);
        waiting.clear();
        done.forEach(Runnable::run);
    }

    private void write() {
        buffer.flip();
        try {
            while (buffer.hasRemaining()) {
                file.write(buffer);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        buffer.clear();
    }
}

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
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

/// The least that stores messages: what an event loop has read in one turn is written to a bare
/// file, synced, and confirmed then. The loop does that itself, or a thread apart does, so that no
/// disk holds the loop; that one takes what has come meanwhile as its next group.
final class RelayLog {
    private static final int BUFFER_BYTES = 4 << 20;

    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private final FileChannel file;
    private final boolean apart;
    private final Executor committer;

    /// Guarded by this.
    private List<Waiting> waiting = new ArrayList<>();

    private record Waiting(byte[] message, Runnable stored) {}

    /// @param apart whether another thread than the loop writes
    RelayLog(Path path, boolean apart) throws IOException {
        file =
                FileChannel.open(
                        path,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE);
        this.apart = apart;
        committer =
                Executors.newSingleThreadExecutor(
                        task -> Thread.ofPlatform().daemon().name("relay-log").unstarted(task));
    }

    /// Appends a message. Called by the loop.
    ///
    /// @param message not longer than the buffer
    /// @param loop the caller's
    /// @param stored called by the loop when the message is on the disk
    void append(byte[] message, EventLoop loop, Runnable stored) {
        boolean first;
        synchronized (this) {
            first = waiting.isEmpty();
            waiting.add(new Waiting(message, stored));
        }
        if (first) {
            Executor writer = apart ? committer : loop;
            writer.execute(() -> commit(loop));
        }
    }

    private void commit(EventLoop loop) {
        List<Waiting> group;
        synchronized (this) {
            group = waiting;
            waiting = new ArrayList<>();
        }
        try {
            for (Waiting one : group) {
                if (buffer.remaining() < one.message.length) {
                    write();
                }
                buffer.put(one.message);
            }
            write();
            file.force(false);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (apart) {
            loop.execute(() -> group.forEach(one -> one.stored.run()));
        } else {
            group.forEach(one -> one.stored.run());
        }
    }

    private void write() throws IOException {
        buffer.flip();
        while (buffer.hasRemaining()) {
            file.write(buffer);
        }
        buffer.clear();
    }
}

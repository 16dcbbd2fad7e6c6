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

/// A [RelayLog] that is a bare file: what an event loop has read in one turn is written to it,
/// synced, and confirmed then. The loop does that itself, or a thread apart does, so that no disk
/// holds the loop; that one takes what has come meanwhile as its next group.
final class RelayFile implements RelayLog {
    private static final int BUFFER_BYTES = 4 << 20;

    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private final FileChannel file;
    private final boolean apart;
    private final Executor committer;

    /// Guarded by this.
    private List<Waiting> waiting = new ArrayList<>();

    private static final class Waiting {
        final byte[] message;
        final Runnable stored;

        Waiting(byte[] message, Runnable stored) {
            this.message = message;
            this.stored = stored;
        }
    }

    /// @param apart whether another thread than the loop writes
    RelayFile(Path path, boolean apart) throws IOException {
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

    /// @param message not longer than the buffer
    @Override
    public void append(byte[] message, EventLoop loop, Runnable stored) {
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

package winnow.client.transport;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import winnow.client.log.ClientLog;
import winnow.wire.WireWriter;

/// The bytes of one connection that wait for its socket, and who writes them.
///
/// Application threads append frames and schedule one flush on the event loop if none is scheduled;
/// the loop takes all pending bytes at once. So a single message leaves at once, and while the loop
/// writes, the next batch grows.
///
/// Waking the loop for a single message costs more than writing it. So a thread that will wait for
/// the outcome of its publish, or that publishes only now and then ([SendPace]), writes the socket
/// itself if nothing else is being written. Measured with one confirmed message at a time: 16
/// instead of 28 µs of CPU and 38,600 instead of 22,700 a second; with twenty such connections no
/// difference.
///
/// Guarded by the lock of [SendBuffer] where a method says so.
final class SocketWriter {
    private static final Logger LOG = ClientLog.of(SocketWriter.class);
    private static final int INITIAL_BYTES = 4 * 1024;
    private static final int MAX_KEPT_BYTES = 1024 * 1024;

    /// Above this a write is left to the event loop: the JDK keeps a buffer of that size for each
    /// thread that writes.
    private static final int MAX_DIRECT_BYTES = 32 * 1024;

    /// So many turns of the event loop [#writeNow] waits at most, each so long at most: as a rule
    /// one of some microseconds.
    private static final int MAX_LOOP_TURNS = 10;

    private static final long MAX_TURN_MILLIS = 100;

    private static final byte[] NOTHING = {};

    private final DirectSocket channel;
    private final ReentrantLock lock;
    private final Consumer<WireWriter> beforeWrite;
    private final Runnable flushTask = this::flush;
    private final SendPace pace = new SendPace();
    private WireWriter pending = new WireWriter(INITIAL_BYTES);
    private WireWriter spare = new WireWriter(INITIAL_BYTES);
    private boolean flushScheduled;

    /// True if an application thread is writing the socket.
    private boolean writing;

    /// True if a write failed halfway: nothing may follow it.
    private boolean broken;

    /// Writes of the event loop that the socket has not taken whole.
    private int loopWrites;

    /// Bytes that an application thread took and the socket did not; they go before the pending
    /// ones.
    private byte[] unwritten = NOTHING;

    private volatile long lastWriteNanos = System.nanoTime();

    /// @param beforeWrite called under the lock with the pending bytes before they are taken
    SocketWriter(DirectSocket channel, ReentrantLock lock, Consumer<WireWriter> beforeWrite) {
        this.channel = channel;
        this.lock = lock;
        this.beforeWrite = beforeWrite;
    }

    /// Writer to append to. Needs the lock, until [#schedule] or [#onPublish] was called.
    WireWriter pending() {
        return pending;
    }

    /// True if nothing waits for the socket.
    boolean isEmpty() {
        lock.lock();
        try {
            return pending.size() == 0;
        } finally {
            lock.unlock();
        }
    }

    /// When bytes were written last, by `System.nanoTime`.
    long lastWriteNanos() {
        return lastWriteNanos;
    }

    /// Makes the event loop write; a thread that is writing does this itself when it is done. Needs
    /// the lock.
    void schedule() {
        if (!flushScheduled) {
            flushScheduled = true;
            if (!writing) {
                channel.eventLoop().execute(flushTask);
            }
        }
    }

    /// A publish was appended. Needs the lock.
    ///
    /// @param awaited whether the caller will wait for its outcome
    /// @return bytes that the caller has to give to [#writeDirectly] when it has left the lock, or
    ///   null if the event loop writes
    @Nullable WireWriter onPublish(boolean awaited) {
        pace.onPublish();
        boolean possible =
                channel.isDirect()
                        && !flushScheduled
                        && !writing
                        && !broken
                        && loopWrites == 0
                        && pending.size() <= MAX_DIRECT_BYTES;
        if (possible && (awaited || isQuiet())) {
            WireWriter taken = takePending();
            writing = true;
            return taken;
        }
        schedule();
        return null;
    }

    private boolean isQuiet() {
        return pace.isQuiet() && pace.isQuietAfter(System.nanoTime() - lastWriteNanos);
    }

    private WireWriter takePending() {
        beforeWrite.accept(pending);
        WireWriter taken = pending;
        pending = spare;
        spare = taken;
        return taken;
    }

    /// Gives the socket what is pending before it returns, unless it takes no more. Not for the
    /// event loop.
    void writeNow() {
        WireWriter taken = null;
        lock.lock();
        try {
            if (channel.isDirect()
                    && !writing
                    && !broken
                    && loopWrites == 0
                    && unwritten.length == 0
                    && pending.size() <= MAX_DIRECT_BYTES) {
                taken = takePending();
                writing = true;
            }
        } finally {
            lock.unlock();
        }
        if (taken != null) {
            writeDirectly(taken);
        } else {
            awaitLoop();
        }
    }

    /// The event loop writes, because other threads may not, or somebody else is writing.
    private void awaitLoop() {
        boolean interrupted = false;
        for (int turn = 0; turn < MAX_LOOP_TURNS && !isEmpty() && channel.isActive(); turn++) {
            try {
                channel.eventLoop().submit(flushTask).await(MAX_TURN_MILLIS);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /// Writes what [#onPublish] returned. The socket's leftover goes to the event loop.
    void writeDirectly(WireWriter taken) {
        int written = -1;
        try {
            written = channel.tryWrite(taken.array(), taken.size());
        } catch (IOException e) {
            // The event loop learns of it too and ends the connection.
            LOG.debug("could not write", e);
        } finally {
            afterDirectWrite(taken, written);
        }
    }

    /// @param written bytes that the socket took; -1 if it failed, so that nobody knows
    private void afterDirectWrite(WireWriter taken, int written) {
        if (written < 0) {
            channel.close();
        }
        lock.lock();
        try {
            broken = written < 0;
            writing = false;
            pace.onWrite(markWrite());
            if (written >= 0 && written < taken.size()) {
                unwritten = Arrays.copyOfRange(taken.array(), written, taken.size());
                flushScheduled = true;
            }
            recycle(taken);
            if (flushScheduled) {
                channel.eventLoop().execute(flushTask);
            }
        } finally {
            lock.unlock();
        }
    }

    /// Returns the time since the last write, in nanoseconds.
    private long markWrite() {
        long now = System.nanoTime();
        long since = now - lastWriteNanos;
        lastWriteNanos = now;
        return since;
    }

    /// Writes what is pending. Event loop. While the socket takes no more, the pending bytes stay
    /// and [#onWritable] continues.
    private void flush() {
        WireWriter taken;
        byte[] first;
        lock.lock();
        try {
            if (writing || broken || !channel.isWritable()) {
                return;
            }
            flushScheduled = false;
            taken = takePending();
            first = unwritten;
            unwritten = NOTHING;
            if (taken.size() + first.length == 0) {
                return;
            }
            loopWrites++;
            pace.onWrite(markWrite());
        } finally {
            lock.unlock();
        }
        ByteBuf out = copied(first, taken);
        // May come back here through onWritable, so nothing but the outcome may be left to do.
        ChannelFuture written = channel.writeAndFlush(out);
        if (written.isDone()) {
            onLoopWritten();
        } else {
            written.addListener(done -> onLoopWritten());
        }
    }

    /// The bytes to write. Without memory for them the connection is over, since they are missing.
    private ByteBuf copied(byte[] first, WireWriter taken) {
        boolean copied = false;
        try {
            ByteBuf out = channel.alloc().directBuffer(first.length + taken.size());
            out.writeBytes(first);
            out.writeBytes(taken.array(), 0, taken.size());
            recycle(taken);
            copied = true;
            return out;
        } finally {
            if (!copied) {
                channel.close();
            }
        }
    }

    private void onLoopWritten() {
        lock.lock();
        try {
            loopWrites--;
        } finally {
            lock.unlock();
        }
    }

    private void recycle(WireWriter taken) {
        taken.clear();
        if (taken.array().length > MAX_KEPT_BYTES) {
            spare = new WireWriter(INITIAL_BYTES);
        }
    }

    /// The socket takes bytes again. Event loop.
    void onWritable() {
        lock.lock();
        try {
            if (!flushScheduled) {
                return;
            }
        } finally {
            lock.unlock();
        }
        flush();
    }
}

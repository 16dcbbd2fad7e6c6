package winnow.client.transport;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.Selector;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import winnow.wire.WireException;

/// Who reads the socket of one connection: its event loop or, while nothing happens on it but one
/// thread that sends confirmed messages and waits for each, that thread. This saves waking first
/// the loop and then the thread for each confirmation.
///
/// The loop lends the reading after [#LEND_AFTER] such sends in a row. It takes it back when
/// somebody [recalls][#recall] it because more is expected than that thread's confirmation, when
/// something goes wrong, and when no thread has read for [#LOOK_MILLIS]; so much later is read what
/// nobody waits for.
///
/// Thread-safe. Who reads owns [InboundFrames].
final class SocketReader {
    static final int LEND_AFTER = 16;
    private static final long LOOK_MILLIS = 10;

    private enum Reader {
        LOOP,
        /// Lent, but no thread waits.
        NOBODY,
        THREAD
    }

    private final DirectSocket channel;
    private final InboundFrames frames;

    /// Whether no answer is expected but one thread's confirmations.
    private final BooleanSupplier calm;

    private final AtomicReference<Reader> reader = new AtomicReference<>(Reader.LOOP);
    private volatile @Nullable Loan loan;
    private volatile boolean wanted;
    private volatile boolean recalled;
    private volatile boolean used;

    /// Guarded by the lock of [Output].
    private int awaitedInARow;

    /// Owned by the event loop.
    private boolean lookScheduled;

    /// @param calm whether no delivery is expected and no publish is unanswered
    SocketReader(DirectSocket channel, InboundFrames frames, BooleanSupplier calm) {
        this.channel = channel;
        this.frames = frames;
        this.calm = calm;
    }

    /// A publish that the broker will answer was appended. Needs the lock of [Output].
    ///
    /// @param alone whether its thread waits for the answer, and no other answer is to come
    void onPublish(boolean alone) {
        if (alone) {
            awaitedInARow++;
            if (awaitedInARow == LEND_AFTER) {
                awaitedInARow = 0;
                wanted = true;
            }
        } else {
            awaitedInARow = 0;
            wanted = false;
            recall();
        }
    }

    /// A read of the event loop is complete: the moment to lend.
    void onReadComplete() {
        if (!wanted || !calm.getAsBoolean() || !frames.isBetweenFrames() || !prepared()) {
            return;
        }
        recalled = false;
        used = true;
        channel.config().setAutoRead(false);
        reader.set(Reader.NOBODY);
        // Who has sent meanwhile, or subscribed, found that the loop reads, and relies on it.
        if (!calm.getAsBoolean()) {
            takeBack();
        }
        scheduleLook();
    }

    private boolean prepared() {
        if (loan != null) {
            return true;
        }
        try {
            Loan made = new Loan();
            loan = made;
            channel.closeFuture().addListener(closed -> made.selector.close());
            return true;
        } catch (IOException e) {
            wanted = false;
            return false;
        }
    }

    private void scheduleLook() {
        if (!lookScheduled) {
            lookScheduled = true;
            var unused =
                    channel.eventLoop().schedule(this::look, LOOK_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void look() {
        lookScheduled = false;
        if (reader.get() == Reader.LOOP) {
            return;
        }
        if (!used) {
            takeBack();
        }
        used = reader.get() == Reader.THREAD;
        scheduleLook();
    }

    /// Makes the event loop read, because something is expected that no thread waits for in
    /// [#readUntil]. Call it when what it does can be seen by `calm`. Any thread.
    void recall() {
        Loan lent = loan;
        if (lent != null && reader.get() != Reader.LOOP && !recalled) {
            recalled = true;
            lent.selector.wakeup();
            channel.eventLoop().execute(this::takeBack);
        }
    }

    /// The event loop reads again, unless a thread does: then this comes again when it leaves.
    private void takeBack() {
        if (reader.compareAndSet(Reader.NOBODY, Reader.LOOP)) {
            wanted = false;
            channel.config().setAutoRead(true);
        }
    }

    /// Reads the socket until `done`, if the reading is lent and no other thread does. May return
    /// before: then the event loop reads.
    ///
    /// @param timeoutNanos longest wait
    void readUntil(BooleanSupplier done, long timeoutNanos) {
        Loan lent = loan;
        if (lent == null || !reader.compareAndSet(Reader.NOBODY, Reader.THREAD)) {
            return;
        }
        used = true;
        try {
            long deadline = System.nanoTime() + timeoutNanos;
            while (!done.getAsBoolean() && !recalled && lent.await(deadline)) {
                lent.read();
            }
        } finally {
            reader.set(Reader.NOBODY);
            if (recalled || !calm.getAsBoolean()) {
                recalled = true;
                channel.eventLoop().execute(this::takeBack);
            }
        }
    }

    /// What a thread needs to wait for bytes and to read them. Used by one thread at a time.
    private final class Loan {
        /// More than one thread's answers need.
        private static final int READ_BYTES = 4 * 1024;

        private final Selector selector;
        private final ByteBuffer in = ByteBuffer.allocateDirect(READ_BYTES);
        private final ByteBuf view = Unpooled.wrappedBuffer(in);

        Loan() throws IOException {
            selector = channel.newReadSelector();
            frames.prepareLoan(READ_BYTES);
        }

        /// @return false if time is up, the thread is interrupted or the connection is closed
        boolean await(long deadline) {
            long millis = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime()) + 1;
            if (millis <= 0 || Thread.currentThread().isInterrupted()) {
                return false;
            }
            try {
                selector.select(key -> {}, millis);
                return true;
            } catch (IOException | ClosedSelectorException e) {
                recalled = true;
                return false;
            }
        }

        /// Reads what is there. The event loop meets an error or the end of the stream again.
        void read() {
            try {
                int size = channel.tryRead(in.clear());
                if (size > 0) {
                    frames.onLentRead(view.setIndex(0, size));
                } else if (size < 0) {
                    recalled = true;
                }
            } catch (WireException e) {
                recalled = true;
                channel.eventLoop().execute(() -> frames.giveUp(e));
            } catch (IOException e) {
                recalled = true;
            }
        }
    }
}

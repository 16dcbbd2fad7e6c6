package winnow.client.transport;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.Selector;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import winnow.wire.WireException;

/// Reads the socket of one connection, on its event loop or, while only one thread is interested in
/// what comes, on that thread. This saves waking first the loop and then the thread. Such a thread
/// is one that sends confirmed messages and waits for each, on a connection without consumers, or
/// the one that runs the listener of the connection's only consumer.
///
/// The loop lends the reading after [#LEND_AFTER] such sends or small reads in a row, if they came
/// fast. It takes it back when somebody [recalls][#recall] it because more is expected, when more
/// comes at once than a small read, when something goes wrong, and when nothing was read for
/// [#LOOK_MILLIS]; so much later is read what nobody waits for.
///
/// Thread-safe. Who reads owns [InboundFrames].
final class SocketReader {
    private static final int LEND_AFTER = 16;
    private static final long LOOK_MILLIS = 10;
    private static final long LEFT_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long FAST_NANOS = TimeUnit.MILLISECONDS.toNanos(LEND_AFTER);

    /// Most bytes that a deliberate publisher's message brings; a busy one's fill a read.
    private static final int SMALL_READ_BYTES = 512;

    /// Time for which a thread asks its socket again and again for an answer before it waits. One
    /// publisher, persistent: 74,000 messages a second overall without, 109,000 with 8 µs, 139,000
    /// with 12 and 135,000 with 20, and about 6 instead of 7.4 µs of the client per message, since
    /// the thread need not be woken. At a time when the same machine was slower, 50,000 with 12 µs,
    /// 84,000 with 25 or 40, at 10.9, 8.1 and 8.8 µs.
    private static final long ASK_NANOS = TimeUnit.MICROSECONDS.toNanos(25);

    /// Answers that are not asked for after one did not come in time.
    private static final int PAUSED_ANSWERS = 16;

    /// Threads of this process that wait for an answer. Several would ask at each other's expense:
    /// 5 publishers on 2 processors that all do send 20 % less, 20 of them 40 % less.
    private static final AtomicInteger AWAITING = new AtomicInteger();

    private enum Reader {
        LOOP,
        /// Lent, but no thread waits.
        NOBODY,
        THREAD
    }

    private final DirectSocket channel;
    private final WireConnection connection;
    private final AtomicReference<Reader> reader = new AtomicReference<>(Reader.LOOP);
    private volatile @Nullable Loan loan;
    private volatile boolean wanted;
    private volatile boolean recalled;
    private volatile boolean used;

    /// Guarded by the lock of [SendBuffer].
    private final Streak awaitedSends = new Streak(LEND_AFTER, FAST_NANOS);

    /// Owned by the event loop.
    private final Streak smallReads = new Streak(LEND_AFTER, FAST_NANOS);

    /// Owned by the event loop.
    private boolean lookScheduled;

    SocketReader(DirectSocket channel, WireConnection connection) {
        this.channel = channel;
        this.connection = connection;
    }

    /// A publish that the broker will answer was appended. Needs the lock of [SendBuffer].
    ///
    /// @param alone whether its thread waits for the answer, and no other answer is to come
    void onPublish(boolean alone) {
        if (alone) {
            wanted |= awaitedSends.add();
        } else {
            awaitedSends.end();
            wanted = false;
            recall();
        }
    }

    /// A read of the event loop is complete: the moment to lend.
    ///
    /// @param bytes what it brought
    void onReadComplete(int bytes) {
        if (bytes > SMALL_READ_BYTES) {
            smallReads.end();
        } else if (connection.subscriptions().hasOnlyAReader()) {
            wanted |= smallReads.add();
        }
        if (wanted
                && channel.isDirect()
                && connection.isCalm()
                && connection.frames().isBetweenFrames()
                && prepared()) {
            lend();
        }
    }

    private void lend() {
        recalled = false;
        used = true;
        channel.config().setAutoRead(false);
        reader.set(Reader.NOBODY);
        if (connection.isCalm()) {
            connection.subscriptions().onLent();
        } else {
            // Who has sent meanwhile, or subscribed, found that the loop reads, and relies on it.
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
        if (used) {
            used = false;
        } else {
            recall();
        }
        scheduleLook();
    }

    /// Makes the event loop read, because something is expected that no thread waits for in
    /// [#readUntil]. Call it when the reason can be seen by [WireConnection#isCalm]. Any thread.
    void recall() {
        Loan lent = loan;
        if (lent != null && reader.get() != Reader.LOOP && !recalled) {
            recalled = true;
            lent.selector.wakeup();
            channel.eventLoop().execute(this::takeBack);
        }
    }

    /// Waits until no thread reads. It [was recalled][#recall].
    void awaitLeft(long timeoutMillis) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        while (reader.get() == Reader.THREAD && System.nanoTime() < deadline) {
            LockSupport.parkNanos(LEFT_NANOS);
        }
    }

    /// The event loop reads again, unless a thread does: then this comes again when it leaves.
    private void takeBack() {
        if (reader.compareAndSet(Reader.NOBODY, Reader.LOOP)) {
            wanted = false;
            channel.config().setAutoRead(true);
        }
    }

    /// Like [#readUntil], but asks the socket for a while if no other thread of the process waits
    /// for an answer.
    void readAnswer(BooleanSupplier done, long timeoutNanos) {
        boolean alone = AWAITING.getAndIncrement() == 0;
        try {
            read(done, timeoutNanos, alone);
        } finally {
            AWAITING.getAndDecrement();
        }
    }

    /// Reads the socket until `done`, if the reading is lent and no other thread does. May return
    /// before: then the event loop reads.
    ///
    /// @param timeoutNanos longest wait
    void readUntil(BooleanSupplier done, long timeoutNanos) {
        read(done, timeoutNanos, false);
    }

    private void read(BooleanSupplier done, long timeoutNanos, boolean ask) {
        Loan lent = loan;
        if (lent == null || !reader.compareAndSet(Reader.NOBODY, Reader.THREAD)) {
            return;
        }
        try {
            if (ask) {
                lent.ask(done);
            }
            long deadline = System.nanoTime() + timeoutNanos;
            while (!done.getAsBoolean() && !recalled && lent.await(deadline)) {
                lent.read();
            }
        } finally {
            reader.set(Reader.NOBODY);
            if (recalled || !connection.isCalm()) {
                recalled = true;
                channel.eventLoop().execute(this::takeBack);
            }
        }
    }

    /// Waits for bytes and reads them for a thread. Used by one thread at a time.
    private final class Loan {
        /// Above this the event loop does better, which reads while the thread works.
        private static final int READ_BYTES = 4 * 1024;

        private final Selector selector;
        private final ByteBuffer in = ByteBuffer.allocateDirect(READ_BYTES);
        private final ByteBuf view = Unpooled.wrappedBuffer(in);
        private int pausedAnswers;

        Loan() throws IOException {
            selector = channel.newReadSelector();
            connection.frames().prepareLoan(READ_BYTES);
        }

        /// Asks the socket until `done`, if that did not take too long of late.
        void ask(BooleanSupplier done) {
            if (pausedAnswers > 0) {
                pausedAnswers--;
                return;
            }
            long start = System.nanoTime();
            while (!done.getAsBoolean() && !recalled) {
                if (System.nanoTime() - start >= ASK_NANOS) {
                    pausedAnswers = PAUSED_ANSWERS;
                    return;
                }
                Thread.onSpinWait();
                read();
            }
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
                if (size < 0 || size == READ_BYTES) {
                    recalled = true;
                }
                if (size > 0) {
                    used = true;
                    connection.frames().onLentRead(view.setIndex(0, size));
                }
            } catch (WireException e) {
                recalled = true;
                channel.eventLoop().execute(() -> connection.frames().giveUp(e));
            } catch (IOException e) {
                recalled = true;
            } catch (RuntimeException | Error e) {
                recalled = true;
                channel.eventLoop().execute(() -> channel.pipeline().fireExceptionCaught(e));
                throw e;
            }
        }
    }
}

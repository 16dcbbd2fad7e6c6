package winnow.broker.storage;

import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import winnow.broker.fault.FaultOwner;
import winnow.broker.subscription.Loop;

/// Runs on an event loop what the shard tells it, in the order in which it was told. After each
/// slice of 0.15 milliseconds the loop reads its sockets, so that a round with much to copy does
/// not keep other connections waiting. Nothing is left out: what belongs to a connection that has
/// gone finds it closed. Owned by the loop.
final class Inbox {
    /// As long as the turn of messages that are read and the slice of long matches, which the same
    /// iteration may have (ADR 27).
    static final long SLICE_NANOS = TimeUnit.MICROSECONDS.toNanos(150);

    /// Bytes between two looks at the clock. A delivery of 50 kB takes 45 µs, most of it for the
    /// write to the socket that it leads to.
    static final int LOOK_BYTES = 16 * 1024;

    /// Bytes that a command counts as besides those that it copies: it takes 0.1 to 0.5 µs.
    private static final int COMMAND_BYTES = 1024;

    /// Commands that may wait for another slice, some 150 bytes each. [Flight] bounds deliveries,
    /// but a client that asks much is answered as much: beyond this the loop goes on at once.
    static final int MAX_WAITING = 16 * 1024;

    private final Loop loop;
    private final LongSupplier nanoClock;
    private final ArrayDeque<Command> waiting = new ArrayDeque<>();

    /// Time for which commands have run in this slice. Several rounds may share it.
    private long spentNanos;

    /// True if the slice is over; the next begins when the loop has read its sockets.
    private boolean over;

    /// Command to the loop.
    ///
    /// @param owner closed if it fails
    /// @param bytes that it copies about
    record Command(FaultOwner owner, int bytes, Runnable action) {}

    Inbox(Loop loop, LongSupplier nanoClock) {
        this.loop = loop;
        this.nanoClock = nanoClock;
    }

    /// Takes what a round of the shard has for the loop.
    void add(List<Command> round) {
        assert loop.inLoop();
        waiting.addAll(round);
        if (!over || waiting.size() > MAX_WAITING) {
            run();
        }
    }

    private void run() {
        long begin = nanoClock.getAsLong();
        long spent = spentNanos;
        do {
            runSome();
            spentNanos = spent + nanoClock.getAsLong() - begin;
        } while (!waiting.isEmpty() && (spentNanos < SLICE_NANOS || waiting.size() > MAX_WAITING));
        if (spentNanos >= SLICE_NANOS && !over) {
            over = true;
            loop.executeAfterReading(this::beginSlice);
        }
    }

    private void runSome() {
        int left = LOOK_BYTES;
        while (left > 0 && !waiting.isEmpty()) {
            Command next = waiting.removeFirst();
            left -= COMMAND_BYTES + next.bytes;
            loop.faults().run(next.owner, next.action);
        }
    }

    private void beginSlice() {
        over = false;
        spentNanos = 0;
        if (!waiting.isEmpty()) {
            run();
        }
    }
}

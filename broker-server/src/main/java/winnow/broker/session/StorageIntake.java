package winnow.broker.session;

import java.util.concurrent.TimeUnit;
import winnow.broker.budget.IntakeMemory;

/// The messages of one connection that are on their way into the storage. A client's credit counts
/// the bytes of its frames, and a message of ten bytes takes hundreds until it is stored: while the
/// messages of all connections take too much, one with more than a few of them is not read. Nor is
/// one whose messages keep the storage busy for long, because they have very many subscriptions:
/// others would wait for all of them. Owned by the connection's event loop.
final class StorageIntake {
    /// Some fifty small messages: enough for the storage to write them together.
    private static final int FEW_BYTES = 16 * 1024;

    /// Work of the storage that one connection may have asked for and not been answered, which
    /// takes a sync of the disk, too.
    private static final long MAX_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final IntakeMemory memory;
    private final ReadingPauses pauses;
    private long heapBytes;
    private long nanos;
    private boolean ended;
    private boolean closed;

    /// Written by the loop.
    private volatile boolean withoutMemory;

    private volatile boolean lagging;

    StorageIntake(IntakeMemory memory, ReadingPauses pauses) {
        this.memory = memory;
        this.pauses = pauses;
    }

    /// True if nothing more is taken for the moment. Any thread.
    boolean isPaused() {
        return withoutMemory || lagging;
    }

    /// A message goes to the storage.
    ///
    /// @param bytes that it takes of the heap
    /// @param itsNanos time that the storage needs for it
    void add(long bytes, long itsNanos) {
        memory.take(bytes);
        heapBytes += bytes;
        nanos += itsNanos;
        if (heapBytes > FEW_BYTES && memory.isFull() && !withoutMemory && !ended) {
            withoutMemory = true;
            pauses.begin(ReadingPauses.Reason.STORAGE_MEMORY);
        }
        if (nanos > MAX_NANOS && !lagging && !ended) {
            lagging = true;
            pauses.begin(ReadingPauses.Reason.STORAGE_WORK);
        }
    }

    /// The storage has answered.
    void remove(long bytes, long itsNanos) {
        if (!closed) {
            memory.giveBack(bytes);
            heapBytes -= bytes;
            nanos -= itsNanos;
            if (heapBytes <= FEW_BYTES / 2) {
                goOnWithMemory();
            }
            if (nanos <= MAX_NANOS / 2) {
                goOnInTime();
            }
        }
    }

    private void goOnWithMemory() {
        if (withoutMemory) {
            withoutMemory = false;
            pauses.end(ReadingPauses.Reason.STORAGE_MEMORY);
        }
    }

    private void goOnInTime() {
        if (lagging) {
            lagging = false;
            pauses.end(ReadingPauses.Reason.STORAGE_WORK);
        }
    }

    /// Nothing more will be read: what was read goes on now, and does not stop any more.
    void end() {
        ended = true;
        goOnWithMemory();
        goOnInTime();
    }

    /// The connection has gone.
    void close() {
        closed = true;
        ended = true;
        withoutMemory = false;
        lagging = false;
        memory.giveBack(heapBytes);
        heapBytes = 0;
    }
}

package winnow.broker.session;

/// The messages of one connection that are on their way into the storage. A client's credit counts
/// the bytes of its frames, and a message of ten bytes takes hundreds until it is stored: while the
/// messages of all connections take too much, one with more than a few of them is not read. Owned
/// by the connection's event loop.
final class StorageIntake {
    /// Some fifty small messages: enough for the storage to write them together.
    private static final int FEW_BYTES = 16 * 1024;

    private final IntakeMemory memory;
    private final ReadingPauses pauses;
    private long heapBytes;
    private boolean ended;
    private boolean closed;

    /// Written by the loop.
    private volatile boolean paused;

    StorageIntake(IntakeMemory memory, ReadingPauses pauses) {
        this.memory = memory;
        this.pauses = pauses;
    }

    /// True if nothing more is taken for the moment. Any thread.
    boolean isPaused() {
        return paused;
    }

    /// A message goes to the storage.
    ///
    /// @param bytes that it takes of the heap
    void add(long bytes) {
        memory.take(bytes);
        heapBytes += bytes;
        if (heapBytes > FEW_BYTES && memory.isFull() && !paused && !ended) {
            paused = true;
            pauses.begin(ReadingPauses.Reason.STORAGE_MEMORY);
        }
    }

    /// The storage has answered.
    void remove(long bytes) {
        if (!closed) {
            memory.giveBack(bytes);
            heapBytes -= bytes;
            if (heapBytes <= FEW_BYTES / 2) {
                goOn();
            }
        }
    }

    private void goOn() {
        if (paused) {
            paused = false;
            pauses.end(ReadingPauses.Reason.STORAGE_MEMORY);
        }
    }

    /// Nothing more will be read: what was read goes on now, and does not stop any more.
    void end() {
        ended = true;
        goOn();
    }

    /// The connection has gone.
    void close() {
        closed = true;
        ended = true;
        paused = false;
        memory.giveBack(heapBytes);
        heapBytes = 0;
    }
}

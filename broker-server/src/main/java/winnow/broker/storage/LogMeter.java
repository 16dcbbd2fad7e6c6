package winnow.broker.storage;

/// Counts appends to a log, and to those that it has replaced. Owned by the shard's thread.
final class LogMeter {
    private long entries;
    private long entryBytes;
    private long commits;
    private long commitNanos;
    private long waiting;

    /// When the log last completed something, or began to have something to do.
    private long movedNanos;

    /// @param now ns, from any moment, as all times here
    void onAppended(int bytes, long now) {
        entries++;
        entryBytes += bytes;
        if (waiting == 0) {
            movedNanos = now;
        }
        waiting++;
    }

    /// An entry has been written, or has failed.
    void onCompleted(long now) {
        waiting--;
        movedNanos = now;
    }

    void onCommitted(long nanos) {
        commits++;
        commitNanos += nanos;
    }

    /// For how long the log has completed nothing, though something waits: its disk hangs.
    long stalledNanos(long now) {
        return waiting == 0 ? 0 : Math.max(0, now - movedNanos);
    }

    long entries() {
        return entries;
    }

    long entryBytes() {
        return entryBytes;
    }

    /// Entries that were to be on the disk, and are.
    long commits() {
        return commits;
    }

    /// Time from their appending to that, summed over them.
    long commitNanos() {
        return commitNanos;
    }
}

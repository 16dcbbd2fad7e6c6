package winnow.broker.storage;

/// What has been appended to a log, and to those that it has replaced. Owned by the shard's thread.
final class LogMeter {
    private long entries;
    private long entryBytes;
    private long commits;
    private long commitNanos;

    void onAppended(int bytes) {
        entries++;
        entryBytes += bytes;
    }

    void onCommitted(long nanos) {
        commits++;
        commitNanos += nanos;
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

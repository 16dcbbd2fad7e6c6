package winnow.broker.storage;

import java.util.concurrent.TimeUnit;

/// Room on the store's disk that is kept for what consumers cause, because acknowledgements need
/// the disk, too: decides by what is free whether messages may be stored, whether files may be
/// merged, and when space is given back. Not thread-safe.
final class DiskReserve {
    private static final int DISK_PART = 20;
    private static final long LEAST_BYTES = 256L << 20;

    /// A small disk is mostly for messages.
    private static final int MOST_PART = 4;

    /// RocksDB merges no more than 25 files of 64 MiB at once.
    private static final long MERGED_BYTES = 1600L << 20;

    private static final long AGAIN_NANOS = TimeUnit.MINUTES.toNanos(1);

    private static final long FLUSH_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final long wantedBytes;
    private boolean near;
    private boolean low;
    private boolean critical;
    private boolean merging = true;
    private long reserveBytes;

    /// Bytes of messages when space was given back last; [Long#MAX_VALUE] if it was not since the
    /// disk is nearly low.
    private long shrunkAtBytes = Long.MAX_VALUE;

    private long shrunkAtNanos;
    private boolean flushed;
    private long flushedAtNanos;

    /// @param wantedBytes how much is kept, 0 for what suits the disk
    DiskReserve(long wantedBytes) {
        this.wantedBytes = wantedBytes;
    }

    /// Bytes that are kept free of a disk of that size.
    static long reserveBytes(long wantedBytes, long totalBytes) {
        return wantedBytes > 0
                ? wantedBytes
                : Math.min(Math.max(totalBytes / DISK_PART, LEAST_BYTES), totalBytes / MOST_PART);
    }

    /// @param messageBytes of all messages that wait
    void look(DiskSpace space, long messageBytes) {
        reserveBytes = reserveBytes(wantedBytes, space.totalBytes());
        long free = space.freeBytes();
        low = free < (low ? resumeBytes() : reserveBytes);
        critical = low && free < reserveBytes / 2;
        near = free < 2 * reserveBytes;
        if (!near) {
            shrunkAtBytes = Long.MAX_VALUE;
        }
        long merged = Math.min(mergedBytes(space, messageBytes), MERGED_BYTES);
        long spare = free - reserveBytes / 2;
        merging = spare >= merged + (merging ? 0 : reserveBytes / 4);
    }

    /// Files that are merged take so much more until that is done.
    private static long mergedBytes(DiskSpace space, long messageBytes) {
        return Math.min(messageBytes, space.dataBytes() + space.logBytes());
    }

    /// True if space has to be given back, so that messages need not be refused.
    boolean near() {
        return near;
    }

    /// True if messages are refused.
    boolean low() {
        return low;
    }

    /// True if even those are refused that come with the end of others.
    boolean critical() {
        return critical;
    }

    /// True if RocksDB may merge files when it wants to: not if it could fill the disk by that.
    boolean merging() {
        return merging;
    }

    long reserveBytes() {
        return reserveBytes;
    }

    /// So much has to be free before messages are taken again: more than the reserve, so that
    /// producers do not go on and stop with each message that is consumed.
    long resumeBytes() {
        return reserveBytes + reserveBytes / 4;
    }

    /// True if it is time to write what is in the write-ahead log to data files, so that it does
    /// not take its space twice: before messages are refused.
    boolean flushes(DiskSpace space, long nowNanos) {
        boolean due =
                near
                        && space.logBytes() >= reserveBytes / 8
                        && space.freeBytes() > 0
                        && (!flushed || nowNanos - flushedAtNanos >= FLUSH_AGAIN_NANOS);
        if (due) {
            flushed = true;
            flushedAtNanos = nowNanos;
        }
        return due;
    }

    /// True if it is time to give the space of consumed messages back: the disk is nearly low, much
    /// could be given back, there is room for what is left of the files, and a quarter was consumed
    /// since it was done last, or some time has passed and messages are refused.
    boolean shrinks(DiskSpace space, long messageBytes, long nowNanos) {
        long left = mergedBytes(space, messageBytes);
        boolean due =
                near
                        && space.dataBytes() + space.logBytes() - left >= reserveBytes / 8
                        && space.freeBytes() - reserveBytes / 4 >= left
                        && (messageBytes < shrunkAtBytes - shrunkAtBytes / 4
                                || (low && nowNanos - shrunkAtNanos >= AGAIN_NANOS));
        if (due) {
            shrunkAtBytes = messageBytes;
            shrunkAtNanos = nowNanos;
        }
        return due;
    }
}

package winnow.broker.shard;

import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.roaringbitmap.longlong.LongIterator;
import org.roaringbitmap.longlong.PeekableLongIterator;
import winnow.store.Batch;
import winnow.store.Table;

/// Which rows of a destination's messages may be deleted: all below the lowest sequence that is
/// needed, and blocks above it that nobody needs, where one subscription is far behind. Owned by
/// the shard.
final class MessageSpace {
    /// A destination with more messages than so many blocks deletes so many together: the fewer
    /// ranges, the faster the log is read.
    private static final int DEEP = 16;

    private final StoredDestination destination;

    /// Rows with so many bytes are deleted even if they are few.
    private static final long DELETED_BYTES = 64L << 20;

    /// The same while the disk is nearly full.
    private static final long SPARING_BYTES = 1L << 20;

    /// The last of a destination are worth a deletion of their own then if they have so many.
    private static final long LAST_BYTES = 64L << 10;

    /// The space of rows with so many bytes is given back even if they are few: the log's files
    /// have some 64 MiB each.
    private static final long RECLAIMED_BYTES = 256L << 20;

    /// About the bytes of messages that ended and whose rows are there.
    private long endedBytes;

    /// About the bytes of deleted rows whose space has not been given back.
    private long deletedBytes;

    /// Rows below this have been deleted.
    private long deletedBelow;

    /// The space of rows below this has been given back.
    private long reclaimedBelow;

    /// There are no rows from here on.
    private long storedBelow;

    /// Blocks in which something was acknowledged since they were looked at.
    private final TreeSet<Long> touched = new TreeSet<>();

    /// The one that was added last, -1 if there is none.
    private long lastTouched = -1;

    /// Blocks above all that is deleted that have no rows any more.
    private final SequenceSet emptied = new SequenceSet();

    /// Effort that is made for space.
    enum Sparing {
        /// The disk has enough.
        NOT,
        /// It is nearly full: fewer rows are worth a deletion.
        SOON,
        /// It has just become so: all that can go does.
        AT_ONCE
    }

    /// Deleted rows whose space can be given back.
    ///
    /// @param destination its number
    /// @param first lowest sequence
    /// @param end the sequence behind the last
    record Range(int destination, long first, long end) {
        byte[] from() {
            return Keys.of(destination, first);
        }

        byte[] to() {
            return Keys.of(destination, end);
        }
    }

    MessageSpace(StoredDestination destination) {
        this.destination = destination;
    }

    /// The log gets the rows of a message, or has them.
    void onStored(long sequence) {
        storedBelow = Math.max(storedBelow, sequence + 1);
    }

    /// A subscription does not need a message any more.
    ///
    /// @param bytes of its block, 0 if that is not known
    /// @param together rows of a block
    void onEnded(long sequence, int bytes, int together) {
        endedBytes += bytes / Math.max(1, destination.subscriptions().size());
        touch(sequence, together);
    }

    /// A subscription ends: it needs none of its messages any more.
    void onEnded(StoredSubscription subscription, int together) {
        endedBytes += subscription.bytes() / (destination.subscriptions().size() + 1);
        PeekableLongIterator needed = subscription.outstanding().iteratorFrom(0);
        while (needed.hasNext()) {
            long sequence = needed.next();
            touch(sequence, together);
            needed.advanceIfNeeded((sequence / together + 1) * together);
        }
    }

    private void touch(long sequence, int together) {
        long block = sequence / together;
        if (block != lastTouched) {
            touched.add(block);
            lastTouched = block;
        }
    }

    /// Deletes the rows that no subscription needs any more. Takes time in proportion to the
    /// subscriptions.
    ///
    /// @param together so many at least, unless they are large
    void delete(Batch batch, int together, Sparing sparing) {
        long head = destination.head();
        boolean deep = destination.next() - head > (long) DEEP * together;
        long least = sparing == Sparing.NOT ? DELETED_BYTES : SPARING_BYTES;
        boolean large =
                endedBytes >= least
                        || (head == destination.next() && isWorthIt(endedBytes, sparing));
        if ((large && head > deletedBelow)
                || head - deletedBelow >= (deep ? (long) DEEP * together : together)) {
            deletedBytes += endedBytes;
            deleteBelow(batch, head);
            emptied.removeBelow(Math.floorDiv(head, together));
        }
        if (!touched.isEmpty()) {
            // The block of the head goes with it.
            for (long block : touched.tailSet(Math.floorDiv(head, together), false)) {
                deleteBlock(batch, block, together);
            }
            touched.clear();
            lastTouched = -1;
        }
    }

    private static boolean isWorthIt(long bytes, Sparing sparing) {
        return switch (sparing) {
            case NOT -> false;
            case SOON -> bytes >= LAST_BYTES;
            case AT_ONCE -> true;
        };
    }

    private void deleteBelow(Batch batch, long below) {
        if (deletedBelow < storedBelow) {
            deleteRange(batch, deletedBelow, below);
        }
        destination.priorities().remove(deletedBelow, below);
        endedBytes = 0;
        deletedBelow = below;
    }

    private void deleteBlock(Batch batch, long block, int together) {
        long first = block * together;
        long end = first + together;
        if (end <= destination.next()
                && first < storedBelow
                && !emptied.contains(block)
                && !needed(first, end)) {
            deleteRange(batch, first, end);
            destination.priorities().remove(first, end);
            emptied.add(block);
        }
    }

    private boolean needed(long first, long end) {
        for (StoredSubscription subscription : destination.subscriptions()) {
            LongIterator expected = subscription.outstanding().iteratorFrom(first);
            if (expected.hasNext() && expected.next() < end) {
                return true;
            }
        }
        return false;
    }

    /// Deletes the rows of all messages.
    void deleteAll(Batch batch) {
        deleteBelow(batch, Math.max(destination.next(), storedBelow));
    }

    private void deleteRange(Batch batch, long first, long end) {
        byte[] from = Keys.of(destination.id(), first);
        byte[] to = Keys.of(destination.id(), end);
        batch.deleteRange(Table.HEADERS, from, to);
        batch.deleteRange(Table.BODIES, from, to);
    }

    /// Takes the range that can be given back when the present changes are written.
    ///
    /// @return null if it is not worth it yet
    @Nullable Range takeDeleted(int together, Sparing sparing) {
        long first = reclaimedBelow;
        if (deletedBelow == first
                || (deletedBelow - first < (long) DEEP * together
                        && deletedBytes < RECLAIMED_BYTES
                        && !isWorthIt(deletedBytes, sparing))) {
            return null;
        }
        reclaimedBelow = deletedBelow;
        deletedBytes = 0;
        // From the first row on: a file may have rows of this range and of those before.
        return first < storedBelow ? new Range(destination.id(), 0, deletedBelow) : null;
    }

    static List<Table> tables() {
        return List.of(Table.HEADERS, Table.BODIES);
    }
}

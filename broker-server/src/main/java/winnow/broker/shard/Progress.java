package winnow.broker.shard;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.TreeSet;
import org.roaringbitmap.RoaringBitmap;
import org.roaringbitmap.longlong.LongIterator;
import winnow.store.Batch;
import winnow.store.Table;
import winnow.wire.WireWriter;

/// Written form of a subscription's acknowledgements: how far it is without a gap, and for each
/// chunk of 4,096 sequences beyond in which something was acknowledged, what that was. So a batch
/// of acknowledgements costs one small row per chunk, and none where they come in order.
///
/// It also notes ahead up to where messages may have been delivered, so that after a crash those
/// below are marked as perhaps redelivered. Owned by the subscription's shard.
final class Progress {
    /// 512 bytes at most per row; sequences that are acknowledged in order stay within one.
    static final int CHUNK_BITS = 12;

    /// So many deliveries share one note ahead.
    private static final int MARK_STRIDE = 1024;

    /// A chunk in which something has changed: an entry of a tree and its key.
    private static final long CHANGED_BYTES = 56;

    private static final int CHUNK = 1 << CHUNK_BITS;

    private final StoredSubscription subscription;
    private final TreeSet<Long> changed = new TreeSet<>();
    private final SequenceSet written = new SequenceSet();

    /// Messages whose counts of deliveries have changed.
    private final SequenceSet counted = new SequenceSet();

    /// Below this messages may have been delivered, as the log says or will say.
    private long mark;

    /// The same, as the log says for sure.
    private long durableMark;

    private boolean changes;

    Progress(StoredSubscription subscription) {
        this.subscription = subscription;
    }

    /// Heap of what it has to write, and of what it has written for parts of the messages.
    long heapBytes() {
        return written.bitmapBytes() + counted.bitmapBytes() + CHANGED_BYTES * changed.size();
    }

    void onAcknowledged(long sequence) {
        changed.add(sequence >>> CHUNK_BITS);
        changes = true;
    }

    /// The count of a message's deliveries has changed, or is not needed any more.
    void onCount(long sequence) {
        counted.add(sequence);
        changes = true;
    }

    /// True if a stored message may be delivered without a note in the log.
    boolean mayDeliver(long sequence) {
        return sequence < durableMark;
    }

    /// True if there is a note, or will be one, that a message may be delivered.
    boolean announced(long sequence) {
        return sequence < mark;
    }

    /// Notes that messages up to this one, and some more, may be delivered.
    ///
    /// @return whether that is news
    boolean announce(long sequence) {
        if (sequence < mark) {
            return false;
        }
        mark = sequence + MARK_STRIDE;
        changes = true;
        return true;
    }

    long mark() {
        return mark;
    }

    /// The log has a note.
    ///
    /// @return whether it lets more be delivered
    boolean onMarkDurable(long noted) {
        boolean news = noted > durableMark;
        durableMark = Math.max(durableMark, noted);
        return news;
    }

    /// Every delivery has come back, and is counted.
    ///
    /// @param suspectBelow messages below this may have been delivered before the shard was opened
    void settle(long suspectBelow) {
        mark = suspectBelow;
        changes = true;
    }

    boolean hasChanges() {
        return changes;
    }

    /// The chunks in which something was acknowledged since the last [#write].
    Iterable<Long> changedChunks() {
        return changed;
    }

    /// Writes what has changed.
    void write(Batch batch) {
        long head = subscription.head();
        WireWriter row = new WireWriter(16);
        row.writeLong(head);
        row.writeLong(mark);
        batch.put(Table.PROGRESS, Keys.of(subscription.id()), row.array(), 0, row.size());
        long headChunk = head >>> CHUNK_BITS;
        forgetBelow(batch, headChunk);
        for (long chunk : changed.tailSet(headChunk, true)) {
            writeChunk(batch, chunk, head);
        }
        changed.clear();
        counted.forEach(sequence -> {
            byte[] key = Keys.of(subscription.id(), sequence);
            int count = subscription.countedDeliveries(sequence);
            if (count == 0) {
                batch.delete(Table.DELIVERIES, key);
            } else {
                batch.put(Table.DELIVERIES, key, Keys.of(count));
            }
        });
        counted.clear();
        changes = false;
    }

    private void forgetBelow(Batch batch, long headChunk) {
        while (!written.isEmpty() && written.first() < headChunk) {
            long chunk = written.first();
            written.remove(chunk);
            batch.delete(Table.ACKNOWLEDGED, Keys.of(subscription.id(), chunk));
        }
    }

    private void writeChunk(Batch batch, long chunk, long head) {
        long first = Math.max(chunk << CHUNK_BITS, head);
        long end = Math.min((chunk + 1) << CHUNK_BITS, subscription.destination().next());
        RoaringBitmap acknowledged = new RoaringBitmap();
        long gap = first;
        LongIterator expected = subscription.outstanding().iteratorFrom(first);
        while (gap < end && expected.hasNext()) {
            long sequence = Math.min(expected.next(), end);
            addGap(acknowledged, gap, sequence);
            gap = sequence + 1;
        }
        addGap(acknowledged, gap, end);
        byte[] key = Keys.of(subscription.id(), chunk);
        if (!acknowledged.isEmpty()) {
            acknowledged.runOptimize();
            batch.put(Table.ACKNOWLEDGED, key, bytes(acknowledged));
            written.add(chunk);
        } else if (written.remove(chunk)) {
            batch.delete(Table.ACKNOWLEDGED, key);
        }
    }

    private static void addGap(RoaringBitmap acknowledged, long from, long to) {
        if (from < to) {
            long start = from & (CHUNK - 1);
            acknowledged.add(start, start + to - from);
        }
    }

    private static byte[] bytes(RoaringBitmap set) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(set.serializedSizeInBytes());
        try {
            set.serialize(new DataOutputStream(out));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    /// Recovers what a log has.
    void recover(long mark, Iterable<Long> chunks) {
        this.mark = mark;
        this.durableMark = mark;
        chunks.forEach(written::add);
    }
}

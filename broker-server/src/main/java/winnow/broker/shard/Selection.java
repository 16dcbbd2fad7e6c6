package winnow.broker.shard;

import org.jspecify.annotations.Nullable;
import org.roaringbitmap.longlong.LongIterator;
import org.roaringbitmap.longlong.Roaring64Bitmap;

/// Which of the messages that wait for a consumer an operator means. Immutable.
public final class Selection {
    private final @Nullable MessageFilter filter;
    private final long @Nullable [] sequences;

    private Selection(@Nullable MessageFilter filter, long @Nullable [] sequences) {
        this.filter = filter;
        this.sequences = sequences;
    }

    /// All of them.
    public static Selection all() {
        return new Selection(null, null);
    }

    /// Messages that a filter lets through.
    public static Selection matching(MessageFilter filter) {
        return new Selection(filter, null);
    }

    /// Messages with these sequences, as a [Browser] shows them.
    public static Selection of(long... sequences) {
        return new Selection(null, sequences.clone());
    }

    boolean matches(StoredMessage message) {
        return filter == null || filter.matches(message.block);
    }

    /// Sequences to look at, of those that wait now; ascending. It is a copy.
    LongIterator candidates(StoredSubscription subscription) {
        return sequences == null
                ? subscription.waiting().all().getLongIterator()
                : Roaring64Bitmap.bitmapOf(sequences).getLongIterator();
    }
}

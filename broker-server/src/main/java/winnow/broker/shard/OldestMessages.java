package winnow.broker.shard;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;

/// Reads of subscriptions since when their oldest messages wait, where these are not in memory: the
/// headers of one message or two for each, whatever waits. Called by the shard's thread.
public final class OldestMessages {
    /// Subscriptions that are read for one question. Of others it is not known then.
    private static final int MAX_READ = 1000;

    /// Messages of a subscription that are read: while it is consumed, another one is the oldest
    /// each time.
    private static final int MAX_EACH = 2;

    private final Shard shard;
    private final long nowMillis;
    private final Deque<StoredSubscription> left = new ArrayDeque<>();
    private final Runnable done;

    /// Messages that were read of the first one of these.
    private int read;

    private OldestMessages(Shard shard, long nowMillis, Runnable done) {
        this.shard = shard;
        this.nowMillis = nowMillis;
        this.done = done;
    }

    /// Reads what is not known.
    ///
    /// @param done called on the shard's thread when it is known, or cannot be read
    public static void read(
            Shard shard, Collection<StoredSubscription> subscriptions, Runnable done) {
        OldestMessages reading = new OldestMessages(shard, shard.time().wallMillis(), done);
        subscriptions.stream()
                .filter(one -> reading.unread(one) >= 0)
                .limit(MAX_READ)
                .forEach(reading.left::add);
        reading.next();
    }

    private long unread(StoredSubscription subscription) {
        return subscription.ended() ? -1 : subscription.oldest().unread(nowMillis);
    }

    private void next() {
        StoredSubscription subscription = left.peek();
        while (subscription != null && (read == MAX_EACH || unread(subscription) < 0)) {
            left.remove();
            read = 0;
            subscription = left.peek();
        }
        if (subscription == null) {
            done.run();
        } else {
            read(subscription, unread(subscription));
        }
    }

    private void read(StoredSubscription subscription, long sequence) {
        OldestMessage oldest = subscription.oldest();
        read++;
        shard.reader()
                .readHeads(
                        subscription.destination(),
                        new long[] {sequence},
                        new MessageReader.HeadConsumer() {
                            @Override
                            public void onHead(long its, MessageRows.Head head) {
                                oldest.onHead(its, head.bytes());
                            }

                            // What is damaged is put aside when it is to be delivered.
                            @Override
                            public void onDamage(List<Damage> damaged) {}

                            @Override
                            public void onEnd() {
                                onRead(subscription, sequence);
                            }
                        },
                        failure -> onRead(subscription, sequence));
    }

    private void onRead(StoredSubscription subscription, long sequence) {
        if (unread(subscription) == sequence) {
            subscription.oldest().onUnreadable(sequence);
        }
        next();
    }
}

package winnow.broker.shard;

import java.util.Arrays;
import org.roaringbitmap.longlong.LongIterator;
import winnow.store.Durability;
import winnow.store.LogException;

/// Does something to messages that wait for a consumer, some at a time, each time in one batch of
/// the log; other work has its turn between. Messages that a consumer receives meanwhile are passed
/// over. Owned by its shard.
public final class Operation {
    /// Messages that are read and changed together.
    private static final int STEP = 256;

    private final Shard shard;
    private final StoredSubscription subscription;
    private final Selection selection;
    private final Action action;
    private final Result result;
    private final LongIterator candidates;
    private long done;
    private boolean cancelled;

    /// Action on a message, which has been taken from the subscription if it says so.
    @FunctionalInterface
    interface Action {
        /// @return false if the message stays where it is
        boolean apply(StoredMessage message);
    }

    /// Learns how it ends. Called by the shard's thread.
    public interface Result {
        /// It is durable.
        ///
        /// @param messages so many were removed or moved
        void onDone(long messages);

        /// The log has failed.
        ///
        /// @param messages so many were removed or moved before, of which the last may come again
        void onFailed(long messages, LogException cause);
    }

    Operation(
            Shard shard,
            StoredSubscription subscription,
            Selection selection,
            Action action,
            Result result) {
        this.shard = shard;
        this.subscription = subscription;
        this.selection = selection;
        this.action = action;
        this.result = result;
        this.candidates = selection.candidates(subscription);
    }

    /// Ends before all are done; the result says how many were.
    public void cancel() {
        cancelled = true;
    }

    void start() {
        shard.executor().execute(this::step);
    }

    private void step() {
        if (cancelled || subscription.ended() || !candidates.hasNext()) {
            finish();
            return;
        }
        long[] part = new long[STEP];
        int count = 0;
        for (int looked = 0; looked < STEP && candidates.hasNext(); looked++) {
            long sequence = candidates.next();
            if (subscription.waiting().contains(sequence)) {
                part[count++] = sequence;
            }
        }
        long[] waiting = Arrays.copyOf(part, count);
        shard.dispatcher().withMessages(subscription, waiting, this::apply, this::onStepDone);
    }

    private void apply(StoredMessage message) {
        if (!subscription.waiting().contains(message.sequence) || !selection.matches(message)) {
            return;
        }
        if (action.apply(message)) {
            subscription.take(message.sequence);
            shard.settlement().end(subscription, message.sequence, message.bytes());
            done++;
        }
    }

    private void onStepDone() {
        if (shard.journal().failed()) {
            finish();
            return;
        }
        // What is on its way to the log takes little heap so.
        shard.await(
                Durability.WRITTEN,
                new Outcome() {
                    @Override
                    public void onDone() {
                        start();
                    }

                    @Override
                    public void onFailed(LogException failure) {
                        finish();
                    }
                });
        shard.flush();
    }

    private void finish() {
        shard.sync(
                new Outcome() {
                    @Override
                    public void onDone() {
                        result.onDone(done);
                    }

                    @Override
                    public void onFailed(LogException failure) {
                        result.onFailed(done, failure);
                    }
                });
        shard.flush();
    }
}

package winnow.broker.shard;

import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import winnow.store.Batch;
import winnow.store.Completion;
import winnow.store.Durability;
import winnow.store.LogException;
import winnow.store.ShardLog;

/// Gathers what a shard changes and appends it to the log as one entry. Owned by the shard.
final class Journal {
    private final ShardLog log;
    private final int deletedTogether;
    private final Consumer<Entry> written;
    private final LinkedHashSet<StoredSubscription> changed = new LinkedHashSet<>();
    private Entry entry = new Entry();
    private @Nullable LogException failure;

    /// @param deletedTogether rows of messages that are deleted by one range
    /// @param written called with each entry that is as durable as was demanded
    Journal(ShardLog log, int deletedTogether, Consumer<Entry> written) {
        this.log = log;
        this.deletedTogether = deletedTogether;
        this.written = written;
    }

    /// The changes since the last [#flush].
    Batch batch() {
        return entry.batch;
    }

    /// The present entry becomes so durable at least.
    void demand(Durability least) {
        entry.demand(least);
    }

    /// Tells `outcome` what becomes of the present entry.
    void waitFor(Outcome outcome, Durability least) {
        entry.waiting.add(outcome);
        entry.demand(least);
    }

    /// A message becomes available when the present entry is written.
    void add(StoredMessage message) {
        entry.appended.add(message);
    }

    /// A message that is available can be read from the log when the present entry is written.
    void addSpilled(StoredMessage message) {
        entry.spilled.add(message);
    }

    /// The progress of a subscription has changed.
    void note(StoredSubscription subscription) {
        changed.add(subscription);
    }

    /// Notes ahead that a stored message may be delivered.
    void announce(StoredSubscription subscription, long sequence) {
        if (subscription.progress().announce(sequence)) {
            changed.add(subscription);
            entry.demand(Durability.SYNCED);
        }
    }

    /// A subscription has ended: deletes its rows, and those of messages that only it needed.
    void forget(StoredSubscription subscription) {
        changed.remove(subscription);
        ShardRows.delete(entry.batch, subscription);
        subscription.destination().deleteRows(entry.batch, deletedTogether);
    }

    /// Appends what has changed since the last call, unless the log has failed.
    void flush() {
        if (failure != null) {
            fail(entry, failure);
            entry = new Entry();
            return;
        }
        for (StoredSubscription subscription : changed) {
            subscription.progress().write(entry.batch);
            entry.marks.add(new Entry.Mark(subscription, subscription.progress().mark()));
            subscription.destination().deleteRows(entry.batch, deletedTogether);
        }
        changed.clear();
        if (!entry.isEmpty()) {
            Entry sending = entry;
            entry = new Entry();
            send(sending);
        }
    }

    private void send(Entry sending) {
        if (sending.batch.isEmpty()) {
            sending.waiting.forEach(Outcome::onDone);
            return;
        }
        log.append(
                sending.batch,
                sending.durability(),
                new Completion() {
                    @Override
                    public void onWritten() {
                        written.accept(sending);
                    }

                    @Override
                    public void onFailed(LogException cause) {
                        Journal.this.onFailed(cause);
                        fail(sending, cause);
                    }
                });
    }

    private static void fail(Entry lost, LogException cause) {
        lost.waiting.forEach(outcome -> outcome.onFailed(cause));
    }

    /// The log cannot be read or written: nothing is taken any more.
    void onFailed(LogException cause) {
        if (failure == null) {
            failure = cause;
        }
    }

    /// Fails `outcome` if the log takes no more.
    boolean refuses(Outcome outcome) {
        LogException cause = failure;
        if (cause != null) {
            outcome.onFailed(cause);
        }
        return cause != null;
    }

    /// Why the log takes no more, if that is so.
    Optional<LogException> failure() {
        return Optional.ofNullable(failure);
    }
}

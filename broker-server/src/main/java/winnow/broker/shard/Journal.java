package winnow.broker.shard;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import winnow.store.Batch;
import winnow.store.Completion;
import winnow.store.Durability;
import winnow.store.LogException;
import winnow.store.ShardLog;
import winnow.store.Table;

/// Gathers what a shard changes and appends it to the log as one entry. Owned by the shard.
///
/// Progress that nobody waits for, such as acknowledgements, is written together with the next
/// entry that has to be, or after [#HELD_MILLIS]: it costs no write of its own where messages flow.
final class Journal {
    /// Rare writes cost nothing, and so much work at most is done again after a crash.
    private static final long HELD_MILLIS = 20;

    /// Progress waits for no more calls of [#flush], so that little is done again after a crash.
    private static final int HELD_FLUSHES = 1000;

    /// A row that is never there.
    private static final byte[] NOTHING = {};

    private final ShardLog log;
    private final int deletedTogether;
    private final Catalog catalog;
    private final Consumer<Entry> written;
    private final LinkedHashSet<StoredSubscription> changed = new LinkedHashSet<>();

    /// The destinations of these, each once; empty between two calls.
    private final LinkedHashSet<StoredDestination> shrinking = new LinkedHashSet<>();

    private Entry entry = new Entry();

    private MessageSpace.Sparing sparing = MessageSpace.Sparing.NOT;

    /// When progress that nobody waits for is written, in ms since 1970; [Long#MAX_VALUE] if there
    /// is none.
    private long writeBy = Long.MAX_VALUE;

    /// Calls of [#flush] since then.
    private int held;

    /// The last entry that the log has and has not completed.
    private @Nullable Entry last;

    /// True if the log has been given something, and nothing since then that it has to sync.
    private boolean unsynced;

    private @Nullable LogException failure;

    /// @param deletedTogether rows of messages that are deleted by one range
    /// @param catalog learns what sets have become smaller
    /// @param written called with each entry that is as durable as was demanded
    Journal(ShardLog log, int deletedTogether, Catalog catalog, Consumer<Entry> written) {
        this.log = log;
        this.catalog = catalog;
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
        if (outcome.awaited()) {
            entry.waiting.add(outcome);
        }
        entry.demand(least);
    }

    /// Tells `outcome` when all entries so far are synced.
    void sync(Outcome outcome) {
        if (unsynced) {
            // The log syncs what it writes.
            entry.batch.delete(Table.META, NOTHING);
        }
        waitFor(outcome, Durability.SYNCED);
    }

    /// Tells `outcome` with the next [#flush] that it is done: it waits for no log.
    void confirm(Outcome outcome) {
        entry.taken.add(outcome);
    }

    /// A message becomes available when the present entry is written.
    void add(StoredMessage message) {
        message.destination.onAppending(message);
        entry.appended.add(message);
    }

    /// A message can be read from the log when the present entry is written.
    void addStored(StoredMessage message) {
        entry.stored.add(message);
    }

    /// The space of bodies can be given back when the present entry is durable: files are removed
    /// for ever, so nobody may need the bodies again after a power failure.
    void reclaim(LargeBodies.Range range) {
        entry.gone.add(range);
        entry.demand(Durability.SYNCED);
    }

    /// The progress of a subscription has changed.
    void note(StoredSubscription subscription) {
        changed.add(subscription);
    }

    /// Notes ahead that a stored message may be delivered.
    void announce(StoredSubscription subscription, long sequence) {
        if (subscription.durable() && subscription.progress().announce(sequence)) {
            changed.add(subscription);
            entry.demand(Durability.SYNCED);
        }
    }

    /// A subscription has ended: deletes its rows, and those of messages that only it needed.
    void forget(StoredSubscription subscription) {
        changed.remove(subscription);
        if (subscription.durable()) {
            ShardRows.delete(entry.batch, subscription);
        }
        deleteRows(subscription.destination());
    }

    private void deleteRows(StoredDestination destination) {
        MessageSpace space = destination.space();
        space.delete(entry.batch, deletedTogether, sparing);
        catalog.onChanged(destination);
        MessageSpace.Range deleted = space.takeDeleted(deletedTogether, sparing);
        if (deleted != null) {
            entry.deleted.add(deleted);
            entry.demand(Durability.SYNCED);
        }
    }

    /// The disk is nearly full, or is not any more.
    ///
    /// @param all whose rows are deleted that nobody needs, if it is
    void sparing(boolean spares, Collection<StoredDestination> all) {
        sparing = spares ? MessageSpace.Sparing.AT_ONCE : MessageSpace.Sparing.NOT;
        if (spares) {
            shrinking.addAll(all);
        }
    }

    /// When [#flush] has something to write, in ms since 1970; [Long#MAX_VALUE] if nothing waits.
    long nextTime() {
        return writeBy;
    }

    /// Appends what has changed since the last call, unless the log has failed or it can wait.
    ///
    /// @param nowMillis time in ms since 1970
    void flush(long nowMillis) {
        if (failure != null) {
            Entry lost = entry;
            entry = new Entry();
            changed.clear();
            writeBy = Long.MAX_VALUE;
            fail(lost, failure);
            lost.taken.forEach(Outcome::onDone);
            return;
        }
        if (canWait(nowMillis)) {
            entry.takeTaken().forEach(Outcome::onDone);
            return;
        }
        writeBy = Long.MAX_VALUE;
        for (StoredSubscription subscription : changed) {
            if (subscription.durable()) {
                subscription.progress().write(entry.batch);
                entry.marks.add(new Entry.Mark(subscription, subscription.progress().mark()));
                catalog.onChanged(subscription);
            }
            shrinking.add(subscription.destination());
        }
        changed.clear();
        shrinking.forEach(this::deleteRows);
        shrinking.clear();
        if (sparing == MessageSpace.Sparing.AT_ONCE) {
            sparing = MessageSpace.Sparing.SOON;
        }
        Entry sending = entry;
        entry = new Entry();
        if (!sending.isEmpty()) {
            send(sending);
        }
        sending.taken.forEach(Outcome::onDone);
    }

    /// True if there is only progress, which has not waited long.
    private boolean canWait(long nowMillis) {
        if (entry.demanded() || changed.isEmpty()) {
            return false;
        }
        if (writeBy == Long.MAX_VALUE) {
            writeBy = nowMillis + HELD_MILLIS;
            held = 0;
        }
        return nowMillis < writeBy && ++held < HELD_FLUSHES;
    }

    private void send(Entry sending) {
        Entry before = last;
        if (!sending.batch.isEmpty()) {
            last = sending;
            unsynced = sending.durability() != Durability.SYNCED;
            log.append(sending.batch, sending.durability(), completion(sending));
        } else if (before != null) {
            before.join(sending);
        } else {
            written.accept(sending);
        }
    }

    private Completion completion(Entry sending) {
        return new Completion() {
            @Override
            public void onWritten() {
                onEnd(sending);
                written.accept(sending);
            }

            @Override
            public void onFailed(LogException cause) {
                onEnd(sending);
                Journal.this.onFailed(cause);
                fail(sending, cause);
            }
        };
    }

    private void onEnd(Entry sent) {
        if (last == sent) {
            last = null;
        }
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

    boolean failed() {
        return failure != null;
    }

    /// Tells if another owner has the log, and delivers what waits.
    boolean fenced() {
        return failure != null && failure.reason() == LogException.Reason.FENCED;
    }

    /// Reason why the log takes no more, if that is so.
    Optional<LogException> failure() {
        return Optional.ofNullable(failure);
    }
}

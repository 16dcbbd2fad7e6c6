package winnow.broker.shard;

import java.util.ArrayList;
import java.util.List;
import winnow.store.Batch;
import winnow.store.Durability;

/// Work of a shard since its last append: the changes of rows, and what happens when they are
/// durable. Owned by its shard.
final class Entry {
    final Batch batch = new Batch();

    /// Messages that become available then.
    final List<StoredMessage> appended = new ArrayList<>();

    /// Messages that can be read from the log then.
    final List<StoredMessage> stored = new ArrayList<>();

    /// Rows that are deleted then.
    final List<MessageSpace.Range> deleted = new ArrayList<>();

    /// Bodies in parts whose rows are deleted then, and may be given back.
    final List<LargeBodies.Range> gone = new ArrayList<>();

    final List<Mark> marks = new ArrayList<>();
    final List<Outcome> waiting = new ArrayList<>();

    /// Outcomes that wait for nothing.
    final List<Outcome> taken = new ArrayList<>();

    private Durability durability = Durability.WRITTEN;

    /// A note on how far a subscription may have delivered.
    record Mark(StoredSubscription subscription, long below) {}

    void demand(Durability least) {
        if (least.compareTo(durability) > 0) {
            durability = least;
        }
    }

    Durability durability() {
        return durability;
    }

    boolean isEmpty() {
        return batch.isEmpty() && waiting.isEmpty() && appended.isEmpty() && marks.isEmpty();
    }

    /// True if somebody waits for it, or it has more than the progress of subscriptions.
    boolean demanded() {
        return !isEmpty() || durability == Durability.SYNCED;
    }

    /// Takes out those that wait for nothing.
    List<Outcome> takeTaken() {
        List<Outcome> all = List.copyOf(taken);
        taken.clear();
        return all;
    }

    /// Adds what happens when `other` is durable: it happens then with this one, too; `other` has
    /// no changes of rows.
    void join(Entry other) {
        appended.addAll(other.appended);
        stored.addAll(other.stored);
        marks.addAll(other.marks);
        waiting.addAll(other.waiting);
    }
}

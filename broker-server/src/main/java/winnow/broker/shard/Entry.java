package winnow.broker.shard;

import java.util.ArrayList;
import java.util.List;
import winnow.store.Batch;
import winnow.store.Durability;

/// What a shard has done since its last append: the changes of rows, and what happens when they are
/// durable. Owned by its shard.
final class Entry {
    final Batch batch = new Batch();

    /// Messages that become available then.
    final List<StoredMessage> appended = new ArrayList<>();

    /// Messages that are available and can be read from then on.
    final List<StoredMessage> spilled = new ArrayList<>();

    final List<Mark> marks = new ArrayList<>();
    final List<Outcome> waiting = new ArrayList<>();
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
}

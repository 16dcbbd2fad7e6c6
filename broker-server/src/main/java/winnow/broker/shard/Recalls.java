package winnow.broker.shard;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Asks the consumers of one subscription for what they were sent ahead, when another one waits. A
/// consumer is asked once for what it has: again when it has got more. Owned by the shard.
final class Recalls {
    /// Consumers that have got something since they were asked. No more than there are.
    private final Set<StoredConsumer> candidates = new LinkedHashSet<>();

    /// A consumer has got a message, and had got none since it was asked.
    void add(StoredConsumer consumer) {
        candidates.add(consumer);
    }

    /// A consumer waits.
    void ask(StoredConsumer waiting) {
        if (candidates.isEmpty()) {
            return;
        }
        List<StoredConsumer> asked = List.copyOf(candidates);
        candidates.clear();
        for (StoredConsumer consumer : asked) {
            if (consumer == waiting) {
                candidates.add(consumer);
            } else {
                consumer.recall();
            }
        }
    }

    /// Nobody is to have anything.
    void askAll() {
        List<StoredConsumer> asked = List.copyOf(candidates);
        candidates.clear();
        asked.forEach(StoredConsumer::recall);
    }

    /// A consumer has ended.
    void forget(StoredConsumer consumer) {
        candidates.remove(consumer);
    }
}

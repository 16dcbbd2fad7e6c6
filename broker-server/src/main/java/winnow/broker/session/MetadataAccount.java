package winnow.broker.session;

import java.util.HashMap;
import java.util.Map;
import winnow.broker.destination.Topic;
import winnow.broker.destination.TopicRegistry;

/// What one connection holds of the [MetadataBudget], and the topics it refers to, each of which is
/// charged once per connection. Thread-safe: parts of what a connection held go after it.
final class MetadataAccount {
    /// Of a subscription without its selector, on the connection's side and the topic's.
    static final long SUBSCRIPTION_BYTES = 640;

    /// Of a producer handle.
    static final long HANDLE_BYTES = 256;

    /// Of a topic with an empty index, and of the reference to it here.
    static final long TOPIC_BYTES = 4096;

    private static final long NAME_BYTES = 128;

    private final MetadataBudget budget;
    private final TopicRegistry registry;
    private final Map<String, Integer> topics = new HashMap<>();
    private String user = "";
    private long usedBytes;

    MetadataAccount(MetadataBudget budget, TopicRegistry registry) {
        this.budget = budget;
        this.registry = registry;
    }

    /// Heap of a text, whatever its letters.
    static long textBytes(String text) {
        return NAME_BYTES + 2L * text.length();
    }

    /// Tells whose connection it is, before anything is charged.
    synchronized void user(String newUser) {
        user = newUser;
    }

    /// Charges the connection, its user and everybody.
    ///
    /// @throws RefusedException naming the limit, if one of them has no room; then nothing is
    ///   charged
    synchronized void charge(long bytes) {
        budget.charge(user, usedBytes, bytes);
        usedBytes += bytes;
    }

    /// Takes a charge back.
    synchronized void giveBack(long bytes) {
        usedBytes -= bytes;
        budget.giveBack(user, bytes);
    }

    /// The topic with that name, with one reference more.
    ///
    /// @throws RefusedException if there is no room for it, its name is not usable, or there are
    ///   too many topics
    synchronized Topic acquire(String name) {
        if (topics.containsKey(name)) {
            Topic topic = registry.acquire(name);
            topics.merge(name, 1, Integer::sum);
            return topic;
        }
        long bytes = TOPIC_BYTES + textBytes(name);
        charge(bytes);
        try {
            Topic topic = registry.acquire(name);
            topics.put(name, 1);
            return topic;
        } catch (RuntimeException | Error e) {
            giveBack(bytes);
            throw e;
        }
    }

    /// Takes a reference back.
    synchronized void release(Topic topic) {
        registry.release(topic);
        boolean last = topics.merge(topic.name(), -1, Integer::sum) == 0;
        if (last) {
            topics.remove(topic.name());
            giveBack(TOPIC_BYTES + textBytes(topic.name()));
        }
    }
}

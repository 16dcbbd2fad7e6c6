package winnow.broker.destination;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import winnow.broker.subscription.Loop;
import winnow.wire.ErrorCode;

/// All topics by name. A topic appears when it is first used and vanishes when neither a producer's
/// handle nor a subscription refers to it. Thread-safe.
public final class TopicRegistry {
    private final ConcurrentHashMap<String, Topic> topics = new ConcurrentHashMap<>();
    private volatile DestinationConfig config;
    private final List<? extends Loop> loops;
    private final List<SlicedWork> works;

    /// @param loops owners to choose from
    public TopicRegistry(DestinationConfig config, List<? extends Loop> loops) {
        this.config = config;
        this.loops = List.copyOf(loops);
        this.works =
                this.loops.stream().map(loop -> new SlicedWork(loop, System::nanoTime)).toList();
    }

    /// The topic with that name, with one reference more; [#release] takes it back.
    ///
    /// @throws RefusedException if the name is not usable or there are too many topics
    public Topic acquire(String name) {
        check(name);
        return topics.compute(
                name,
                (key, known) -> {
                    Topic topic = known == null ? create(key) : known;
                    topic.references++;
                    return topic;
                });
    }

    private Topic create(String name) {
        if (topics.size() >= config.maxTopics()) {
            throw new RefusedException(
                    ErrorCode.LIMIT_EXCEEDED,
                    "destination.max-topics is " + config.maxTopics() + ", all are in use");
        }
        int owner = Math.floorMod(name.hashCode(), loops.size());
        MatchingMode mode = config.matchingByTopic().modeOf(name, config.matching());
        return new Topic(
                name,
                loops.get(owner),
                works.get(owner),
                mode,
                config.maxPropertyBytes(),
                config.slowConsumers().policyOf(name));
    }

    /// Puts new limits into force, and new policies for consumers that subscribe from now on.
    public void config(DestinationConfig config) {
        this.config = config;
        for (Topic topic : topics.values()) {
            topic.slowConsumerPolicy(config.slowConsumers().policyOf(topic.name()));
        }
    }

    /// What a loop does in steps. To be used on that loop.
    public SlicedWork work(Loop loop) {
        return works.get(loop.index());
    }

    /// Takes a reference back.
    public void release(Topic topic) {
        topics.computeIfPresent(
                topic.name(), (key, known) -> --known.references == 0 ? null : known);
    }

    /// The topic with that name, if it exists.
    public Optional<Topic> find(String name) {
        return Optional.ofNullable(topics.get(name));
    }

    /// Lets the topics of an owner loop learn from what they observed. Called on that loop.
    public void tune(Loop owner) {
        for (Topic topic : topics.values()) {
            if (topic.owner().equals(owner)) {
                owner.faults().run(topic::tune);
            }
        }
    }

    /// The topics that exist now.
    public Collection<Topic> topics() {
        return topics.values();
    }

    private void check(String name) {
        int bytes = name.getBytes(StandardCharsets.UTF_8).length;
        if (bytes == 0 || bytes > config.maxNameBytes()) {
            throw new RefusedException(
                    ErrorCode.INVALID_DESTINATION,
                    "expected a name of 1 to " + config.maxNameBytes() + " bytes, found " + bytes);
        }
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (Character.isISOControl(c) || c == '?') {
                throw new RefusedException(
                        ErrorCode.INVALID_DESTINATION,
                        "expected a name without control characters and '?', found 0x"
                                + Integer.toHexString(c)
                                + " at index "
                                + i);
            }
        }
    }
}

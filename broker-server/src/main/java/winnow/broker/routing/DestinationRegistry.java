package winnow.broker.routing;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import winnow.broker.destination.Destination;
import winnow.broker.destination.DestinationConfig;
import winnow.broker.destination.Queue;
import winnow.broker.destination.Temporaries;
import winnow.broker.destination.Topic;
import winnow.broker.destination.Tuning;
import winnow.broker.matching.MatchingMode;
import winnow.broker.matching.PropertyLimits;
import winnow.broker.matching.RefusedException;
import winnow.broker.matching.SlicedWork;
import winnow.broker.subscription.Loop;
import winnow.wire.DestinationKind;
import winnow.wire.ErrorCode;

/// All topics and queues by name. One appears when it is first used and vanishes when neither a
/// producer's handle nor a subscription refers to it; what a queue keeps is the storage's.
/// Thread-safe.
public final class DestinationRegistry {
    private final ConcurrentHashMap<String, Topic> topics = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, Queue> queues = new ConcurrentHashMap<>();
    private final Temporaries temporaries = new Temporaries();
    private volatile DestinationConfig config;
    private final List<? extends Loop> loops;
    private final List<SlicedWork> works;
    private final List<Tuning> tunings;

    /// @param loops owners to choose from
    public DestinationRegistry(DestinationConfig config, List<? extends Loop> loops) {
        this.config = config;
        this.loops = List.copyOf(loops);
        this.works =
                this.loops.stream().map(loop -> new SlicedWork(loop, System::nanoTime)).toList();
        this.tunings =
                this.loops.stream()
                        .map(loop -> new Tuning(work(loop), () -> topicsOf(loop)))
                        .toList();
    }

    /// The temporary ones among them.
    public Temporaries temporaries() {
        return temporaries;
    }

    /// The destination with that name, with one reference more; [#release] takes it back.
    ///
    /// @throws RefusedException if the name is not usable or there are too many
    public Destination acquire(DestinationKind kind, String name) {
        return switch (kind) {
            case TOPIC -> acquireTopic(name);
            case QUEUE -> acquireQueue(name);
        };
    }

    /// The queue with that name, with one reference more.
    ///
    /// @throws RefusedException if the name is not usable or there are too many
    public Queue acquireQueue(String name) {
        checkQueue(name);
        temporaries.check(DestinationKind.QUEUE, name, 0);
        return queues.compute(
                name,
                (key, known) -> {
                    if (known == null && queues.size() >= config.maxTopics()) {
                        throw tooMany();
                    }
                    Queue queue = known == null ? new Queue(key) : known;
                    queue.references++;
                    return queue;
                });
    }

    /// Checks that a connection may consume from a destination: from a temporary one only its own.
    ///
    /// @throws RefusedException if it may not
    public void checkConsumer(DestinationKind kind, String name, long connectionId) {
        temporaries.check(kind, name, connectionId);
    }

    /// Longest name of a destination or subscription, in bytes.
    public int maxNameBytes() {
        return config.maxNameBytes();
    }

    /// Limits of the properties of a message.
    public PropertyLimits propertyLimits() {
        return config.propertyLimits();
    }

    /// The topic with that name, with one reference more.
    ///
    /// @throws RefusedException if the name is not usable or there are too many topics
    public Topic acquireTopic(String name) {
        check(name);
        temporaries.check(DestinationKind.TOPIC, name, 0);
        return topics.compute(
                name,
                (key, known) -> {
                    if (known == null && topics.size() >= config.maxTopics()) {
                        throw tooMany();
                    }
                    Topic topic = known == null ? create(key) : known;
                    topic.references++;
                    return topic;
                });
    }

    /// The topic of a stored subscription, with one reference more: it was within the limits when
    /// the subscription was made, whatever they are now.
    Topic acquireStoredTopic(String name) {
        return topics.compute(
                name,
                (key, known) -> {
                    Topic topic = known == null ? create(key) : known;
                    topic.references++;
                    return topic;
                });
    }

    private Topic create(String name) {
        int owner = Math.floorMod(name.hashCode(), loops.size());
        MatchingMode mode = config.matchingByTopic().modeOf(name, config.matching());
        return new Topic(
                name,
                loops.get(owner),
                works.get(owner),
                mode,
                config.propertyLimits(),
                config.slowConsumers().policyOf(name));
    }

    private RefusedException tooMany() {
        return new RefusedException(
                ErrorCode.LIMIT_EXCEEDED,
                "destination.max-topics is " + config.maxTopics() + ", all are in use");
    }

    /// Puts new limits into force, and new policies for consumers that subscribe from now on.
    public void config(DestinationConfig config) {
        this.config = config;
        for (Topic topic : topics.values()) {
            topic.slowConsumerPolicy(config.slowConsumers().policyOf(topic.name()));
        }
    }

    /// Work that a loop does in steps. To be used on that loop.
    public SlicedWork work(Loop loop) {
        return works.get(loop.index());
    }

    /// Takes a reference back.
    public void release(Destination destination) {
        switch (destination) {
            case Topic topic ->
                    topics.computeIfPresent(
                            topic.name(), (key, known) -> --known.references == 0 ? null : known);
            case Queue queue ->
                    queues.computeIfPresent(
                            queue.name(), (key, known) -> --known.references == 0 ? null : known);
        }
    }

    /// The topic with that name, if it exists.
    public Optional<Topic> find(String name) {
        return Optional.ofNullable(topics.get(name));
    }

    /// Lets the topics of an owner loop learn from what they observed, in steps. Called on that
    /// loop.
    public void tune(Loop owner) {
        tunings.get(owner.index()).start();
    }

    private Iterator<Topic> topicsOf(Loop owner) {
        return topics.values().stream().filter(topic -> topic.owner().equals(owner)).iterator();
    }

    /// The topics that exist now.
    public Collection<Topic> topics() {
        return topics.values();
    }

    /// Checks the name of a queue that clients and operators may use.
    ///
    /// @throws RefusedException if it is not usable
    public void checkQueue(String name) {
        check(name);
        if (name.startsWith(DelayedTopics.PREFIX)) {
            throw new RefusedException(
                    ErrorCode.INVALID_DESTINATION,
                    "expected the name of a queue that does not begin with '"
                            + DelayedTopics.PREFIX
                            + "', where the broker keeps delayed messages of topics, found '"
                            + name
                            + "'");
        }
    }

    /// Checks the name of a destination. Other brokers read `*`, `#` and `>` between dots as any
    /// name; a consumer that means that must not wait for messages that never come.
    ///
    /// @throws RefusedException if it is not usable
    public void check(String name) {
        // A name may be as long as a frame: no copy of one that is too long in any case.
        int bytes =
                name.length() > config.maxNameBytes()
                        ? name.length()
                        : name.getBytes(StandardCharsets.UTF_8).length;
        if (bytes == 0 || bytes > config.maxNameBytes()) {
            throw new RefusedException(
                    ErrorCode.INVALID_DESTINATION,
                    "expected a name of 1 to " + config.maxNameBytes() + " bytes, found " + bytes);
        }
        for (String part : name.split("\\.", -1)) {
            if (part.equals("*") || part.equals("#") || part.equals(">")) {
                throw new RefusedException(
                        ErrorCode.INVALID_DESTINATION,
                        ("expected the name of one destination, found '%s': names have no"
                                        + " wildcards such as '%s'; use each name, or one topic and"
                                        + " a selector")
                                .formatted(name, part));
            }
        }
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (Character.isISOControl(c) || c == '?') {
                throw new RefusedException(
                        ErrorCode.INVALID_DESTINATION,
                        "expected a name without control characters and '?', found "
                                + (c == '?' ? "'?'" : "0x" + Integer.toHexString(c))
                                + " at index "
                                + i);
            }
        }
    }
}

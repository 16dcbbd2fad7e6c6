package winnow.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import winnow.broker.shard.Blocks.Spec;

/// What a shard has promised to its clients, kept as simply as possible: one record for each
/// message and subscription. It knows nothing of logs, windows and rows.
final class ShardOracle {
    static final String DEAD_LETTERS = "dead-letters";

    private final Map<String, Map<Long, Copy>> copies = new LinkedHashMap<>();
    private final Map<Long, Spec> specs = new HashMap<>();
    private final Map<String, Long> lastFirst = new HashMap<>();
    private int deliveries;

    /// Of subscriptions that have ended and begun again.
    private final Set<String> ended = new TreeSet<>();

    private final Set<Long> buried = new TreeSet<>();

    /// Of transactions, where later messages may have come first.
    private final Set<Long> overtaken = new TreeSet<>();

    /// How sure it is that a message has been sent or acknowledged.
    enum Certainty {
        NO,

        /// Was asked for; what became of it only the log knows.
        MAYBE,

        /// Survives the end of the process.
        WRITTEN,

        /// Survives everything.
        SYNCED
    }

    /// One message for one subscription.
    private static final class Copy {
        final Spec spec;
        Certainty sent = Certainty.MAYBE;
        Certainty acknowledged = Certainty.NO;

        /// Delivered, and not returned as unseen.
        boolean seen;

        /// Part of a transaction that was rolled back.
        boolean forbidden;

        int deliveries;
        boolean withConsumer;
        int failures;

        Copy(Spec spec) {
            this.spec = spec;
        }
    }

    /// A transaction whose outcome its client has not learned yet.
    final class Transaction {
        private final List<Copy> sent = new ArrayList<>();
        private final List<Copy> acknowledged = new ArrayList<>();

        private final boolean distributed;

        private Transaction(boolean distributed) {
            this.distributed = distributed;
        }

        void onSending(Spec spec, Set<String> subscriptions) {
            if (distributed || !spec.persistent()) {
                overtaken.add(spec.id());
            }
            ShardOracle.this.onSending(spec, subscriptions);
            subscriptions.forEach(name -> sent.add(copy(name, spec.id())));
        }

        void onAcknowledging(String subscription, long id) {
            ShardOracle.this.onAcknowledging(subscription, id);
            if (!subscription.equals(DEAD_LETTERS)) {
                Copy copy = copy(subscription, id);
                acknowledged.add(copy);
            }
        }

        /// The client has decided that nothing of it happens.
        void onRolledBack() {
            sent.forEach(copy -> copy.forbidden = true);
            acknowledged.stream()
                    .filter(copy -> copy.acknowledged == Certainty.MAYBE)
                    .forEach(copy -> copy.acknowledged = Certainty.NO);
        }

        void onCommitted() {
            sent.forEach(copy -> copy.sent = Certainty.SYNCED);
            acknowledged.forEach(copy -> copy.acknowledged = Certainty.SYNCED);
        }
    }

    /// @param distributed whether others may overtake it between its two phases
    Transaction begin(boolean distributed) {
        return new Transaction(distributed);
    }

    private Copy copy(String subscription, long id) {
        Copy found = copies.computeIfAbsent(subscription, key -> new LinkedHashMap<>()).get(id);
        assertThat(found).as("message %d of %s was sent", id, subscription).isNotNull();
        return Objects.requireNonNull(found);
    }

    void onSending(Spec spec, Set<String> subscriptions) {
        specs.put(spec.id(), spec);
        for (String name : subscriptions) {
            copies.computeIfAbsent(name, key -> new LinkedHashMap<>())
                    .put(spec.id(), new Copy(spec));
        }
    }

    void onSent(long id, Set<String> subscriptions, boolean durable) {
        for (String name : subscriptions) {
            // It may have begun anew meanwhile, without this message.
            if (!copies.getOrDefault(name, Map.of()).containsKey(id) && ended.contains(name)) {
                continue;
            }
            copy(name, id).sent = durable ? Certainty.SYNCED : Certainty.WRITTEN;
        }
    }

    /// Checks a delivery.
    ///
    /// @param filter of the consumer
    void onDelivered(
            String subscription, Object filter, byte[] block, int earlier, long nowMillis) {
        deliveries++;
        long id = Blocks.id(block);
        String what = "message " + id + " of " + subscription;
        Spec spec = Objects.requireNonNull(specs.get(id), what);
        if (subscription.equals(DEAD_LETTERS)) {
            buried.add(id);
            return;
        }
        if (ended.contains(subscription)) {
            // A prepared transaction from before, or a message that was sent again.
            copies.computeIfAbsent(subscription, key -> new LinkedHashMap<>())
                    .computeIfAbsent(id, key -> new Copy(spec));
        }
        Copy copy = copy(subscription, id);
        assertThat(block).as(what).isEqualTo(Blocks.bytes(copy.spec));
        assertThat(copy.forbidden).as("%s was rolled back", what).isFalse();
        assertThat(copy.withConsumer).as("%s is with another consumer", what).isFalse();
        assertThat(copy.acknowledged)
                .as("%s was acknowledged for good", what)
                .isIn(Certainty.NO, Certainty.MAYBE);
        if (copy.seen || copy.acknowledged == Certainty.MAYBE) {
            assertThat(earlier).as("%s comes again", what).isPositive();
        }
        assertThat(earlier).as("attempts of %s", what).isGreaterThanOrEqualTo(copy.failures);
        assertThat(copy.spec.deliveryTime()).as("%s is early", what).isLessThanOrEqualTo(nowMillis);
        assertThat(copy.spec.expiration() == 0 || copy.spec.expiration() > nowMillis)
                .as("%s is late", what)
                .isTrue();
        checkOrder(subscription + filter, copy, what);
        copy.acknowledged = Certainty.NO;
        copy.seen = true;
        copy.deliveries++;
        copy.withConsumer = true;
    }

    /// Messages of one priority, delivery mode and group come in the order in which they were sent
    /// to consumers with the same filter.
    private void checkOrder(String consumers, Copy copy, String what) {
        if (copy.deliveries > 0
                || copy.spec.deliveryTime() != 0
                || overtaken.contains(copy.spec.id())) {
            return;
        }
        String lane =
                consumers
                        + "/"
                        + copy.spec.priority()
                        + "/"
                        + copy.spec.persistent()
                        + "/"
                        + Blocks.group(copy.spec.id());
        Long last = lastFirst.put(lane, copy.spec.id());
        if (last != null) {
            assertThat(copy.spec.id()).as("%s comes after %d", what, last).isGreaterThan(last);
        }
    }

    void onAcknowledging(String subscription, long id) {
        if (subscription.equals(DEAD_LETTERS)) {
            return;
        }
        Copy copy = copy(subscription, id);
        copy.withConsumer = false;
        copy.acknowledged = Certainty.MAYBE;
    }

    void onAcknowledged(String subscription, long id, boolean synced) {
        if (subscription.equals(DEAD_LETTERS)) {
            return;
        }
        copy(subscription, id).acknowledged = synced ? Certainty.SYNCED : Certainty.WRITTEN;
    }

    void onReturned(String subscription, long id, Return how) {
        if (subscription.equals(DEAD_LETTERS)) {
            return;
        }
        Copy copy = copy(subscription, id);
        copy.withConsumer = false;
        switch (how) {
            case UNSEEN -> copy.seen = copy.failures > 0;
            case UNKNOWN -> {}
            case FAILED -> copy.failures++;
        }
    }

    /// The broker has crashed. Messages that were on their way to the dead-letter queue may be
    /// back, and come after younger ones that were delivered meanwhile.
    ///
    /// @param power whether the machine has
    /// @param burying queues whose oldest messages are buried when there are too many
    void onCrash(boolean power, Set<String> burying) {
        burying.forEach(queue -> lastFirst.keySet().removeIf(lane -> lane.startsWith(queue)));
        copies.keySet().forEach(this::onUnparked);
        for (Map<Long, Copy> all : copies.values()) {
            for (Copy copy : all.values()) {
                copy.withConsumer = false;
                copy.failures = 0;
                if (!copy.spec.persistent() && copy.sent != Certainty.NO) {
                    copy.sent = Certainty.MAYBE;
                }
                if (power && copy.acknowledged == Certainty.WRITTEN) {
                    copy.acknowledged = Certainty.MAYBE;
                }
            }
        }
    }

    /// Messages of groups that waited for one consumer may be had by those with other filters, who
    /// may have had younger ones of the same groups.
    void onUnparked(String subscription) {
        lastFirst.keySet().removeIf(lane -> lane.startsWith(subscription) && !lane.endsWith("/"));
    }

    /// A subscription is gone with all that it had; there may be another one of that name.
    void onEnd(String subscription) {
        copies.remove(subscription);
        ended.add(subscription);
    }

    int deliveries() {
        return deliveries;
    }

    /// Everything that can be delivered has been, and was acknowledged.
    void checkNothingLost(long nowMillis) {
        copies.forEach((name, all) -> {
            TreeSet<Long> lost = new TreeSet<>();
            for (Copy copy : all.values()) {
                boolean mayExpire =
                        copy.spec.expiration() != 0 && copy.spec.expiration() <= nowMillis;
                if (copy.sent.compareTo(Certainty.WRITTEN) >= 0
                        && copy.acknowledged == Certainty.NO
                        && !mayExpire
                        && !buried.contains(copy.spec.id())) {
                    lost.add(copy.spec.id());
                }
            }
            assertThat(lost).as("lost by %s", name).isEmpty();
        });
    }
}

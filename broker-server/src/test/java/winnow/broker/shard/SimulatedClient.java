package winnow.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import winnow.wire.MessageBlock;

/// A consumer of a [ShardSimulation], and what it has received and not answered.
final class SimulatedClient {
    final String subscription;
    final StoredConsumer consumer;

    /// Messages that it may still get.
    private long credit;

    /// Of the messages, not the sequences.
    final Set<Long> ids = new LinkedHashSet<>();

    /// Of all that it has received.
    final Set<Integer> priorities = new LinkedHashSet<>();

    private final Map<Long, Long> sequences = new LinkedHashMap<>();
    private final Shard shard;
    private final ShardOracle oracle;
    private final LongSupplier nowMillis;
    private final @Nullable MessageFilter filter;

    private final Map<String, SimulatedClient> groupOwners;
    private boolean ended;

    SimulatedClient(
            String subscription,
            Shard shard,
            StoredSubscription stored,
            @Nullable MessageFilter filter,
            ShardOracle oracle,
            Map<String, SimulatedClient> groupOwners,
            LongSupplier nowMillis) {
        this.subscription = subscription;
        this.shard = shard;
        this.oracle = oracle;
        this.filter = filter;
        this.groupOwners = groupOwners;
        this.nowMillis = nowMillis;
        consumer = shard.attach(stored, filter, this::onMessage);
    }

    private void onMessage(
            StoredConsumer its, long sequence, int earlier, byte[] block, int maxNameId) {
        assertThat(--credit).as("credit of %s", subscription).isNotNegative();
        assertThat(its.unacknowledged()).isLessThanOrEqualTo(shard.config().maxUnacknowledged());
        oracle.onDelivered(subscription, filter + "", block, earlier, nowMillis.getAsLong());
        assertThat(filter == null || filter.matches(block)).isTrue();
        long id = Blocks.id(block);
        MessageBlock parsed = new MessageBlock();
        parsed.parse(block, 0, block.length);
        priorities.add(parsed.priority());
        assertThat(maxNameId).isGreaterThanOrEqualTo(Blocks.maxNameId(id));
        if (parsed.persistent() && its.subscription().durable()) {
            assertThat(shard.propertyNames()).hasSizeGreaterThanOrEqualTo(Blocks.maxNameId(id));
        }
        checkGroup(Blocks.group(id));
        ids.add(id);
        sequences.put(id, sequence);
    }

    /// A group stays with one of those with the same filter, until all that it had is settled.
    private void checkGroup(String group) {
        if (!group.isEmpty()) {
            SimulatedClient owner =
                    groupOwners.put(subscription + "/" + filter + "/" + group, this);
            assertThat(owner == null || owner == this || (owner.ended && !owner.has(group)))
                    .as("%s is with one consumer of %s", group, subscription)
                    .isTrue();
        }
    }

    private boolean has(String group) {
        return ids.stream().anyMatch(id -> Blocks.group(id).equals(group));
    }

    /// It gets nothing any more.
    void end() {
        ended = true;
        oracle.onUnparked(subscription);
    }

    void credit(int messages, int bytes) {
        credit += messages;
        shard.onCredit(consumer, messages, bytes);
    }

    /// Gives messages back, and gets their credit.
    void release(List<Long> returned, Return how) {
        returned.forEach(id -> oracle.onReturned(subscription, id, how));
        credit += returned.size();
        oracle.onUnparked(subscription);
        shard.release(consumer, takeSequences(returned), how);
        returned.forEach(ids::remove);
    }

    /// Ends, and gives back what it says that it has not seen.
    void detach(Random random) {
        Set<Long> seen = new LinkedHashSet<>();
        for (long id : List.copyOf(ids)) {
            if (random.nextBoolean()) {
                seen.add(sequences.get(id));
            } else {
                ids.remove(id);
                sequences.remove(id);
                oracle.onReturned(subscription, id, Return.UNSEEN);
            }
        }
        end();
        shard.detach(consumer, seen::contains);
    }

    /// Takes some of what was received.
    List<Long> some(Random random) {
        List<Long> taken = new ArrayList<>();
        for (long id : List.copyOf(ids)) {
            if (random.nextInt(3) > 0) {
                ids.remove(id);
                taken.add(id);
            }
        }
        return taken;
    }

    long sequence(long id) {
        Long sequence = sequences.remove(id);
        if (sequence == null) {
            throw new IllegalStateException("message " + id);
        }
        return sequence;
    }

    long[] takeSequences(List<Long> taken) {
        return taken.stream().mapToLong(this::sequence).toArray();
    }
}

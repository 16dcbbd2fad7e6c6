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

    /// Of the messages, not the sequences.
    final Set<Long> ids = new LinkedHashSet<>();

    /// Of all that it has received.
    final Set<Integer> priorities = new LinkedHashSet<>();

    private final Map<Long, Long> sequences = new LinkedHashMap<>();
    private final Shard shard;
    private final ShardOracle oracle;
    private final LongSupplier nowMillis;
    private final @Nullable MessageFilter filter;

    SimulatedClient(
            String subscription,
            Shard shard,
            StoredSubscription stored,
            @Nullable MessageFilter filter,
            ShardOracle oracle,
            LongSupplier nowMillis) {
        this.subscription = subscription;
        this.shard = shard;
        this.oracle = oracle;
        this.filter = filter;
        this.nowMillis = nowMillis;
        consumer = shard.attach(stored, filter, this::onMessage);
    }

    private void onMessage(long sequence, int earlier, byte[] block) {
        oracle.onDelivered(subscription, filter + "", block, earlier, nowMillis.getAsLong());
        assertThat(filter == null || filter.matches(block)).isTrue();
        long id = Blocks.id(block);
        MessageBlock parsed = new MessageBlock();
        parsed.parse(block, 0, block.length);
        priorities.add(parsed.priority());
        if (parsed.persistent()) {
            assertThat(shard.propertyNames()).hasSizeGreaterThanOrEqualTo(Blocks.maxNameId(id));
        }
        ids.add(id);
        sequences.put(id, sequence);
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

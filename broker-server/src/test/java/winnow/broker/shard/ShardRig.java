package winnow.broker.shard;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import winnow.broker.memory.BrokerHeap;
import winnow.broker.shard.Blocks.Spec;
import winnow.store.Durability;
import winnow.store.LogException;

/// A shard over a log that does what a test wants, all on one thread, for tests to extend.
abstract class ShardRig {
    static final ShardConfig CONFIG = config(4000, 2, 0);

    /// What is open next.
    ShardConfig config = CONFIG;

    static ShardConfig config(long windowBytes, int maxDeliveries, long delayMillis) {
        return config(windowBytes, maxDeliveries, delayMillis, 2000);
    }

    static ShardConfig config(
            long windowBytes, int maxDeliveries, long delayMillis, int maxUnacknowledged) {
        Redelivery redelivery = new Redelivery(maxDeliveries, delayMillis, 1, delayMillis);
        return new ShardConfig(
                windowBytes,
                maxUnacknowledged,
                10,
                100,
                "dead-letters",
                Policies.of(Policy.DEFAULTS.withRedelivery(redelivery)),
                PreparedLimits.DEFAULTS,
                64L << 20,
                LinearLaneIndex::new,
                BrokerHeap.unlimited());
    }

    final Deque<Runnable> tasks = new ArrayDeque<>();
    SimulatedLog log = new SimulatedLog(tasks::add);
    Shard shard = open();
    final List<String> received = new ArrayList<>();

    Shard open() {
        return ShardRecovery.open(
                log, config, tasks::add, tasks::add, number -> "name " + number, 1000);
    }

    /// The wall clock says `wallMillis`, a clock that nobody sets `steadyMillis`.
    void clocks(long wallMillis, long steadyMillis) {
        shard.onTime(wallMillis, steadyMillis);
        settle();
    }

    void restart() {
        tasks.clear();
        log = log.crash(false, new Random(1), tasks::add);
        shard = open();
    }

    void settle() {
        shard.flush();
        while (!tasks.isEmpty() || log.busy()) {
            if (tasks.isEmpty()) {
                log.step();
            } else {
                tasks.removeFirst().run();
            }
            shard.flush();
        }
    }

    static final class Result implements Outcome {
        boolean done;
        @Nullable LogException failure;

        @Override
        public void onDone() {
            done = true;
        }

        @Override
        public void onFailed(LogException cause) {
            failure = cause;
        }
    }

    /// Notes the ids of the messages that it gets.
    class NotingReceiver implements StoredConsumer.Receiver {
        @Override
        public void onMessage(
                StoredConsumer its, long sequence, int earlier, byte[] block, int maxNameId) {
            received.add(String.valueOf(Blocks.id(block)));
        }
    }

    Result send(StoredDestination destination, Spec spec) {
        Result result = new Result();
        shard.append(destination, Blocks.block(spec), 0, Recipients.NONE, "", result);
        return result;
    }

    StoredConsumer consumer(StoredSubscription subscription) {
        return consumer(subscription, null);
    }

    StoredConsumer consumer(StoredSubscription subscription, @Nullable MessageFilter filter) {
        StoredConsumer consumer =
                shard.attach(
                        subscription,
                        filter,
                        (its, sequence, earlier, block, maxNameId) ->
                                received.add(Blocks.id(block) + (earlier > 0 ? "!" : "")));
        shard.onCredit(consumer, 1000, 1_000_000);
        return consumer;
    }

    long messages(String queue) {
        return shard.catalog().findQueue(queue).map(one -> one.queue().messages()).orElse(0L);
    }

    static SubscriptionName named(String name) {
        return new SubscriptionName("client", name, false, true, false, "", "");
    }

    static long[] sequences(long first, int count) {
        long[] all = new long[count];
        for (int i = 0; i < count; i++) {
            all[i] = first + i;
        }
        return all;
    }

    void acknowledge(StoredConsumer consumer, long... sequences) {
        shard.acknowledge(consumer, sequences, Durability.SYNCED, Outcome.IGNORED);
        settle();
    }
}

package winnow.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import winnow.broker.memory.HeapPart;
import winnow.store.Batch;
import winnow.wire.DestinationKind;

/// Fills each structure of a kind and compares what it is charged for with what it takes.
class HeapCostTest extends ShardRig {
    private static final int COUNT = 40_000;

    /// Objects of other threads come and go meanwhile, and headers are larger if they are not
    /// compact.
    private static final double TOLERANCE = 0.35;

    private static final int QUIET_COLLECTIONS = 4;
    private static final int MOST_COLLECTIONS = 50;
    private static final int NOISE_BYTES = 50_000;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    /// Whatever was filled, so that it is there while it is measured.
    private Object kept = "";

    /// Collects until nothing is freed any more: what tests before have left may be in use by
    /// threads that are ending.
    private static long usedBytes() {
        long used = Long.MAX_VALUE;
        int quiet = 0;
        for (int i = 0; i < MOST_COLLECTIONS && quiet < QUIET_COLLECTIONS; i++) {
            System.gc();
            LockSupport.parkNanos(PAUSE_NANOS);
            Runtime runtime = Runtime.getRuntime();
            long now = runtime.totalMemory() - runtime.freeMemory();
            quiet = now < used - NOISE_BYTES ? 0 : quiet + 1;
            used = Math.min(used, now);
        }
        return used;
    }

    private long taken(Supplier<Object> filling) {
        kept = "";
        long before = usedBytes();
        kept = filling.get();
        long taken = usedBytes() - before;
        assertThat(kept).isNotNull();
        return taken;
    }

    private static void check(long takenBytes, long chargedBytes) {
        assertThat((double) chargedBytes / takenBytes)
                .as("%,d bytes charged for %,d", chargedBytes, takenBytes)
                .isBetween(1 - TOLERANCE, 1 + TOLERANCE);
    }

    private static StoredMessage message(StoredDestination queue, int bytes, Recipients wanting) {
        MessageHeaders headers = new MessageHeaders(false, 4, 0, 0, wanting, bytes, 0, false);
        return new StoredMessage(queue, queue.takeSequence(), new byte[bytes], headers, null);
    }

    private static StoredDestination queue() {
        return new StoredDestination(1, DestinationKind.QUEUE, "q", false, 0);
    }

    @Test
    void shouldChargeSetsWithGaps() {
        for (int gap : new int[] {3, 100, 10_000, 65_536, 1_000_000}) {
            // given
            SequenceSet[] set = new SequenceSet[1];

            // when
            long taken =
                    taken(() -> {
                        set[0] = new SequenceSet();
                        for (long i = 0; i < COUNT; i++) {
                            set[0].add(i * gap);
                        }
                        return set[0];
                    });

            // then
            check(taken, set[0].bitmapBytes());
        }
    }

    @Test
    void shouldChargeQueuesWithMessagesOfAllPriorities() {
        // given
        int queues = COUNT / 100;
        StoredSubscription[] all = new StoredSubscription[queues];

        // when
        long taken =
                taken(() -> {
                    for (int i = 0; i < queues; i++) {
                        StoredDestination queue = queue();
                        all[i] = new StoredSubscription(i, queue, SubscriptionName.QUEUE);
                        queue.subscriptions().add(all[i]);
                        for (int message = 0; message < 60; message++) {
                            all[i].onAppended(message, 8);
                            queue.priorities().add(message, message % 10);
                            all[i].waiting().available().add(message, message % 10);
                        }
                    }
                    return all;
                });

        // then
        long charged = 0;
        for (StoredSubscription one : all) {
            charged += one.destination().heapBytes() + one.setBytes();
            charged += one.destination().priorities().heapBytes();
        }
        check(taken, charged);
    }

    @Test
    void shouldTakeLittleForSubscriptionsThatKeepMessagesOfAllPriorities() {
        // given
        StoredDestination topic = new StoredDestination(1, DestinationKind.TOPIC, "t", false, 0);
        int subscriptions = COUNT / 100;
        for (int i = 0; i < subscriptions; i++) {
            topic.subscriptions().add(new StoredSubscription(i, topic, named("s" + i)));
        }

        // when
        long taken =
                taken(() -> {
                    for (int i = 0; i < 10_000; i++) {
                        int priority = i * 7919 % 10;
                        long sequence = topic.takeSequence();
                        topic.priorities().add(sequence, priority);
                        for (StoredSubscription one : topic.subscriptions()) {
                            one.onAppended(sequence, 8);
                            one.waiting().available().add(sequence, priority);
                        }
                    }
                    return topic;
                });

        // then
        assertThat(taken / subscriptions).isLessThan(200);
    }

    @Test
    void shouldTakeLittleForMessagesThatHavePassedAnOldOne() {
        // given
        StoredDestination queue = queue();
        StoredSubscription waiting = new StoredSubscription(2, queue, SubscriptionName.QUEUE);
        queue.subscriptions().add(waiting);
        long first = queue.takeSequence();
        waiting.onAppended(first, 8);
        queue.space().onStored(first);

        // when
        long taken =
                taken(() -> {
                    for (int i = 0; i < COUNT; i++) {
                        long sequence = queue.takeSequence();
                        queue.space().onStored(sequence);
                        queue.space().onEnded(sequence, 8, 1);
                        queue.space().delete(new Batch(), 1, MessageSpace.Sparing.NOT);
                    }
                    return queue;
                });

        // then
        assertThat(taken).isLessThan(COUNT);
    }

    @Test
    void shouldChargeMessagesForWhatTheyTake() {
        // given
        MessageWindow window = new MessageWindow(HeapPart.alone(Long.MAX_VALUE));

        // when
        long taken =
                taken(() -> {
                    StoredDestination queue = queue();
                    for (int i = 0; i < COUNT; i++) {
                        window.add(message(queue, 20, Recipients.NONE));
                    }
                    return queue;
                });

        // then
        check(taken, window.bytes());
    }

    @Test
    void shouldChargeMessagesThatAreFarApart() {
        // given
        MessageWindow window = new MessageWindow(HeapPart.alone(Long.MAX_VALUE));

        // when
        long taken =
                taken(() -> {
                    StoredDestination queue = queue();
                    for (int i = 0; i < COUNT; i++) {
                        window.add(message(queue, 20, Recipients.NONE));
                        for (int gap = 0; gap < 100; gap++) {
                            queue.takeSequence();
                        }
                    }
                    return queue;
                });

        // then
        check(taken, window.bytes());
    }

    @Test
    void shouldChargeMessagesForTheirRecipients() {
        // given
        MessageWindow window = new MessageWindow(HeapPart.alone(Long.MAX_VALUE));

        // when
        long taken =
                taken(() -> {
                    StoredDestination queue = queue();
                    for (int i = 0; i < COUNT; i++) {
                        window.add(message(queue, 2, Recipients.of(new int[100])));
                    }
                    return queue;
                });

        // then
        check(taken, window.bytes());
    }

    @Test
    void shouldTakeBackWhatWasCharged() {
        // given
        MessageWindow window = new MessageWindow(HeapPart.alone(Long.MAX_VALUE));
        StoredDestination queue = queue();
        StoredMessage first = message(queue, 20, Recipients.of(1, 2, 3));
        StoredMessage second = message(queue, 20, Recipients.NONE);
        window.add(first);
        window.add(second);

        // when
        window.remove(first);
        window.remove(second);
        window.remove(second);

        // then
        assertThat(window.bytes()).isZero();
    }

    @Test
    void shouldChargeIdentifiersForWhatTheyTake() {
        // given
        DuplicateWindow identifiers =
                new DuplicateWindow(COUNT, HeapPart.alone(Long.MAX_VALUE), () -> 0);

        // when
        long taken =
                taken(() -> {
                    for (int i = 0; i < COUNT; i++) {
                        identifiers.add(
                                new Batch(), "somebody", "transaction-with-a-name-" + i, false);
                    }
                    return identifiers;
                });

        // then
        check(taken, identifiers.bytes());
    }

    @Test
    void shouldChargeInstancesForWhatTheyTake() {
        // given
        Instances instances = new Instances(COUNT, HeapPart.alone(Long.MAX_VALUE), () -> 0);

        // when
        long taken =
                taken(() -> {
                    for (int i = 0; i < COUNT; i++) {
                        instances.add(new InstanceKey(i, i), "somebody", 1, 2, false);
                        instances.write(new Batch());
                    }
                    return instances;
                });

        // then
        check(taken, instances.bytes());
    }

    @Test
    void shouldForgetIdentifiersThatTakeTooMuch() {
        // given
        DuplicateWindow identifiers = new DuplicateWindow(COUNT, HeapPart.alone(100_000), () -> 0);

        // when
        for (int i = 0; i < COUNT; i++) {
            identifiers.add(new Batch(), "somebody", "transaction-" + i, false);
        }

        // then
        assertThat(identifiers.bytes()).isBetween(90_000L, 100_000L);
        assertThat(identifiers.contains("transaction-" + (COUNT - 1))).isTrue();
        assertThat(identifiers.contains("transaction-0")).isFalse();
    }

    @Test
    void shouldForgetIdentifiersOfThoseWhoHaveTheMost() {
        // given
        DuplicateWindow identifiers = new DuplicateWindow(COUNT, HeapPart.alone(100_000), () -> 0);
        Batch batch = new Batch();
        identifiers.add(batch, "careful", "order-1", false);

        // when
        for (int i = 0; i < COUNT; i++) {
            identifiers.add(batch, "hasty", "transaction-" + i, false);
        }

        // then
        assertThat(identifiers.bytes()).isLessThanOrEqualTo(100_000);
        assertThat(identifiers.contains("order-1")).isTrue();
        assertThat(identifiers.contains("transaction-0")).isFalse();
    }

    @Test
    void shouldCountDeliveriesOfLostConsumersInFewBytes() {
        // given
        DeliveryCounts counts = new DeliveryCounts();

        // when
        long taken =
                taken(() -> {
                    for (int i = 0; i < 10 * COUNT; i++) {
                        counts.put(3L * i, 1);
                    }
                    return counts;
                });

        // then
        assertThat(taken / (10 * COUNT)).isLessThan(4);
    }

    @Test
    void shouldChargeBodiesInPartsForWhatTheyTake() {
        // given
        StoredDestination queue = shard.queue("q");

        // when
        long taken =
                taken(() -> {
                    for (int i = 0; i < COUNT; i++) {
                        shard.bodies().add(queue, i, new LargeBody(1_000_000 + i, 1, 1));
                    }
                    return shard;
                });

        // then
        check(taken, shard.bodies().heapBytes());
    }

    @Test
    void shouldChargeGroupsThatWaitForWhatTheyTake() {
        // given
        HeldGroups groups = new HeldGroups(shard, HeapPart.alone(Long.MAX_VALUE / 8));
        StoredSubscription queue = shard.queue("q").queue();

        // when
        long taken =
                taken(() -> {
                    for (int i = 1; i <= COUNT; i++) {
                        assertThat(groups.delay(queue, i, 1_000_000 + i)).isTrue();
                        groups.add(queue, i, i);
                    }
                    return queue;
                });

        // then
        check(taken, groups.heapBytes());
    }

    @Test
    void shouldChargeTimesForWhatTheyTake() {
        // given
        Timetable<String> times = new Timetable<>(HeapPart.alone(Long.MAX_VALUE / 8));

        // when
        long taken =
                taken(() -> {
                    for (int i = 0; i < COUNT; i++) {
                        times.add(16L * i, "queue", i);
                    }
                    return times;
                });

        // then
        check(taken, times.heapBytes());
    }

    @Test
    void shouldChargeTimesOfSeveralMessagesForWhatTheyTake() {
        // given
        Timetable<String> times = new Timetable<>(HeapPart.alone(Long.MAX_VALUE / 8));

        // when
        long taken =
                taken(() -> {
                    for (int i = 0; i < 3 * COUNT; i++) {
                        times.add(16L * (i % COUNT), "queue", i);
                    }
                    return times;
                });

        // then
        check(taken, times.heapBytes());
    }
}

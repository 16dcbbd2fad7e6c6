package winnow.broker.destination;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import winnow.broker.fault.FaultBarrier;
import winnow.broker.metrics.BrokerCounters;
import winnow.broker.metrics.LoopCounters;
import winnow.broker.subscription.BacklogMemory;
import winnow.broker.subscription.DeliveryTarget;
import winnow.broker.subscription.Loop;
import winnow.broker.subscription.Subscription;
import winnow.broker.subscription.WaitingMessages;
import winnow.wire.BodyType;
import winnow.wire.MessageBlock;

/// Deliveries that fail by a fault, on the publisher's loop and on another: they touch their own
/// connection alone.
class FaultyDeliveryTest {
    private static final int BLOCK_BYTES = 64 * 1024;

    private final BacklogMemory memory = new BacklogMemory(1 << 20);
    private final LongAdder faults = new LongAdder();
    private final QueueLoop here = new QueueLoop(0);
    private final QueueLoop there = new QueueLoop(1);
    private final Router router =
            new Router(
                    here,
                    List.of(here, there),
                    2,
                    new NameDictionary(16),
                    new LoopCounters(new BrokerCounters()));
    private final Topic topic =
            new Topic(
                    "t",
                    here,
                    new SlicedWork(here, System::nanoTime),
                    MatchingMode.INDEXED,
                    1024,
                    SlowConsumerPolicy.BLOCK);
    private final TestTarget publisher = new TestTarget(here, false);

    @Test
    void shouldDeliverToHealthySubscribersOfTheSameLoop() {
        // given
        TestTarget healthy = subscriber(here, false);
        TestTarget faulty = subscriber(here, true);
        TestTarget last = subscriber(here, false);

        // when
        route("ab", 1);

        // then
        assertThat(healthy.copies).containsExactly("a", "b");
        assertThat(last.copies).containsExactly("a", "b");
        assertThat(faulty.faults).isPositive();
        assertThat(publisher.faults + healthy.faults + last.faults).isZero();
        assertThat(faults.sum()).isEqualTo(faulty.faults);
    }

    @Test
    void shouldDeliverLargeMessagesToHealthySubscribers() {
        // given
        TestTarget faulty = subscriber(here, true);
        TestTarget healthy = subscriber(here, false);

        // when
        route("a", 10_000);

        // then
        assertThat(healthy.copies).containsExactly("a".repeat(10_000));
        assertThat(faulty.faults).isEqualTo(1);
    }

    @Test
    void shouldDeliverToHealthySubscribersOfAnotherLoopAndGiveBytesBack() {
        // given
        TestTarget faulty = subscriber(there, true);
        TestTarget healthy = subscriber(there, false);

        // when
        route("a", 1);
        router.endBatch();
        there.runAll();

        // then
        assertThat(healthy.copies).containsExactly("a");
        assertThat(faulty.faults).isEqualTo(1);
        assertThat(publisher.faults).isZero();
    }

    @Test
    void shouldGiveBytesBackWhenTheReceivingLoopFails() {
        // given a handover that fails before its first copy, again and again
        subscriber(there, false);
        there.failing = true;

        // when more is lost so than may be on the way at once
        for (int i = 0; i < 100; i++) {
            route("a", BLOCK_BYTES);
            router.endBatch();
            there.runAll();
        }

        // then
        assertThat(router.congested()).isFalse();
    }

    @Test
    void shouldWakeTheOtherProducersWhenOneFails() {
        // given
        Subscription slow = subscription(publisher);
        topic.onOverBudget(slow);
        List<String> woken = new ArrayList<>();
        topic.await(() -> woken.add("first"));
        topic.await(() -> {
            throw new IllegalStateException("made for this test");
        });
        topic.await(() -> woken.add("last"));

        // when
        topic.onRelieved(slow);

        // then
        assertThat(woken).containsExactlyInAnyOrder("first", "last");
        assertThat(faults.sum()).isEqualTo(1);
    }

    /// Routes messages of one read, each with a body of so many times its letter.
    private void route(String letters, int bytes) {
        int blockBytes = 2 + bytes;
        byte[] array = new byte[letters.length() * blockBytes];
        MessageBlock block = new MessageBlock();
        for (int i = 0; i < letters.length(); i++) {
            int start = i * blockBytes;
            array[start] = (byte) (BodyType.BYTES.number() << MessageBlock.BODY_TYPE_SHIFT);
            Arrays.fill(array, start + 2, start + blockBytes, (byte) letters.charAt(i));
            block.parse(array, start, start + blockBytes);
            router.route(topic, block, publisher);
        }
        router.deliver();
    }

    private TestTarget subscriber(QueueLoop loop, boolean faulty) {
        TestTarget target = new TestTarget(loop, faulty);
        topic.add(subscription(target), SubscriptionFilter.NONE, null, () -> {}, Assertions::fail);
        here.runAll();
        return target;
    }

    private Subscription subscription(TestTarget target) {
        Subscription subscription = new Subscription(1, target, false, topic, 1 << 20);
        subscription.onCredit(1 << 20, 1 << 30);
        return subscription;
    }

    /// Keeps commands until they are asked for.
    private final class QueueLoop implements Loop {
        private final WaitingMessages waiting = new WaitingMessages(this, memory);
        private final FaultBarrier barrier = new FaultBarrier(faults);
        private final ArrayDeque<Runnable> commands = new ArrayDeque<>();
        private final int index;
        private boolean failing;

        QueueLoop(int index) {
            this.index = index;
        }

        void runAll() {
            for (Runnable next = commands.poll(); next != null; next = commands.poll()) {
                barrier.run(next);
            }
        }

        @Override
        public int index() {
            return index;
        }

        @Override
        public boolean inLoop() {
            return true;
        }

        @Override
        public FaultBarrier faults() {
            return barrier;
        }

        @Override
        public WaitingMessages waiting() {
            return waiting;
        }

        @Override
        public long numberMessages(int count) {
            if (failing) {
                throw new IllegalStateException("made for this test");
            }
            return 1;
        }

        @Override
        public void onDelivered(int copies, long nanos) {}

        @Override
        public void execute(Runnable command) {
            commands.add(command);
        }
    }

    /// Keeps the bodies that come, or fails.
    private static final class TestTarget implements DeliveryTarget {
        private final List<String> copies = new ArrayList<>();
        private final QueueLoop loop;
        private final boolean faulty;
        private int faults;
        private int place;

        TestTarget(QueueLoop loop, boolean faulty) {
            this.loop = loop;
            this.faulty = faulty;
        }

        @Override
        public Loop loop() {
            return loop;
        }

        @Override
        public boolean writable() {
            return true;
        }

        @Override
        public void deliver(long message, int subscriptionId, byte[] array, int start, int end) {
            if (faulty) {
                throw new IllegalStateException("made for this test");
            }
            copies.add(new String(array, start + 2, end - start - 2, US_ASCII));
        }

        @Override
        public void appendFrames(byte[] array, int start, int end) {
            throw new AssertionError("there is credit");
        }

        @Override
        public int place() {
            return place;
        }

        @Override
        public void place(int newPlace) {
            place = newPlace;
        }

        @Override
        public boolean announceNames(int maxNameId) {
            return true;
        }

        @Override
        public void onFault(Throwable fault) {
            faults++;
        }
    }
}

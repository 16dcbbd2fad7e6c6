package winnow.broker.matching;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import winnow.broker.destination.SlowConsumerPolicy;
import winnow.broker.destination.Topic;
import winnow.broker.metrics.BrokerCounters;
import winnow.broker.metrics.LoopCounters;
import winnow.broker.routing.Audience;
import winnow.broker.routing.Router;
import winnow.broker.subscription.BacklogMemory;
import winnow.broker.subscription.FakeLoop;
import winnow.broker.subscription.RecordingTarget;
import winnow.broker.subscription.Subscription;
import winnow.wire.BodyType;
import winnow.wire.MessageBlock;

/// Deliveries that fail by a fault, on the publisher's loop and on another: they touch their own
/// connection alone.
class FaultyDeliveryTest {
    private static final int BLOCK_BYTES = 64 * 1024;

    private final BacklogMemory memory = new BacklogMemory(1 << 20);
    private final FakeLoop here = new FakeLoop(0, memory);
    private final HandoverLoop there = new HandoverLoop();
    private final Router router =
            new Router(
                    here,
                    List.of(here, there),
                    2,
                    new NameDictionary(16),
                    new LoopCounters(new BrokerCounters(), 0));
    private final Topic topic =
            new Topic(
                    "t",
                    here,
                    new SlicedWork(here, System::nanoTime),
                    MatchingMode.INDEXED,
                    new PropertyLimits(1024, 16),
                    SlowConsumerPolicy.BLOCK);
    private final RecordingTarget publisher = new RecordingTarget(here);

    @Test
    void shouldDeliverToHealthySubscribersOfTheSameLoop() {
        // given
        RecordingTarget healthy = subscriber(here, false);
        RecordingTarget faulty = subscriber(here, true);
        RecordingTarget last = subscriber(here, false);

        // when
        route("ab", 1);

        // then
        assertThat(bodies(healthy)).containsExactly("a", "b");
        assertThat(bodies(last)).containsExactly("a", "b");
        assertThat(faulty.faults).isNotEmpty();
        assertNoFault(publisher, healthy, last);
        assertThat(here.faultCount()).isEqualTo(faulty.faults.size());
    }

    @Test
    void shouldDeliverLargeMessagesToHealthySubscribers() {
        // given
        RecordingTarget faulty = subscriber(here, true);
        RecordingTarget healthy = subscriber(here, false);

        // when
        route("a", 10_000);

        // then
        assertThat(bodies(healthy)).containsExactly("a".repeat(10_000));
        assertThat(faulty.faults).hasSize(1);
    }

    @Test
    void shouldDeliverToHealthySubscribersOfAnotherLoopAndGiveBytesBack() {
        // given
        RecordingTarget faulty = subscriber(there, true);
        RecordingTarget healthy = subscriber(there, false);

        // when
        route("a", 1);
        router.endBatch();
        there.runAllCommands();

        // then
        assertThat(bodies(healthy)).containsExactly("a");
        assertThat(faulty.faults).hasSize(1);
        assertNoFault(publisher, healthy);
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
            there.faults().run(there::runAllCommands);
        }

        // then
        assertThat(there.faultCount()).isEqualTo(100);
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
        assertThat(here.faultCount()).isEqualTo(1);
    }

    private static void assertNoFault(RecordingTarget... targets) {
        assertThat(targets).allMatch(target -> target.faults.isEmpty());
    }

    /// What was delivered, without the number of the subscription and the header of two bytes.
    private static List<String> bodies(RecordingTarget target) {
        return target.copies.stream().map(copy -> copy.substring("1:".length() + 2)).toList();
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
            router.begin(topic, block, publisher, Audience.LIVE_AND_STORED, null);
        }
        router.deliver();
    }

    private RecordingTarget subscriber(FakeLoop loop, boolean faulty) {
        RecordingTarget target = new RecordingTarget(loop);
        target.failures = faulty ? Integer.MAX_VALUE : 0;
        topic.add(subscription(target), SubscriptionFilter.NONE, null, () -> {}, Assertions::fail);
        here.runAllCommands();
        return target;
    }

    private Subscription subscription(RecordingTarget target) {
        Subscription subscription = new Subscription(1, target, false, topic, 1 << 20);
        subscription.onCredit(1 << 20, 1 << 30);
        return subscription;
    }

    /// A loop that cannot number messages when it is told so.
    private final class HandoverLoop extends FakeLoop {
        private boolean failing;

        HandoverLoop() {
            super(1, memory);
        }

        @Override
        public long numberMessages(int count) {
            if (failing) {
                throw new IllegalStateException("made for this test");
            }
            return super.numberMessages(count);
        }
    }
}

package winnow.broker.routing;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import winnow.broker.destination.BlockedProducer;
import winnow.broker.destination.SlowConsumerPolicy;
import winnow.broker.destination.Topic;
import winnow.broker.matching.MatchingMode;
import winnow.broker.matching.NameDictionary;
import winnow.broker.matching.PropertyLimits;
import winnow.broker.matching.RefusedException;
import winnow.broker.matching.SlicedWork;
import winnow.broker.matching.SubscriptionFilter;
import winnow.broker.metrics.BrokerCounters;
import winnow.broker.metrics.LoopCounters;
import winnow.broker.subscription.BacklogMemory;
import winnow.broker.subscription.FakeLoop;
import winnow.broker.subscription.Publisher;
import winnow.broker.subscription.RecordingTarget;
import winnow.broker.subscription.Subscription;
import winnow.wire.MessageBlock;
import winnow.wire.WireException;

/// Two loops that the test drives; messages are published on the first.
class RouterTest {
    private static final int MAX_STRING_BYTES = 1024;

    private static final int MUCH = 1 << 30;

    /// Bytes on the way to a loop above which it lags.
    private static final int CONGESTED_BYTES = 4 << 20;

    private final BacklogMemory memory = new BacklogMemory(1 << 20);
    private final FakeLoop own = new FakeLoop(0, memory);
    private final FakeLoop other = new FakeLoop(1, memory);
    private final BrokerCounters counters = new BrokerCounters();
    private long nanos;
    private final Router router =
            new Router(
                    own,
                    List.of(own, other),
                    2,
                    new NameDictionary(16),
                    new LoopCounters(counters, 0),
                    () -> nanos);
    private final Topic topic =
            new Topic(
                    "t",
                    own,
                    new SlicedWork(own, System::nanoTime),
                    MatchingMode.INDEXED,
                    new PropertyLimits(MAX_STRING_BYTES, 16),
                    SlowConsumerPolicy.BLOCK);
    private final RecordingTarget producer = new RecordingTarget(own);
    private final RecordingTarget near = new RecordingTarget(own);
    private final RecordingTarget far = new RecordingTarget(other);
    private final MessageBlock block = new MessageBlock();
    private final byte[] array = new byte[CONGESTED_BYTES + 1000];
    private int size;

    private Subscription subscribe(int id, RecordingTarget target, boolean noLocal) {
        Subscription subscription = new Subscription(id, target, noLocal, topic, MUCH);
        topic.add(subscription, SubscriptionFilter.NONE, null, () -> {}, Assertions::fail);
        own.runAllCommands();
        subscription.onCredit(MUCH, MUCH);
        return subscription;
    }

    private void route(String body) {
        byte[] bytes = ("  " + body).getBytes(US_ASCII);
        bytes[0] = 0;
        bytes[1] = 0;
        routeBytes(bytes);
    }

    /// The messages of a test lie in one array, as those of a read do.
    private void routeBytes(byte[] bytes) {
        int start = size;
        System.arraycopy(bytes, 0, array, start, bytes.length);
        size += bytes.length;
        block.parseFields(array, start, size);
        begin(producer);
    }

    private @Nullable SlicedMatch begin(@Nullable Publisher from) {
        return router.begin(topic, block, from, Audience.LIVE_AND_STORED, null);
    }

    private static List<String> bodies(RecordingTarget target) {
        return target.copies.stream()
                .map(copy -> copy.substring(0, 2) + copy.substring(4))
                .toList();
    }

    @Test
    void shouldDeliverToTheOwnLoopWhenItIsToldAndToOthersWithTheBatch() {
        // given
        subscribe(1, near, false);
        subscribe(2, far, false);

        // when
        route("a");
        router.deliver();
        route("b");
        router.deliver();

        // then
        assertThat(bodies(near)).containsExactly("1:a", "1:b");
        assertThat(other.runCommands()).isZero();
        router.endBatch();
        assertThat(other.runCommands()).isEqualTo(1);
        assertThat(bodies(far)).containsExactly("2:a", "2:b");
    }

    @Test
    void shouldNotDeliverToTheProducerWhoDoesNotWantItsOwn() {
        subscribe(1, producer, true);
        subscribe(2, producer, false);

        route("a");
        router.deliver();

        assertThat(bodies(producer)).containsExactly("2:a");
    }

    @Test
    void shouldDeliverAStoredMessageWhateverTheLimitsAreNow() {
        // given
        subscribe(1, near, false);
        byte[] longType = new byte[4 + MAX_STRING_BYTES + 1];
        longType[1] = (byte) MessageBlock.HAS_TYPE;
        longType[2] = (byte) ((MAX_STRING_BYTES + 1) | 0x80);
        longType[3] = (byte) ((MAX_STRING_BYTES + 1) >> 7);
        block.parseFields(longType, 0, longType.length);

        // when, then
        assertThatThrownBy(() -> begin(producer)).isInstanceOf(RefusedException.class);
        assertThat(begin(null)).isNull();
        router.deliver();
        assertThat(near.copies).hasSize(1);

        // and the limits are there again for others
        assertThatThrownBy(() -> begin(producer)).isInstanceOf(RefusedException.class);
    }

    @Test
    void shouldDeliverToNobodyWhatIsMalformedButEverythingElse() {
        // given
        subscribe(1, near, false);
        subscribe(2, far, false);
        route("a");
        byte[] malformed = {MessageBlock.HAS_PROPERTIES, 0, 1, 99};

        // when
        assertThatThrownBy(() -> routeBytes(malformed)).isInstanceOf(WireException.class);
        route("b");
        router.deliver();
        router.endBatch();
        other.runCommands();

        // then
        assertThat(bodies(near)).containsExactly("1:a", "1:b");
        assertThat(bodies(far)).containsExactly("2:a", "2:b");
    }

    @Test
    void shouldDeliverInPartsWhatHasManyCopies() {
        // given
        for (int id = 1; id <= 100; id++) {
            subscribe(id, near, false);
            subscribe(id, far, false);
        }

        // when
        for (int i = 0; i < 50; i++) {
            route("a");
        }

        // then
        assertThat(near.copies.size()).isEqualTo(4200);
        other.runCommands();
        assertThat(far.copies.size()).isEqualTo(4200);
        router.deliver();
        router.endBatch();
        other.runCommands();
        assertThat(near.copies.size()).isEqualTo(5000);
        assertThat(far.copies.size()).isEqualTo(5000);
    }

    @Test
    void shouldHandOverBeforeTheEndOfTheBatchWhatIsLarge() {
        // given
        subscribe(1, far, false);
        String large = "x".repeat(60_000);

        // when
        for (int i = 0; i < 12; i++) {
            route((char) ('a' + i) + large);
        }

        // then
        assertThat(other.runCommands()).isEqualTo(2);
        assertThat(far.copies).hasSize(10);
        router.endBatch();
        other.runCommands();
        assertThat(bodies(far).stream().map(copy -> copy.substring(2, 3)))
                .containsExactly("abcdefghijkl".split(""));
    }

    @Test
    void shouldStopWhereDeliveringTakesLong() {
        // given a clock that stands still, so that only what is expected of deliveries counts
        for (int id = 1; id <= 5000; id++) {
            subscribe(id, near, false);
        }

        // when
        SlicedMatch rest = beginBody("x".repeat(100_000));

        // then
        assertThat(near.copies).hasSizeBetween(500, 1100);
        int steps = 0;
        int before = near.copies.size();
        while (rest != null && rest.step()) {
            assertThat(near.copies.size() - before).isBetween(1, 200);
            before = near.copies.size();
            steps++;
        }
        assertThat(steps).isGreaterThan(20);
        assertThat(near.copies).hasSize(5000).doesNotHaveDuplicates();
        assertThat(near.numbers).containsOnly(1L);
    }

    private @Nullable SlicedMatch beginBody(String body) {
        byte[] bytes = ("  " + body).getBytes(US_ASCII);
        bytes[0] = 0;
        bytes[1] = 0;
        block.parseFields(bytes, 0, bytes.length);
        return begin(producer);
    }

    @Test
    void shouldNotCopyALargeMessageForOtherLoops() {
        // given
        subscribe(1, far, false);
        subscribe(2, far, false);

        // when
        beginBody("a".repeat(100_000));
        byte[] array = block.array();
        beginBody("b".repeat(100_000));
        route("c");
        router.endBatch();
        other.runCommands();

        // then
        assertThat(bodies(far).stream().map(copy -> copy.substring(0, 3)))
                .containsExactly("1:a", "2:a", "1:b", "2:b", "1:c", "2:c");
        assertThat(far.arrays.get(0)).isSameAs(array).isSameAs(far.arrays.get(1));
        assertThat(router.congested()).isFalse();
    }

    @Test
    void shouldCountWhatIsOnTheWayBeforeItIsTaken() {
        // given
        subscribe(1, far, false);

        // when
        route("x".repeat(CONGESTED_BYTES));

        // then
        assertThat(router.congested()).isTrue();
        router.endBatch();
        assertThat(router.congested()).isTrue();
        other.runCommands();
        assertThat(router.congested()).isFalse();
    }

    @Test
    void shouldTellProducersWhenNoLoopLagsAnyMore() {
        // given
        List<String> told = new ArrayList<>();
        BlockedProducer gone = () -> told.add("gone");
        subscribe(1, far, false);
        route("x".repeat(CONGESTED_BYTES));
        router.endBatch();

        // when
        router.await(() -> told.add("one"));
        router.await(gone);
        router.await(() -> told.add("two"));
        router.forget(gone);
        own.runCommands();
        assertThat(told).isEmpty();
        other.runCommands();
        own.runCommands();

        // then
        assertThat(told).containsExactly("one", "two");
    }

    @Test
    void shouldTellAProducerAtOnceWhenNoLoopLags() {
        List<String> told = new ArrayList<>();

        router.await(() -> told.add("one"));

        assertThat(told).containsExactly("one");
    }

    @Test
    void shouldNotCountWhatIsOnTheWayForEverWhenItsDeliveryFails() {
        // given a subscription whose output fails once
        Subscription failing = subscribe(1, far, false);
        far.failures = 1;
        route("x".repeat(CONGESTED_BYTES));
        router.endBatch();

        // when
        other.runCommands();

        // then
        assertThat(far.faults).singleElement().isInstanceOf(IllegalStateException.class);
        assertThat(router.congested()).isFalse();
        route("a");
        router.endBatch();
        other.runCommands();
        assertThat(bodies(far)).containsExactly("1:a");
        assertThat(failing.backlogBytes()).isZero();
    }
}

package winnow.broker.routing;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.assertj.core.api.Assertions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import winnow.broker.destination.SlowConsumerPolicy;
import winnow.broker.destination.Topic;
import winnow.broker.matching.MatchingMode;
import winnow.broker.matching.NameDictionary;
import winnow.broker.matching.PropertyLimits;
import winnow.broker.matching.SlicedWork;
import winnow.broker.matching.SubscriptionFilter;
import winnow.broker.metrics.BrokerCounters;
import winnow.broker.metrics.LoopCounters;
import winnow.broker.subscription.BacklogMemory;
import winnow.broker.subscription.FakeLoop;
import winnow.broker.subscription.RecordingTarget;
import winnow.broker.subscription.Subscription;
import winnow.selector.check.SelectorLimits;
import winnow.wire.MessageBlock;
import winnow.wire.WireWriter;

/// What matches that are stopped keep is bounded.
class SuspendedMatchesTest {
    private static final int MUCH = 1 << 30;
    private static final int LARGE_BYTES = 8 << 20;
    private static final int MAX_AT_A_TIME = 4;
    private static final int MAX_STOPPED = 16;
    private static final int TOPICS = 40;

    private final FakeLoop own = new FakeLoop(0, new BacklogMemory(MUCH));
    private long nanos;
    private long nanosPerLook = 1_000_000;
    private final Router router =
            new Router(
                    own,
                    List.of(own),
                    1,
                    new NameDictionary(16),
                    new LoopCounters(new BrokerCounters(), 0),
                    () -> nanos += nanosPerLook);
    private final RecordingTarget producer = new RecordingTarget(own);

    private Topic topic(String name) {
        return new Topic(
                name,
                own,
                new SlicedWork(own, System::nanoTime),
                MatchingMode.INDEXED,
                new PropertyLimits(1 << 20, 16),
                SlowConsumerPolicy.BLOCK);
    }

    /// @param noLocal whether it does not want what the subscriber publishes itself
    private void subscribe(
            Topic topic, int id, RecordingTarget subscriber, boolean noLocal, String selector) {
        Subscription subscription = new Subscription(id, subscriber, noLocal, topic, MUCH);
        SubscriptionFilter filter = new SubscriptionFilter(selector, "");
        var parsed = filter.parse(SelectorLimits.DEFAULT);
        topic.add(
                subscription,
                filter,
                parsed == null ? null : topic.prepared(parsed),
                () -> {},
                Assertions::fail);
        own.runAllCommands();
        subscription.onCredit(MUCH, MUCH);
    }

    private @Nullable SlicedMatch publish(Topic topic, byte[] bytes) {
        SlicedMatch rest = begin(topic, bytes);
        router.onReadEnd();
        return rest;
    }

    private @Nullable SlicedMatch begin(Topic topic, byte[] bytes) {
        MessageBlock block = new MessageBlock();
        block.parseFields(bytes, 0, bytes.length);
        return router.begin(topic, block, producer, Audience.LIVE_AND_STORED, null);
    }

    private static byte[] small() {
        return "\0\0x".getBytes(US_ASCII);
    }

    private static void runToEnd(List<SlicedMatch> stopped) {
        for (SlicedMatch rest : stopped) {
            while (rest.step()) {
                assertThat(rest).isNotNull();
            }
        }
    }

    @Test
    void shouldBeginSoManyFirstLongMatchesOnlyAndGiveEachMessageToAll() {
        // given
        int subscriptions = 1200;
        List<Topic> topics = new ArrayList<>();
        List<RecordingTarget> subscribers = new ArrayList<>();
        for (int i = 0; i < TOPICS; i++) {
            topics.add(topic("t" + i));
            subscribers.add(new RecordingTarget(own));
            for (int id = 1; id <= subscriptions; id++) {
                String selector = "n" + id % 4 + " IS NULL";
                subscribe(topics.getLast(), id, subscribers.getLast(), false, selector);
            }
        }

        // when
        List<SlicedMatch> stopped = new ArrayList<>();
        for (Topic topic : topics) {
            SlicedMatch rest = publish(topic, small());
            if (rest != null) {
                stopped.add(rest);
            }
        }

        // then none has gone to its end, and those beyond the limit have not begun
        assertThat(stopped).hasSize(TOPICS);
        own.runAllCommands();
        assertThat(subscribers.subList(MAX_STOPPED, TOPICS))
                .allSatisfy(subscriber -> assertThat(subscriber.copies).isEmpty());

        // when they go on
        runToEnd(stopped);

        // then
        own.runAllCommands();
        assertThat(subscribers)
                .allSatisfy(subscriber -> assertThat(subscriber.copies).hasSize(subscriptions));
    }

    /// One of few subscriptions whose selectors go through a long string, when no more matches can
    /// be stopped: those it finds in its turn get the message at once, the others when others
    /// ended.
    @ParameterizedTest
    @ValueSource(ints = {8 * 1024, 80 * 1024})
    void shouldLetALongMatchOfFewWaitWhereSoManyAreStopped(int stringBytes) {
        // given
        List<SlicedMatch> stopped = stopAsManyAsMayBe();
        RecordingTarget subscriber = new RecordingTarget(own);
        subscriber.recordedBytes = 1;
        Topic few = fewLongMatches(subscriber);
        byte[] bytes = typed(stringBytes);

        // when
        SlicedMatch rest = Objects.requireNonNull(publish(few, bytes));
        own.runAllCommands();

        // then
        assertThat(subscriber.copies).hasSizeBetween(10, 20);

        // when a step is tried before there is room, and when the others have ended
        assertThat(rest.step()).isTrue();
        runToEnd(stopped);
        runToEnd(List.of(rest));

        // then
        own.runAllCommands();
        assertThat(subscriber.copies).hasSize(64).doesNotHaveDuplicates();
        assertThat(router.result().live()).isTrue();
    }

    /// A committed or delayed message is not followed by the end of a read.
    @Test
    void shouldDeliverWhatAMatchHasFoundBeforeItIsGivenUp() {
        // given
        stopAsManyAsMayBe();
        RecordingTarget subscriber = new RecordingTarget(own);
        subscriber.recordedBytes = 64;
        Topic few = fewLongMatches(subscriber);
        byte[] bytes = typed(8 * 1024);

        // when it has begun, and its array is used for something else
        SlicedMatch rest = begin(few, bytes);
        Arrays.fill(bytes, (byte) 'Z');
        publish(topic("other"), small());

        // then
        assertThat(rest).isNotNull();
        assertThat(subscriber.copies)
                .hasSizeBetween(10, 20)
                .allSatisfy(copy -> assertThat(copy.toString()).contains("xxx"));
    }

    private List<SlicedMatch> stopAsManyAsMayBe() {
        List<SlicedMatch> stopped = new ArrayList<>();
        for (int i = 0; i < MAX_STOPPED; i++) {
            Topic topic = topic("t" + i);
            for (int id = 1; id <= 1200; id++) {
                subscribe(topic, id, producer, true, "n IS NULL");
            }
            SlicedMatch rest = publish(topic, small());
            assertThat(rest).isNotNull();
            stopped.add(rest);
        }
        return stopped;
    }

    /// Ten subscriptions get every message, and for 54 a message with a long type takes long.
    private Topic fewLongMatches(RecordingTarget subscriber) {
        Topic few = topic("few");
        for (int id = 1; id <= 64; id++) {
            String selector = id <= 10 ? "" : "JMSType NOT LIKE '%a_" + id + "%'";
            subscribe(few, id, subscriber, false, selector);
        }
        return few;
    }

    private static byte[] typed(int stringBytes) {
        WireWriter out = new WireWriter(64);
        out.writeByte(0);
        out.writeByte((byte) MessageBlock.HAS_TYPE);
        out.writeString("x".repeat(stringBytes));
        return Arrays.copyOf(out.array(), out.size());
    }

    @Test
    void shouldLetLargeMessagesGoWhenTheirMatchesHaveEnded() throws Exception {
        // given a producer who does not want its own messages, so that nothing is recorded
        Topic topic = topic("t");
        for (int id = 1; id <= 2000; id++) {
            subscribe(topic, id, producer, true, "JMSType = 'x'");
        }
        List<WeakReference<byte[]>> arrays = new ArrayList<>();
        List<SlicedMatch> stopped = new ArrayList<>();
        for (int i = 0; i < MAX_AT_A_TIME; i++) {
            byte[] bytes = new byte[LARGE_BYTES];
            bytes[1] = (byte) MessageBlock.HAS_TYPE;
            bytes[2] = 1;
            bytes[3] = 'x';
            arrays.add(new WeakReference<>(bytes));
            SlicedMatch rest = publish(topic, bytes);
            assertThat(rest).isNotNull();
            stopped.add(rest);
        }

        // when all have ended, and a small message was routed since
        runToEnd(stopped);
        stopped.clear();
        own.runAllCommands();
        nanosPerLook = 0;
        publish(topic, small());
        own.runAllCommands();

        // then
        for (int i = 0; i < 10; i++) {
            System.gc();
            Thread.sleep(20);
        }
        assertThat(arrays.stream().filter(array -> array.get() != null).count())
                .as("arrays of 8 MiB that nobody needs and nothing is charged for")
                .isZero();
    }
}

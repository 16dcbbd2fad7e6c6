package winnow.broker.destination;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import winnow.broker.metrics.BrokerCounters;
import winnow.broker.metrics.LoopCounters;
import winnow.broker.subscription.BacklogMemory;
import winnow.broker.subscription.FakeLoop;
import winnow.broker.subscription.RecordingTarget;
import winnow.broker.subscription.Subscription;
import winnow.selector.check.SelectorLimits;
import winnow.wire.MessageBlock;

/// The scratch space of matches that are stopped is bounded, however many topics there are.
class ManyLongMatchesTest {
    private static final int MUCH = 1 << 30;
    private static final int TOPICS = 40;
    private static final int SUBSCRIBERS = 1200;
    private static final int MAX_STOPPED = 16;

    private final FakeLoop own = new FakeLoop(0, new BacklogMemory(MUCH));
    private long nanos;
    private final Router router =
            new Router(
                    own,
                    List.of(own),
                    1,
                    new NameDictionary(16),
                    new LoopCounters(new BrokerCounters(), 0),
                    () -> nanos += 1_000_000);
    private final RecordingTarget producer = new RecordingTarget(own);

    private Topic topic(int number, RecordingTarget subscriber) {
        Topic topic =
                new Topic(
                        "t" + number,
                        own,
                        new SlicedWork(own, System::nanoTime),
                        MatchingMode.INDEXED,
                        new PropertyLimits(1024, 16),
                        SlowConsumerPolicy.BLOCK);
        for (int i = 0; i < SUBSCRIBERS; i++) {
            Subscription subscription = new Subscription(i + 1, subscriber, false, topic, MUCH);
            SubscriptionFilter filter = new SubscriptionFilter("n" + i % 4 + " IS NULL", "");
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
        return topic;
    }

    private @Nullable LongMatch publish(Topic topic) {
        byte[] bytes = "\0\0x".getBytes(US_ASCII);
        MessageBlock block = new MessageBlock();
        block.parseFields(bytes, 0, bytes.length);
        LongMatch rest = router.begin(topic, block, producer);
        router.onReadEnd();
        return rest;
    }

    @Test
    void shouldBeginSoManyFirstLongMatchesOnlyAndGiveEachMessageToAll() {
        // given
        List<Topic> topics = new ArrayList<>();
        List<RecordingTarget> subscribers = new ArrayList<>();
        for (int i = 0; i < TOPICS; i++) {
            subscribers.add(new RecordingTarget(own));
            topics.add(topic(i, subscribers.getLast()));
        }

        // when
        List<LongMatch> stopped = new ArrayList<>();
        for (Topic topic : topics) {
            LongMatch rest = publish(topic);
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
        for (LongMatch rest : stopped) {
            while (rest.step()) {
                assertThat(rest).isNotNull();
            }
        }

        // then
        own.runAllCommands();
        assertThat(subscribers)
                .allSatisfy(subscriber -> assertThat(subscriber.copies).hasSize(SUBSCRIBERS));
    }
}

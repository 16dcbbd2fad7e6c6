package winnow.broker.destination;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
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

/// Scratch space that is kept for later must not keep the arrays of large messages.
class RetainedArraysTest {
    private static final int MUCH = 1 << 30;
    private static final int LARGE_BYTES = 8 << 20;

    private final BacklogMemory memory = new BacklogMemory(1 << 30);
    private final FakeLoop own = new FakeLoop(0, memory);
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
    private final RecordingTarget near = new RecordingTarget(own);
    private final Topic topic =
            new Topic(
                    "t",
                    own,
                    new SlicedWork(own, System::nanoTime),
                    MatchingMode.INDEXED,
                    new PropertyLimits(1024, 16),
                    SlowConsumerPolicy.BLOCK);

    private void subscribe(int id, String selector) {
        Subscription subscription = new Subscription(id, near, true, topic, MUCH);
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

    private @Nullable LongMatch publish(byte[] bytes) {
        MessageBlock block = new MessageBlock();
        block.parseFields(bytes, 0, bytes.length);
        LongMatch rest = router.begin(topic, block, near);
        router.onReadEnd();
        return rest;
    }

    @Test
    void shouldLetLargeMessagesGoWhenTheirMatchesHaveEnded() throws Exception {
        // given subscribers who publish themselves and do not want that, so that nothing is
        // recorded
        for (int i = 0; i < 2000; i++) {
            subscribe(i + 1, "JMSType = 'x'");
        }
        List<WeakReference<byte[]>> arrays = new ArrayList<>();
        List<LongMatch> stopped = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            byte[] bytes = new byte[LARGE_BYTES];
            bytes[1] = (byte) MessageBlock.HAS_TYPE;
            bytes[2] = 1;
            bytes[3] = 'x';
            arrays.add(new WeakReference<>(bytes));
            LongMatch rest = publish(bytes);
            assertThat(rest).isNotNull();
            stopped.add(rest);
        }

        // when all have ended, and a small message was routed since
        for (LongMatch one : stopped) {
            while (one.step()) {
                assertThat(one).isNotNull();
            }
        }
        stopped.clear();
        own.runAllCommands();
        nanosPerLook = 0;
        publish("  x".replace(' ', '\0').getBytes(US_ASCII));
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

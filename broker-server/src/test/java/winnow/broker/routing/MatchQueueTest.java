package winnow.broker.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
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
import winnow.wire.WireException;

/// Matches of one producer, on a loop that the test drives.
class MatchQueueTest {
    private static final int MUCH = 1 << 30;
    private static final int SUBSCRIPTIONS = 1200;
    private static final byte[] BLOCK = {0, 0, 'x'};

    private final FakeLoop loop = new FakeLoop(0, new BacklogMemory(MUCH));
    private final SlicedWork work = new SlicedWork(loop, System::nanoTime);
    private long nanos;
    private long nanosPerLook;
    private final Router router =
            new Router(
                    loop,
                    List.of(loop),
                    1,
                    new NameDictionary(16),
                    new LoopCounters(new BrokerCounters(), 0),
                    () -> nanos += nanosPerLook);
    private final RecordingTarget producer = new RecordingTarget(loop);
    private final RecordingTarget subscriber = new RecordingTarget(loop);
    private final Topic topic =
            new Topic(
                    "t",
                    loop,
                    work,
                    MatchingMode.INDEXED,
                    new PropertyLimits(1 << 20, 16),
                    SlowConsumerPolicy.BLOCK);
    private final List<String> events = new ArrayList<>();
    private final MatchQueue queue =
            new MatchQueue(
                    work,
                    router,
                    producer,
                    new MatchQueue.Reading() {
                        @Override
                        public void pause() {
                            events.add("pause");
                        }

                        @Override
                        public void goOn() {
                            events.add("go on");
                        }
                    });

    MatchQueueTest() {
        for (int id = 1; id <= SUBSCRIPTIONS; id++) {
            Subscription subscription = new Subscription(id, subscriber, false, topic, MUCH);
            SubscriptionFilter filter = new SubscriptionFilter("n" + id % 4 + " IS NULL", "");
            var parsed = filter.parse(SelectorLimits.DEFAULT);
            topic.add(
                    subscription,
                    filter,
                    parsed == null ? null : topic.prepared(parsed),
                    () -> {},
                    Assertions::fail);
            loop.runAllCommands();
            subscription.onCredit(MUCH, MUCH);
        }
    }

    @AfterEach
    void shouldHaveHadNoFault() {
        assertThat(loop.faultCount()).isZero();
    }

    private void sliceMatches() {
        nanosPerLook = 1_000_000;
    }

    private void match(MatchDone done) {
        MessageBlock block = new MessageBlock();
        block.parseFields(BLOCK, 0, BLOCK.length);
        queue.match(topic, block, producer, Audience.LIVE_AND_STORED, done);
    }

    private int copies() {
        router.deliver();
        return subscriber.copies.size();
    }

    /// Notes the outcome of one match.
    private class Noted implements MatchDone {
        final String name;

        Noted(String name) {
            this.name = name;
        }

        @Override
        public void onMatched(MatchResult result) {
            events.add(name + (result.live() ? " live" : " for nobody"));
        }

        @Override
        public void onFault(Throwable fault) {
            events.add(name + " failed: " + fault.getMessage());
        }
    }

    /// As many messages as it is told.
    private final class Some extends Noted implements MatchQueue.Series {
        private int left;

        Some(String name, int count) {
            super(name);
            left = count;
        }

        @Override
        public boolean hasNext() {
            return left > 0;
        }

        @Override
        public void next() {
            left--;
            match(this);
        }
    }

    @Test
    void shouldTellTheOutcomeOfAShortMatchAtOnce() {
        match(new Noted("a"));

        assertThat(events).containsExactly("a live");
        assertThat(queue.isBusy()).isFalse();
        assertThat(copies()).isEqualTo(SUBSCRIPTIONS);
    }

    @Test
    void shouldPauseReadingUntilALongMatchHasEnded() {
        // given
        sliceMatches();

        // when
        match(new Noted("a"));

        // then
        assertThat(events).containsExactly("pause");
        assertThat(queue.isBusy()).isTrue();
        assertThat(copies()).isLessThan(SUBSCRIPTIONS);

        // when
        loop.runAllCommands();

        // then
        assertThat(events).containsExactly("pause", "a live", "go on");
        assertThat(queue.isBusy()).isFalse();
        assertThat(copies()).isEqualTo(SUBSCRIPTIONS);
    }

    @Test
    void shouldMatchSeriesInTheirOrder() {
        // given
        sliceMatches();

        // when
        queue.add(new Some("a", 2));
        queue.add(new Some("b", 1));
        loop.runAllCommands();

        // then
        assertThat(events).containsExactly("pause", "a live", "a live", "b live", "go on");
        assertThat(copies()).isEqualTo(3 * SUBSCRIPTIONS);
    }

    @Test
    void shouldTellNobodyOnceItIsClosed() {
        // given more than may be stopped at the same time
        sliceMatches();
        for (int i = 0; i < 20; i++) {
            MatchQueue other = new MatchQueue(work, router, producer, MatchQueue.Reading.NONE);
            MessageBlock block = new MessageBlock();
            block.parseFields(BLOCK, 0, BLOCK.length);
            other.match(topic, block, producer, Audience.LIVE_AND_STORED, new Noted("other"));

            // when
            other.close();
            assertThat(other.isBusy()).isFalse();
        }
        loop.runAllCommands();

        // then
        assertThat(events).isEmpty();
        match(new Noted("a"));
        loop.runAllCommands();
        assertThat(events).containsExactly("pause", "a live", "go on");
    }

    @Test
    void shouldTellOfWhatFailedWhenTheOutcomeWasTold() {
        // given
        MatchDone failing =
                new Noted("a") {
                    @Override
                    public void onMatched(MatchResult result) {
                        throw new IllegalStateException("made for this test");
                    }
                };

        // when
        match(failing);
        sliceMatches();
        match(failing);
        loop.runAllCommands();

        // then
        String failed = "a failed: made for this test";
        assertThat(events).containsExactly(failed, "pause", failed, "go on");
    }

    @Test
    void shouldThrowOnToItsCallerWhatIsNoRefusal() {
        MessageBlock malformed = new MessageBlock();
        byte[] bytes = {MessageBlock.HAS_PROPERTIES, 0, 1, 99};
        malformed.parseFields(bytes, 0, bytes.length);
        MatchDone done =
                new Noted("a") {
                    @Override
                    public void onFault(Throwable fault) {
                        events.add(MatchDone.refusal(fault).toString());
                    }
                };

        assertThatThrownBy(
                        () -> queue.match(topic, malformed, producer, Audience.STORED_ONLY, done))
                .isInstanceOf(WireException.class);
        assertThat(events).isEmpty();
    }
}

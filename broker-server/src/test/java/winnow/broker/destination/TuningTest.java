package winnow.broker.destination;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import winnow.broker.matching.Installed;
import winnow.broker.matching.LinearSubscriptions;
import winnow.broker.matching.SlicedWork;
import winnow.broker.matching.SubscriptionFilter;
import winnow.broker.subscription.Recipient;
import winnow.broker.subscription.StoredRecipient;
import winnow.selector.engine.Selector;

class TuningTest {
    private static final long STEP_NANOS = SlicedWork.SLICE_NANOS / 5;

    private final ReadingLoop loop = new ReadingLoop();
    private final List<String> steps = new ArrayList<>();
    private final SlicedWork work = new SlicedWork(loop, () -> steps.size() * STEP_NANOS);
    private final List<Tuning.Tunable> topics = new ArrayList<>();
    private final Tuning tuning = new Tuning(work, topics::iterator);

    private void addTopic(String name, int count) {
        topics.add(
                new Tuning.Tunable() {
                    private int left;

                    @Override
                    public boolean startTuning() {
                        left = count;
                        return count > 0;
                    }

                    @Override
                    public boolean tuneSome() {
                        steps.add(name);
                        if (name.equals("failing")) {
                            throw new IllegalStateException("on purpose");
                        }
                        return --left > 0;
                    }
                });
    }

    @Test
    void shouldLetTheLoopReadBetweenTheStepsOfManyTopics() {
        // given
        for (int i = 0; i < 10; i++) {
            addTopic("t" + i, 2);
            addTopic("idle", 0);
        }

        // when
        tuning.start();

        // then
        for (int i = 1; i <= 4; i++) {
            assertThat(steps).hasSize(5 * (i - 1));
            loop.iterate();
        }
        assertThat(steps).startsWith("t0", "t0", "t1", "t1", "t2").endsWith("t9", "t9");
        assertThat(steps).hasSize(20);
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "1, 1", "16, 1", "17, 2", "64, 4", "1000, 4"})
    void shouldLookAtEachSelectorOfALinearTopicOnceAtMost(int selectors, int expectedSteps) {
        // given
        LinearSubscriptions subscriptions = new LinearSubscriptions();
        for (int i = 0; i < selectors; i++) {
            Recipient recipient = new StoredRecipient(i + 1, "", "", "");
            subscriptions.add(
                    new Installed(recipient, SubscriptionFilter.NONE),
                    Selector.parse("a = " + i + " AND b = 1"));
        }

        // when
        int done = 0;
        for (boolean more = subscriptions.startTuning(); more; done++) {
            more = subscriptions.tuneSome();
        }

        // then
        assertThat(done).isEqualTo(expectedSteps);
    }

    @Test
    void shouldBeginAgainOnlyWhenAllHaveLearned() {
        // given
        addTopic("a", 7);
        addTopic("b", 1);
        tuning.start();
        loop.iterate();

        // when
        tuning.start();
        loop.iterate();

        // then
        assertThat(steps).containsExactly("a", "a", "a", "a", "a", "a", "a", "b");
        tuning.start();
        loop.iterate();
        loop.iterate();
        assertThat(steps).hasSize(16);
    }

    @Test
    void shouldGoOnAfterATopicThatFails() {
        // given
        addTopic("failing", 3);
        addTopic("b", 2);

        // when
        tuning.start();
        loop.iterate();

        // then
        assertThat(loop.faultCount()).isEqualTo(1);
        assertThat(steps).containsExactly("failing", "b", "b");
        tuning.start();
        loop.iterate();
        assertThat(steps).hasSize(6);
    }
}

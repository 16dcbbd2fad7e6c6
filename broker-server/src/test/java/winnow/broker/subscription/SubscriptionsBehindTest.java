package winnow.broker.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SubscriptionsBehindTest {
    private static final long LIMIT = 1 << 20;
    private static final int TICK_MILLIS = 100;

    private final BacklogMemory memory = new BacklogMemory(LIMIT);
    private final SubscriptionsBehind behind = memory.behind();

    /// One that takes nothing, and does not end when it is to.
    private static final class Stuck implements SubscriptionsBehind.Entry {
        int ends;

        @Override
        public SubscriptionsBehind.BehindSubscription info() {
            return new SubscriptionsBehind.BehindSubscription("topic", "stuck", 1, 1, 1);
        }

        @Override
        public long waitingBytes() {
            return 1;
        }

        @Override
        public double catchUpSeconds() {
            return Double.POSITIVE_INFINITY;
        }

        @Override
        public void end(String why) {
            ends++;
        }
    }

    private void look(int times) {
        for (int i = 1; i <= times; i++) {
            behind.look(TimeUnit.MILLISECONDS.toNanos((long) i * TICK_MILLIS));
        }
    }

    @Test
    void shouldEndOneFirst() {
        // given
        memory.take(LIMIT);
        Stuck[] stuck = new Stuck[7];
        for (int i = 0; i < stuck.length; i++) {
            stuck[i] = new Stuck();
            behind.add(stuck[i]);
        }

        // when
        look(7);

        // then
        assertThat(stuck).filteredOn(one -> one.ends > 0).hasSize(1);
    }

    @Test
    void shouldGoOnHoweverLongOneDoesNotEnd() {
        // given
        memory.take(LIMIT);
        Stuck stuck = new Stuck();
        behind.add(stuck);

        // when
        look(1000);

        // then
        assertThat(stuck.ends).isGreaterThan(100);
    }
}

package winnow.broker.destination;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import winnow.broker.fault.FaultBarrier;
import winnow.broker.metrics.BlockReason;
import winnow.broker.subscription.BacklogMemory;
import winnow.broker.subscription.FakeLoop;
import winnow.broker.subscription.RecordingTarget;
import winnow.broker.subscription.Subscription;

class BlockedProducersTest {
    private final BlockedProducers producers =
            new BlockedProducers("t", new FaultBarrier(new LongAdder()));
    private final Subscription slow =
            new Subscription(
                    1,
                    new RecordingTarget(new FakeLoop(0, new BacklogMemory(1 << 20))),
                    false,
                    producers,
                    1024);
    private long nowNanos = 5;

    private boolean look(int times) {
        boolean told = false;
        for (int i = 0; i < times; i++) {
            nowNanos += TimeUnit.MILLISECONDS.toNanos(100);
            told = producers.look(nowNanos);
        }
        return told;
    }

    @Test
    void shouldLogOnlyWhatLasts() {
        // when blocked for moments, again and again
        for (int i = 0; i < 100; i++) {
            producers.onOverBudget(slow);
            boolean blocked = look(1);
            producers.onRelieved(slow);

            // then
            assertThat(blocked || look(1)).isFalse();
        }
    }

    @Test
    void shouldLogThatProducersAreHeldBackUntilTheyGoOn() {
        // when
        producers.onOverBudget(slow);

        // then
        assertThat(look(BlockedProducers.LOOKS - 1)).isFalse();
        assertThat(look(1)).isTrue();

        // when free for a moment
        producers.onRelieved(slow);
        assertThat(look(1)).isTrue();
        producers.onOverBudget(slow);

        // then
        assertThat(look(BlockedProducers.LOOKS)).isTrue();

        // when
        producers.onRelieved(slow);

        // then
        assertThat(look(BlockedProducers.LOOKS - 1)).isTrue();
        assertThat(look(1)).isFalse();
    }

    @Test
    void shouldNameTheCulpritAndWhoIsHeldBack() {
        // given
        BlockedProducer producer = () -> {};
        HeldProducer info = new HeldProducer("7", "", "", "", BlockReason.LOOP_LAG, Instant.EPOCH);
        producers.onOverBudget(slow);

        // when
        producers.onHeld(producer, () -> info);

        // then
        assertThat(producers.count()).isEqualTo(1);
        assertThat(producers.held(1)).containsExactly(info);
        assertThat(producers.held(0)).isEmpty();
        assertThat(producers.reason()).startsWith("topic 't': subscription 1 of ");

        // when
        producers.onRelieved(slow);
        producers.onFreed(producer);

        // then
        assertThat(producers.count()).isZero();
        assertThat(producers.held(1)).isEmpty();
        assertThat(producers.reason()).isEmpty();
    }
}

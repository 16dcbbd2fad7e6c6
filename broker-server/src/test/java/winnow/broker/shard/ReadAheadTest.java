package winnow.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import winnow.broker.shard.Blocks.Spec;

/// A backlog that is not in memory is read before its consumer comes to it.
class ReadAheadTest extends ShardRig {
    private static final int TOGETHER = 1024;
    private static final int MESSAGES = 3 * TOGETHER + 10;

    private StoredDestination queue = shard.queue("q");

    @BeforeEach
    void shouldHaveBacklog() {
        config = config(1 << 20, 2, 0, 10_000);
        restart();
        for (int i = 0; i < MESSAGES; i++) {
            send(shard.queue("q"), Spec.persistent(i));
        }
        settle();
        restart();
        settle();
        queue = shard.queue("q");
    }

    private static List<String> numbers(int count) {
        return IntStream.range(0, count).mapToObj(String::valueOf).toList();
    }

    @Test
    void shouldReadTheNextOnesWhileTheFirstOnesAreDelivered() {
        StoredConsumer consumer = consumer(queue.queue());
        shard.onCredit(consumer, -999, 0);
        settle();

        assertThat(received).containsExactly("0");
        assertThat(queue.inWindow(2 * TOGETHER)).isNotNull();
        assertThat(queue.inWindow(2 * TOGETHER + 1)).isNull();
    }

    @Test
    void shouldStayOneReadingAhead() {
        StoredConsumer consumer = consumer(queue.queue());
        shard.onCredit(consumer, TOGETHER + 1 - 1000, 0);
        settle();

        assertThat(received).isEqualTo(numbers(TOGETHER + 1));
        assertThat(queue.inWindow(3 * TOGETHER)).isNotNull();
        assertThat(queue.inWindow(3 * TOGETHER + 1)).isNull();
    }

    @Test
    void shouldDeliverAllInOrder() {
        shard.onCredit(consumer(queue.queue()), MESSAGES, 0);
        settle();

        assertThat(received).isEqualTo(numbers(MESSAGES));
    }

    @Test
    void shouldDeliverAllInOrderWhereMemoryHoldsFewerThanAreRead() {
        config = config.withWindowBytes(4000);
        restart();
        settle();
        queue = shard.queue("q");
        StoredConsumer consumer = consumer(queue.queue());
        shard.onCredit(consumer, 10 - 1000, 0);
        settle();
        while (received.size() < MESSAGES) {
            int before = received.size();
            acknowledge(consumer, sequences(before - 10, 10));
            shard.onCredit(consumer, 10, 10_000);
            settle();
            assertThat(received).hasSizeGreaterThan(before);
        }

        assertThat(received).isEqualTo(numbers(MESSAGES));
    }

    @Test
    void shouldNotReadAgainAndAgainWhereMemoryHoldsOneReading() {
        config = config.withWindowBytes(TOGETHER * 1_200L);
        for (int i = MESSAGES; i < 2 * MESSAGES; i++) {
            send(queue, new Spec(i, true, 4, 0, 0, 1_000));
        }
        settle();
        restart();
        settle();
        queue = shard.queue("q");
        log.forgetReads();
        StoredConsumer consumer = consumer(queue.queue());
        shard.onCredit(consumer, 10 - 1000, 1 << 30);
        for (int i = 0; i < 2 * MESSAGES / 10; i++) {
            settle();
            acknowledge(consumer, sequences(10L * i, 10));
            shard.onCredit(consumer, 10, 0);
        }
        settle();

        assertThat(received).isEqualTo(numbers(2 * MESSAGES));
        assertThat(log.bytesRead()).isLessThan(2 * MESSAGES * 1_000L);
    }
}

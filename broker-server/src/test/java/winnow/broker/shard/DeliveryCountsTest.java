package winnow.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DeliveryCountsTest {
    private final DeliveryCounts counts = new DeliveryCounts();

    @Test
    void shouldKnowWhatAMapKnows() {
        // given
        Map<Long, Integer> expected = new HashMap<>();
        Random random = new Random(1);

        for (int i = 0; i < 20_000; i++) {
            // when
            long sequence = random.nextInt(300);
            if (random.nextInt(3) == 0) {
                assertThat(counts.remove(sequence)).isEqualTo(expected.remove(sequence) != null);
            } else {
                int count = random.nextInt(1, 1 << random.nextInt(1, 31));
                counts.put(sequence, count);
                expected.put(sequence, count);
            }

            // then
            assertThat(counts.get(sequence)).isEqualTo(expected.getOrDefault(sequence, 0));
        }
        for (long sequence = 0; sequence < 300; sequence++) {
            assertThat(counts.get(sequence)).isEqualTo(expected.getOrDefault(sequence, 0));
        }
    }

    @Test
    void shouldTakeFewBytesHoweverOftenMessagesWereDelivered() {
        int messages = 100_000;

        for (int i = 0; i < messages; i++) {
            counts.put(3L * i, 9 + i % 1000);
        }

        assertThat(counts.heapBytes()).isBetween(messages / 8L, 5L * messages);
        for (int i = 0; i < messages; i++) {
            counts.remove(3L * i);
        }
        assertThat(counts.heapBytes()).isLessThan(10_000);
    }

    @Test
    void shouldKeepTheHighestCountForHigherOnes() {
        counts.put(7, Integer.MAX_VALUE);

        assertThat(counts.get(7)).isEqualTo(DeliveryCounts.MAX);
    }

    @Test
    void shouldMarkOnlyWhatHasNoCount() {
        counts.mark(1);
        counts.put(2, 1);
        counts.mark(2);
        counts.mark(3);
        counts.put(3, 2);

        assertThat(counts.get(1)).isEqualTo(1);
        assertThat(counts.isMarked(1)).isTrue();
        assertThat(counts.isMarked(2)).isFalse();
        assertThat(counts.isMarked(3)).isFalse();
        assertThat(counts.remove(1)).isTrue();
        assertThat(counts.isMarked(1)).isFalse();
    }

    @Test
    void shouldForgetAll() {
        // given
        counts.put(1, 1);
        counts.put(2, 100);

        // when
        counts.clear();

        // then
        assertThat(counts.get(1)).isZero();
        assertThat(counts.get(2)).isZero();
    }
}

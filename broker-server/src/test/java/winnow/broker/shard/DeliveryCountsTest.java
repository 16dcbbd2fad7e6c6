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
                int count = 1 + random.nextInt(12);
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

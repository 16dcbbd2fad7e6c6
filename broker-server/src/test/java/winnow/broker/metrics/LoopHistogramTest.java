package winnow.broker.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LoopHistogramTest {
    private static final long[] BOUNDS = {0, 1, 2, 5, 64, 100, 1 << 20};

    @Test
    void shouldCountEachValueInTheFirstBucketThatHoldsIt() {
        for (long value = 0; value <= 300; value++) {
            expectCounted(value);
        }
        for (long value : new long[] {(1 << 20) - 1, 1 << 20, (1 << 20) + 1, 1L << 61}) {
            expectCounted(value);
        }
    }

    private static void expectCounted(long value) {
        // given
        LoopHistogram histogram = new LoopHistogram(BOUNDS);

        // when
        histogram.record(value, 3);

        // then
        long[] expected = new long[BOUNDS.length + 1];
        int bucket = 0;
        while (bucket < BOUNDS.length && BOUNDS[bucket] < value) {
            bucket++;
        }
        expected[bucket] = 3;
        long[] counts = new long[BOUNDS.length + 1];
        histogram.addCountsTo(counts);
        assertThat(counts).as("%d", value).isEqualTo(expected);
        assertThat(histogram.count()).isEqualTo(3);
        assertThat(histogram.sum()).isEqualTo(3 * value);
    }

    @Test
    void shouldSumWhatWasRecorded() {
        LoopHistogram histogram = new LoopHistogram(BOUNDS);
        histogram.record(7);
        histogram.record(35);
        assertThat(histogram.count()).isEqualTo(2);
        assertThat(histogram.sum()).isEqualTo(42);
    }
}

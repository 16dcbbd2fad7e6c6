package winnow.selector.index.structure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SparseIntsTest {

    @Test
    void shouldHaveWhatWasSetLast() {
        SparseInts ints = new SparseInts();
        ints.set(5, 1);
        ints.set(5, 2);
        ints.set(3_000_000, 7);

        assertThat(ints.get(5)).isEqualTo(2);
        assertThat(ints.get(4)).isEqualTo(SparseInts.NONE);
        assertThat(ints.get(3_000_000)).isEqualTo(7);
        assertThat(ints.get(9_000_000)).isEqualTo(SparseInts.NONE);
    }

    @Test
    void shouldKeepNothingOfWhatWasRemoved() {
        SparseInts ints = new SparseInts();
        for (int number = 0; number < 10_000; number++) {
            ints.set(number, 1);
            ints.set(number, 2);
        }
        ints.remove(20_000);
        for (int number = 0; number < 10_000; number++) {
            assertThat(ints.isEmpty()).isFalse();
            ints.remove(number);
            ints.remove(number);
        }

        assertThat(ints.isEmpty()).isTrue();
        assertThat(ints.get(1)).isEqualTo(SparseInts.NONE);
    }

    @Test
    void shouldAgreeWithAMap() {
        Random random = new Random(1);
        SparseInts ints = new SparseInts();
        Map<Integer, Integer> expected = new HashMap<>();
        for (int i = 0; i < 100_000; i++) {
            int number = random.nextInt(5_000);
            if (random.nextBoolean()) {
                ints.set(number, i + 1);
                expected.put(number, i + 1);
            } else {
                ints.remove(number);
                expected.remove(number);
            }
            int asked = random.nextInt(5_000);
            assertThat(ints.get(asked)).isEqualTo(expected.getOrDefault(asked, SparseInts.NONE));
        }
    }
}

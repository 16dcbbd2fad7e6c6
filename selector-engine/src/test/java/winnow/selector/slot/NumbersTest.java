package winnow.selector.slot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import winnow.selector.engine.Footprint;

class NumbersTest {

    private static final int STEPS = 30_000;

    private final Numbers numbers = new Numbers();

    @ParameterizedTest
    @ValueSource(ints = {3, 64, 200, 5_000})
    void shouldTakeTheLowestThatIsFree(int most) {
        Random random = new Random(most);
        TreeSet<Integer> free = new TreeSet<>();
        List<Integer> inUse = new ArrayList<>();
        boolean grows = true;
        for (int i = 0; i < STEPS; i++) {
            grows = inUse.isEmpty() || (grows && inUse.size() < most);
            if (random.nextInt(8) < (grows ? 6 : 2)) {
                int expected = free.isEmpty() ? inUse.size() : free.removeFirst();

                assertThat(numbers.take()).isEqualTo(expected);
                inUse.add(expected);
            } else if (!inUse.isEmpty()) {
                int number = inUse.remove(/* index */ random.nextInt(inUse.size()));
                numbers.giveBack(number);
                free.add(number);
            }
            int limit = inUse.stream().mapToInt(number -> number + 1).max().orElse(0);
            free.tailSet(limit).clear();
            assertThat(numbers.limit()).isEqualTo(limit);
            assertThat(numbers.size()).isEqualTo(inUse.size());
        }
        assertThat(numbers.takeReused()).isTrue();
        assertThat(numbers.takeReused()).isFalse();
    }

    @Test
    void shouldShrinkWhenFewAreLeft() {
        // given
        long before = Footprint.of(numbers);
        for (int i = 0; i < 100_000; i++) {
            numbers.take();
        }

        // when
        for (int i = 1; i < 100_000; i++) {
            numbers.giveBack(i);
        }

        // then
        assertThat(numbers.limit()).isEqualTo(1);
        assertThat(Footprint.of(numbers)).isLessThanOrEqualTo(before + 100);
    }
}

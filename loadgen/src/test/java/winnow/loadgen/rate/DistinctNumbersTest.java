package winnow.loadgen.rate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;

class DistinctNumbersTest {

    private final DistinctNumbers numbers = new DistinctNumbers();

    @Test
    void shouldCountEachNumberOnce() {
        // when
        var distinct = 0;
        for (var number = 0L; number < 200_000; number++) {
            distinct += numbers.add(number) ? 1 : 0;
            distinct += numbers.add(number / 2) ? 1 : 0;
        }

        // then
        assertThat(distinct).isEqualTo(200_000);
        assertThat(numbers.add(3)).isFalse();
        assertThat(numbers.add(199_999)).isFalse();
        assertThat(numbers.add(200_000)).isTrue();
    }

    @Test
    void shouldBoundWhatItKeeps() {
        assertThatIllegalArgumentException().isThrownBy(() -> numbers.add(-1));
        assertThatIllegalArgumentException().isThrownBy(() -> numbers.add(Long.MAX_VALUE));
        assertThatIllegalStateException()
                .isThrownBy(() -> {
                    for (var number = 0L; number < 10_000; number++) {
                        numbers.add(number << 16);
                    }
                });
    }
}

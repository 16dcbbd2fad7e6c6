package winnow.loadgen.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PartTest {

    @Test
    void shouldDealEverybodyOutToOnePart() {
        // given
        var parts = IntStream.range(0, 3).mapToObj(first -> new Part(first, 3)).toList();

        // then
        assertThat(parts.stream().flatMapToInt(part -> part.numbers(8)).sorted())
                .containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
        assertThat(parts.getLast().numbers(8)).containsExactly(2, 5);
        assertThat(parts.getLast().numbers(2)).isEmpty();
    }

    @Test
    void shouldHaveAllOrNobody() {
        assertThat(Part.ALL.numbers(3)).containsExactly(0, 1, 2);
        assertThat(Part.NONE.numbers(3)).isEmpty();
    }

    @Test
    void shouldRefuseAPartThatIsNone() {
        for (var first : new int[] {-1, 2, 3}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new Part(first, 2))
                    .withMessageContaining("expected a part from 0 to below 2, found " + first);
        }
    }

    @Test
    void shouldEndWithTheLargestNumbers() {
        assertThat(new Part(0, Integer.MAX_VALUE).numbers(Integer.MAX_VALUE)).containsExactly(0);
        assertThat(new Part(1, 1 << 30).numbers(Integer.MAX_VALUE))
                .containsExactly(1, (1 << 30) + 1);
        assertThatIllegalArgumentException().isThrownBy(() -> new Part(0, -1));
    }
}

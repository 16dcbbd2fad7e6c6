package winnow.selector.index.structure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.function.DoublePredicate;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class ScaleTest {
    private final Random random = new Random(1);

    private double[] ends(int count, double from, double to) {
        return random.doubles(count, from, to).toArray();
    }

    @Test
    void shouldSuitMoreEndsOfTheSameKind() {
        Scale scale = Scale.of(ends(1_024, 0, 100));

        assertThat(scale.suits(ends(4_096, 0, 100))).isTrue();
    }

    @Test
    void shouldNotSuitEndsThatGatherElsewhere() {
        Scale scale = Scale.of(ends(1_024, 0, 100));

        assertThat(scale.suits(ends(4_096, 200, 300))).isFalse();
    }

    @Test
    void shouldSuitManyEqualEnds() {
        double[] ends = DoubleStream.generate(() -> random.nextInt(8)).limit(4_096).toArray();

        assertThat(Scale.of(ends).suits(ends)).isTrue();
    }

    @Test
    void shouldNotSuitAnythingWithoutBounds() {
        assertThat(Scale.ONE_CELL.suits(ends(64, 0, 1))).isFalse();
    }

    @Test
    void shouldCountBoundsUpToANumber() {
        for (int count = 0; count < 64; count++) {
            double[] bounds = DoubleStream.iterate(0, bound -> bound + 2).limit(count).toArray();
            Cutting cutting = new Cutting(bounds, 64);

            for (int number = -1; number <= 2 * count; number++) {
                int below = (int) DoubleStream.of(bounds).filter(atMost(number)).count();
                assertThat(cutting.boundsUpTo(number)).isEqualTo(below);
            }
            assertThat(cutting.boundsUpTo(Double.POSITIVE_INFINITY)).isEqualTo(count);
            assertThat(cutting.boundsUpTo(Double.NEGATIVE_INFINITY)).isZero();
        }
    }

    private static DoublePredicate atMost(int number) {
        return bound -> bound <= number;
    }

    @Test
    void shouldTakeTheOutermostCellsToBeAsWideAsTheirNeighbours() {
        Scale scale = Scale.of(DoubleStream.iterate(0, end -> end + 10).limit(64).toArray());

        assertThat(scale.width(0, 0)).isEqualTo(10);
        assertThat(scale.width(1, 1)).isEqualTo(10);
        assertThat(scale.width(63, 63)).isEqualTo(10);
        assertThat(scale.width(0, 63)).isEqualTo(640);
        assertThat(Scale.ONE_CELL.width(0, 0)).isInfinite();
    }
}

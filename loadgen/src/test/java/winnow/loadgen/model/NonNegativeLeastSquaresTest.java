package winnow.loadgen.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class NonNegativeLeastSquaresTest {

    @Test
    void shouldFindCoefficientsThatFitExactly() {
        // given
        var problem =
                new NonNegativeLeastSquares(
                        new double[][] {{1, 0, 0}, {1, 160, 1}, {1, 40, 40}, {1, 80, 5}});

        // when
        var solution =
                problem.solve(new double[] {2, 2 + 160 * 0.5 + 7, 2 + 20 + 280, 2 + 40 + 35});

        // then
        assertThat(solution).containsExactly(new double[] {2, 0.5, 7}, within(1e-9));
    }

    @Test
    void shouldPutACoefficientThatWouldBeNegativeToZeroAndRefitTheOthers() {
        // given: the plain solution of y = a + b x is a = -1, b = 2
        var problem = new NonNegativeLeastSquares(new double[][] {{1, 1}, {1, 2}, {1, 3}});

        // when
        var solution = problem.solve(new double[] {1, 3, 5});

        // then: through the origin b = (1 + 6 + 15) / 14
        assertThat(solution).containsExactly(new double[] {0, 22 / 14.0}, within(1e-9));
    }

    @Test
    void shouldGiveZerosWhenEveryCoefficientWouldBeNegative() {
        // given
        var problem = new NonNegativeLeastSquares(new double[][] {{1, 1}, {1, 2}});

        // when
        var solution = problem.solve(new double[] {-1, -2});

        // then
        assertThat(solution).containsExactly(0, 0);
    }

    @Test
    void shouldSeeThatColumnsDependOnEachOther() {
        // given: r is constant, as in a run with one number of subscribers
        var dependent =
                new NonNegativeLeastSquares(new double[][] {{1, 5, 1}, {1, 10, 1}, {1, 20, 1}});
        var independent =
                new NonNegativeLeastSquares(new double[][] {{1, 5, 1}, {1, 10, 1}, {1, 20, 2}});

        // when
        var bad = dependent.conditionNumber();
        var good = independent.conditionNumber();

        // then
        assertThat(dependent.determined()).isFalse();
        assertThat(bad).isInfinite();
        assertThat(independent.determined()).isTrue();
        assertThat(good).isBetween(1.0, 1_000.0);
    }
}

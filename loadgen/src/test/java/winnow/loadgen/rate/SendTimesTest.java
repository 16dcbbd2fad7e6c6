package winnow.loadgen.rate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.concurrent.TimeUnit;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;
import org.hipparchus.stat.descriptive.DescriptiveStatistics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SendTimesTest {

    private static final int MANY = 100_000;

    @Test
    void shouldSpaceTimesEvenlyWithoutDrift() {
        // when
        var times = SendTimes.constant(3, 0.5);
        var found = LongStream.generate(times::nextNanos).limit(3_001).toArray();

        // then
        assertThat(found[0]).isEqualTo(166_666_667);
        assertThat(found[3]).isEqualTo(1_166_666_667);
        assertThat(found[3_000]).isEqualTo(1_000_166_666_667L);
    }

    @Test
    void shouldHaveExponentialTimesBetweenThoseOfAPoissonProcess() {
        // when
        var times = SendTimes.poisson(1_000, 1, 7);
        var found = LongStream.generate(times::nextNanos).limit(MANY).toArray();

        // then
        var gaps = new DescriptiveStatistics();
        for (var i = 1; i < found.length; i++) {
            gaps.addValue((double) (found[i] - found[i - 1]));
        }
        var mean = (double) TimeUnit.MILLISECONDS.toNanos(1);
        assertThat(gaps.getMin()).isNotNegative();
        assertThat(gaps.getMean()).isCloseTo(mean, within(mean / 50));
        assertThat(gaps.getStandardDeviation()).isCloseTo(mean, within(mean / 50));
        var longer = DoubleStream.of(gaps.getValues()).filter(gap -> gap > 2 * mean).count();
        assertThat((double) longer / MANY).isCloseTo(Math.exp(-2), within(0.01));
    }

    @Test
    void shouldHaveClumpsWithAGeometricNumberOfMessages() {
        // when
        var times = SendTimes.poisson(1_000, 4, 7);
        var found = LongStream.generate(times::nextNanos).limit(MANY).toArray();

        // then
        var sizes = new DescriptiveStatistics();
        var gaps = new DescriptiveStatistics();
        var size = 1;
        for (var i = 1; i < found.length; i++) {
            if (found[i] == found[i - 1]) {
                size++;
            } else {
                sizes.addValue(size);
                gaps.addValue((double) (found[i] - found[i - 1]));
                size = 1;
            }
        }
        var apart = (double) TimeUnit.MILLISECONDS.toNanos(4);
        assertThat(gaps.getMean()).isCloseTo(apart, within(apart / 50));
        assertThat(gaps.getStandardDeviation()).isCloseTo(apart, within(apart / 50));
        assertThat(sizes.getMean()).isCloseTo(4, within(0.1));
        assertThat(sizes.getVariance()).isCloseTo(12, within(0.7));
    }

    @ParameterizedTest
    @ValueSource(strings = {"constant", "poisson", "clumped:10", "clumped:2.5"})
    void shouldReadSpacingsAsTheyAreTyped(String text) {
        assertThat(Spacing.of(text)).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "CONSTANT", "clumped", "clumped:0.5", "clumped:10001", "clumped:-1"})
    void shouldRefuseOtherSpacings(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Spacing.of(text))
                .withMessageStartingWith("expected ");
    }

    @Test
    void shouldHaveTheSameTimesForTheSameSeed() {
        // given
        var one = SendTimes.poisson(10, 1, 1);
        var same = SendTimes.poisson(10, 1, 1);
        var other = SendTimes.poisson(10, 1, 2);

        // then
        var first = one.nextNanos();
        assertThat(same.nextNanos()).isEqualTo(first);
        assertThat(other.nextNanos()).isNotEqualTo(first);
    }

    @Test
    void shouldLetPublishersTakeTurns() {
        // given
        var first = Spacing.CONSTANT.times(2, 0, 2, 0);
        var second = Spacing.CONSTANT.times(2, 1, 2, 0);

        // then
        assertThat(first.nextNanos()).isZero();
        assertThat(second.nextNanos()).isEqualTo(TimeUnit.MILLISECONDS.toNanos(500));
        assertThat(first.nextNanos()).isEqualTo(TimeUnit.MILLISECONDS.toNanos(1_000));
    }
}

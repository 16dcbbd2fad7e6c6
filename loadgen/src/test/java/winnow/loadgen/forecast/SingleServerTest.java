package winnow.loadgen.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import winnow.loadgen.model.PaperTable;
import winnow.loadgen.model.ServiceTimes;

class SingleServerTest {

    private static final int MESSAGES = 1_000_000;

    /// Calculated by another program with the same formulas, which 8 million simulated messages
    /// have confirmed: mean within 1 %, p99 within 3 %. All its digits are compared.
    @ParameterizedTest
    @CsvSource({
        // filter, copies, selectors; probability, utilization, variation; mean, p99, p99.99
        "correlation, constant, 100, 0.05 0.5 0 0.500 3.28 6.55",
        "correlation, constant, 100, 0.05 0.9 0 4.500 21.75 43.44",
        "correlation, binomial, 100, 0.05 0.5 0.047 0.501 3.29 6.58",
        "correlation, binomial, 100, 0.05 0.9 0.047 4.510 21.80 43.55",
        "correlation, bernoulli, 100, 0.05 0.5 0.470 0.611 4.64 9.95",
        "correlation, bernoulli, 100, 0.05 0.9 0.470 5.495 27.30 55.10",
        "correlation, bernoulli, 20, 0.2 0.9 0.650 6.401 31.63 63.72",
        "property, bernoulli, 100, 0.05 0.9 0.229 4.735 23.02 46.10",
        "property, bernoulli, 20, 0.2 0.5 0.359 0.564 3.92 8.05"
    })
    void shouldGiveTheWaitingTimesOfTheCheckTable(
            String filter, String copies, int selectors, String figures) {
        // given
        var row = Arrays.stream(figures.split(" ", -1)).mapToDouble(Double::parseDouble).toArray();
        var server = server(times(filter), grade(copies, selectors, row[0]), selectors);

        // when
        var waiting = server.waiting(row[1] * server.capacityPerSecond());

        // then
        var unit = server.service().first();
        assertThat(server.service().variation()).isCloseTo(row[2], within(0.0006));
        assertThat(waiting.meanSeconds() / unit).isCloseTo(row[3], within(0.0006));
        assertThat(waiting.quantileSeconds(0.99) / unit).isCloseTo(row[4], within(0.006));
        assertThat(waiting.quantileSeconds(0.9999) / unit).isCloseTo(row[5], within(0.006));
    }

    @ParameterizedTest
    @CsvSource({
        "constant, 100, 0.05, 0.5",
        "binomial, 20, 0.2, 0.5",
        "bernoulli, 20, 0.2, 0.5",
        "bernoulli, 100, 0.05, 0.7",
    })
    void shouldForecastWhatASimulationFinds(
            String grade, int selectors, double probability, double utilization) {
        // given
        var times = PaperTable.CORRELATION_ID;
        var server = server(times, grade(grade, selectors, probability), selectors);
        var rate = utilization * server.capacityPerSecond();
        var fixed = times.serviceSeconds(selectors, 0);
        ToDoubleFunction<SplittableRandom> service =
                random ->
                        fixed
                                + times.transmitSeconds()
                                        * copies(grade, selectors, probability, random);

        // when
        var waiting = server.waiting(rate);
        var simulated = simulated(rate, service);

        // then
        var p99 = simulated[(int) (0.99 * simulated.length)];
        assertThat(waiting.meanSeconds() / Arrays.stream(simulated).average().orElseThrow())
                .isCloseTo(1, within(0.02));
        assertThat(waiting.quantileSeconds(0.99) / p99).isCloseTo(1, within(0.05));
    }

    @ParameterizedTest
    @CsvSource({"2, 0.3", "2, 0.8", "10, 0.1", "10, 0.5", "10, 0.9", "20, 0.5"})
    void shouldForecastTheWaitOfMessagesThatComeInClumps(double clump, double utilization) {
        // given
        var server = new SingleServer(Moments.constant(1e-3), clump);
        var rate = utilization * server.capacityPerSecond();

        // when
        var waiting = server.waiting(rate);
        var simulated = simulated(rate, clump, _ -> 1e-3);

        // then
        var mean = Arrays.stream(simulated).average().orElseThrow();
        var p99 = simulated[(int) (0.99 * simulated.length)];
        assertThat(waiting.meanSeconds())
                .isCloseTo((utilization / 2 + clump - 1) * 1e-3 / (1 - utilization), within(1e-9));
        assertThat(waiting.meanSeconds() / mean).isCloseTo(1, within(0.06));
        assertThat(waiting.quantileSeconds(0.99) / p99).isCloseTo(1, within(0.06));
    }

    private static double[] simulated(double rate, ToDoubleFunction<SplittableRandom> service) {
        return simulated(rate, 1, service);
    }

    /// Waiting times by Lindley's equation, sorted.
    private static double[] simulated(
            double rate, double clump, ToDoubleFunction<SplittableRandom> service) {
        var random = new SplittableRandom(20_061);
        var waits = new double[MESSAGES];
        var wait = 0.0;
        for (var i = 0; i < MESSAGES; i++) {
            waits[i] = wait;
            var isLast = clump == 1 || random.nextDouble() < 1 / clump;
            var gap = isLast ? -Math.log(1 - random.nextDouble()) * clump / rate : 0;
            wait = Math.max(0, wait + service.applyAsDouble(random) - gap);
        }
        Arrays.sort(waits);
        return waits;
    }

    private static double copies(
            String grade, int selectors, double probability, SplittableRandom random) {
        return switch (grade) {
            case "constant" -> selectors * probability;
            case "bernoulli" -> random.nextDouble() < probability ? selectors : 0;
            default -> random.doubles(selectors).filter(value -> value < probability).count();
        };
    }

    @Test
    void shouldGiveThePointsOfThePaper() {
        assertThat(overall(PaperTable.CORRELATION_ID, 6, 1)).isCloseTo(33_349, within(1.0));
        assertThat(overall(PaperTable.CORRELATION_ID, 200, 40)).isCloseTo(19_666, within(1.0));
        assertThat(overall(PaperTable.PROPERTY, 161, 1)).isCloseTo(844, within(1.0));
    }

    private static double overall(ServiceTimes times, int selectors, double copies) {
        return (copies + 1)
                * server(times, new ReplicationGrade.Constant(copies), selectors)
                        .capacityPerSecond();
    }

    @Test
    void shouldTakeCountedCopiesAsTheDistributionThatTheyAre() {
        // given: the same two values as a Bernoulli grade
        var counted = new TreeMap<Double, Double>();
        counted.put(0.0, 950.0);
        counted.put(100.0, 50.0);

        // when
        var empirical = new ReplicationGrade.Empirical(counted).moments();

        // then
        var same = new ReplicationGrade.Bernoulli(100, 0.05).moments();
        assertThat(empirical.first()).isCloseTo(same.first(), within(1e-9));
        assertThat(empirical.second()).isCloseTo(same.second(), within(1e-9));
        assertThat(empirical.third()).isCloseTo(same.third(), within(1e-6));
    }

    @Test
    void shouldKeepTheMeanWhenSubscribersAreSpread() {
        // given
        var grades =
                new ReplicationGrade[] {
                    new ReplicationGrade.Constant(5),
                    new ReplicationGrade.Binomial(50, 0.1),
                    new ReplicationGrade.Bernoulli(50, 0.1)
                };

        // then
        for (var grade : grades) {
            assertThat(grade.split(4).moments().first()).isCloseTo(1.25, within(1e-9));
        }
        // A copy cannot be made in part.
        assertThat(grades[0].split(4).moments().second()).isCloseTo(1.75, within(1e-9));
    }

    @Test
    void shouldNotWaitBeforeTheShareThatFindsTheServerIdle() {
        // given
        var server = new SingleServer(Moments.constant(1e-3), 1);

        // then
        assertThat(server.waiting(300).quantileSeconds(0.69)).isZero();
        assertThat(server.waiting(300).quantileSeconds(0.71)).isPositive();
    }

    @Test
    void shouldRefuseARateThatItCannotServe() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new SingleServer(Moments.constant(1e-3), 1).waiting(1_000))
                .withMessageContaining("below the capacity of 1000.00/s, found 1000.00/s");
    }

    private static ServiceTimes times(String filter) {
        return filter.equals("property") ? PaperTable.PROPERTY : PaperTable.CORRELATION_ID;
    }

    private static ReplicationGrade grade(String name, int selectors, double probability) {
        return switch (name) {
            case "constant" -> new ReplicationGrade.Constant(selectors * probability);
            case "binomial" -> new ReplicationGrade.Binomial(selectors, probability);
            default -> new ReplicationGrade.Bernoulli(selectors, probability);
        };
    }

    private static SingleServer server(ServiceTimes times, ReplicationGrade grade, int selectors) {
        return new SingleServer(
                grade.moments().scaled(times.serviceSeconds(selectors, 0), times.transmitSeconds()),
                1);
    }
}

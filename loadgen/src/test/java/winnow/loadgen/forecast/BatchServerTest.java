package winnow.loadgen.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BatchServerTest {

    private static final double MICROS = 1e-6;
    private static final int MESSAGES = 2_000_000;

    /// Simulated by another program, 450,000 to 13 million messages each.
    @ParameterizedTest
    @ValueSource(
            strings = {
                // a, c, w; messages per µs; messages of an iteration, busy, mean, median, p99
                "8 0.08 4 0.01 1.007 0.116 12.30 12.08 19.0",
                "8 0.08 4 0.1 1.355 0.715 12.87 12.08 19.9",
                "8 0.08 4 1 8.722 1 13.12 13.11 17.6",
                "8 0.08 4 3 31.69 1 15.89 15.88 21.7",
                "8 0.08 4 6 92.8 1 23.3 23.2 32.4",
                "8 0.08 0 6 92.7 1 23.3 23.2 32.4",
                "12 50 0 0.01 1.232 0.599 113.2 86.6 357",
                "12 50 0 0.016 2.154 0.8886 279.1 220.6 1024.5",
                "20 5 0 0.15 11.97 1 135.5 128.9 272.9",
                "8 0.08 4 10 403.6 1 61.0 60.8 86.6"
            })
    void shouldGiveTheFiguresOfASimulation(String figures) {
        // given
        var row = Arrays.stream(figures.split(" ", -1)).mapToDouble(Double::parseDouble).toArray();
        var server = new BatchServer(row[0] * MICROS, 0, row[2] * MICROS, row[1] * MICROS, 1);

        // when
        var rate = row[3] / MICROS;
        var waiting = server.waiting(rate);

        // then
        assertThat(server.messagesPerIteration(rate) / row[4]).isCloseTo(1, within(0.01));
        assertThat(server.busyShare(rate)).isCloseTo(row[5], within(0.005));
        assertThat(waiting.meanSeconds() / MICROS / row[6]).isCloseTo(1, within(0.02));
        assertThat(waiting.quantileSeconds(0.5) / MICROS / row[7]).isCloseTo(1, within(0.02));
        assertThat(waiting.quantileSeconds(0.99) / MICROS / row[8]).isCloseTo(1, within(0.03));
    }

    @ParameterizedTest
    @CsvSource({"1, 0.05", "5, 0.05", "5, 0.5", "5, 2"})
    void shouldCountOneReadForEachPublisherOfAnIteration(int publishers, double perMicro) {
        // given
        var server =
                new BatchServer(
                        7.9 * MICROS, 3.8 * MICROS, 11.2 * MICROS, 0.2 * MICROS, publishers);
        var rate = perMicro / MICROS;

        // when
        var simulated = simulated(server, rate);

        // then
        var waiting = server.waiting(rate);
        assertThat(waiting.meanSeconds() / Arrays.stream(simulated).average().orElseThrow())
                .isCloseTo(1, within(0.02));
        assertThat(waiting.quantileSeconds(0.99) / simulated[(int) (0.99 * MESSAGES)])
                .isCloseTo(1, within(0.03));
    }

    @ParameterizedTest
    @CsvSource({
        "2, 0.005, 0.2",
        "2, 1, 0.2",
        "10, 0.005, 0.2",
        "10, 0.1, 0.2",
        "10, 1, 0.2",
        "10, 4, 0.2",
        "20, 0.1, 0.2",
        "20, 2, 0.2",
        "10, 0.01, 50",
        "5, 0.1, 5"
    })
    void shouldForecastTheWaitOfMessagesThatComeInClumps(
            double clump, double perMicro, double micros) {
        // given
        var server =
                new BatchServer(
                        7.9 * MICROS, 3.8 * MICROS, 11.2 * MICROS, micros * MICROS, 1, clump);
        var rate = perMicro / MICROS;

        // when
        var simulated = simulated(server, rate);

        // then
        var waiting = server.waiting(rate);
        var mean = Arrays.stream(simulated).average().orElseThrow();
        assertThat(waiting.meanSeconds() / mean).isCloseTo(1, within(0.03));
        assertThat(waiting.quantileSeconds(0.99) / simulated[(int) (0.99 * MESSAGES)])
                .isCloseTo(1, within(0.05));
    }

    /// Times from arrival to the end of the iteration, sorted.
    private static double[] simulated(BatchServer server, double rate) {
        var random = new SplittableRandom(7);
        var arrivals = new double[MESSAGES];
        var at = 0.0;
        for (var i = 0; i < MESSAGES; i++) {
            if (server.clump() == 1 || random.nextDouble() < 1 / server.clump()) {
                at -= Math.log(1 - random.nextDouble()) * server.clump() / rate;
            }
            arrivals[i] = at;
        }
        var waits = new double[MESSAGES];
        var now = 0.0;
        for (var first = 0; first < MESSAGES; ) {
            var wake = arrivals[first] > now ? server.wakeSeconds() : 0;
            now = Math.max(now, arrivals[first]);
            var end = first;
            var publishers = new boolean[server.publishers()];
            while (end < MESSAGES && arrivals[end] <= now) {
                publishers[random.nextInt(publishers.length)] = true;
                end++;
            }
            var reads = 0;
            for (var sends : publishers) {
                reads += sends ? 1 : 0;
            }
            now +=
                    server.iterationSeconds()
                            + wake
                            + reads * server.readSeconds()
                            + (end - first) * server.messageSeconds();
            for (; first < end; first++) {
                waits[first] = now - arrivals[first];
            }
        }
        Arrays.sort(waits);
        return waits;
    }

    @Test
    void shouldAgreeWithItselfWhereTheChainEnds() {
        // given: just below and just above the size of the chain
        var server = new BatchServer(8 * MICROS, 0, 0, 0.08 * MICROS, 1);
        var below = 9.4e6;
        var above = 9.8e6;

        // then: a smooth curve, whose middle is between its ends
        var middle = server.waiting((below + above) / 2).quantileSeconds(0.99);
        assertThat(middle)
                .isBetween(
                        server.waiting(below).quantileSeconds(0.99),
                        server.waiting(above).quantileSeconds(0.99));
        assertThat(server.waiting(10e6).meanSeconds() / MICROS).isCloseTo(61.0, within(1.2));
    }

    @Test
    void shouldTakeVeryLongIterations() {
        // given: 10 million messages in each
        var server = new BatchServer(1, 0, 0, 1e-9, 1);

        // when
        var waiting = server.waiting(10e6);

        // then: the rest of one, and one more
        assertThat(waiting.meanSeconds()).isCloseTo(1.5 / 0.99, within(0.01));
        assertThat(waiting.quantileSeconds(0.99)).isCloseTo(1.99 / 0.99, within(0.01));
    }

    @Test
    void shouldCostManyTimesMoreWhenNearlyIdleThanWhenSaturated() {
        // given: what Winnow's loop takes
        var server = new BatchServer(7.9 * MICROS, 3.8 * MICROS, 11.2 * MICROS, 0.199 * MICROS, 1);

        // when
        var idle = server.busyShare(1_000) / 1_000;
        var busy = server.busyShare(4e6) / 4e6;

        // then
        assertThat(idle / busy).isGreaterThan(80);
    }
}

package winnow.loadgen.diff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ResultDiffTest {

    @Test
    void shouldFindALossOfAFifth() {
        // given
        var a = results(Map.of("x", List.of(100.0, 101.0, 99.0), "y", List.of(50.0, 50.5, 49.5)));
        var b = results(Map.of("x", List.of(80.0, 81.0, 79.0), "y", List.of(40.0, 40.5, 39.5)));

        // when
        var diff = ResultDiff.of(a, b);

        // then
        assertThat(diff.mean()).isCloseTo(0.8, within(1e-3));
        assertThat(diff.points()).extracting(PointRatio::point).containsExactly("x", "y");
        assertThat(diff.points())
                .allSatisfy(point -> {
                    assertThat(point.low()).isBetween(0.76, 0.8);
                    assertThat(point.high()).isBetween(0.8, 0.84);
                    assertThat(point.highOfAll()).isGreaterThan(point.high());
                });
        assertThat(diff.isSlowerByMoreThan(0.1)).isTrue();
        assertThat(diff.isSlowerByMoreThan(0.25)).isFalse();
        assertThat(diff.verdict()).startsWith("B is slower: B / A is 0.800");
    }

    @Test
    void shouldFindOnePointThatIsMuchSlower() {
        // given: nine points as before, the tenth half as fast
        var before = new LinkedHashMap<String, List<Double>>();
        var after = new LinkedHashMap<String, List<Double>>();
        for (var point = 0; point < 10; point++) {
            before.put("p" + point, List.of(100.0, 101.0, 99.0));
            after.put(
                    "p" + point,
                    point == 9 ? List.of(50.0, 50.5, 49.5) : List.of(100.5, 99.5, 100.0));
        }

        // when
        var diff = ResultDiff.of(results(before), results(after));

        // then
        assertThat(diff.high()).isGreaterThan(0.9);
        assertThat(diff.isSlowerByMoreThan(0.1)).isTrue();
    }

    @Test
    void shouldNotFailBecauseOfNoise() {
        // given: the same broker, many times
        var random = new Random(5);
        var failed = 0;
        for (var trial = 0; trial < 200; trial++) {
            var a = noise(random);
            var b = noise(random);
            failed += ResultDiff.of(results(a), results(b)).isSlowerByMoreThan(0) ? 1 : 0;
        }

        // then: 2.5 % by the mean, 2.5 % by a point
        assertThat(failed / 200.0).isLessThan(0.1);
    }

    @Test
    void shouldSayWhereThereIsNoInterval() {
        // given
        var a = results(Map.of("x", List.of(100.0)));
        var b = results(Map.of("x", List.of(10.0, 10.1)));

        // when
        var diff = ResultDiff.of(a, b);

        // then
        assertThat(diff.low()).isNull();
        assertThat(diff.isSlowerByMoreThan(0.1)).isFalse();
        assertThat(diff.text()).contains("no interval", "there is no interval");
    }

    @Test
    void shouldListWhatHasNoPartnerAndWhatDiffers() {
        // given
        var a =
                new StoredResults(
                        "points.jsonl",
                        "messages/s",
                        Map.of("x", List.of(1.0, 1.0), "old", List.of(2.0)),
                        Map.of("settings.duration", Set.of("PT5S"), "machine.jvm", Set.of("25")));
        var b =
                new StoredResults(
                        "points.jsonl",
                        "messages/s",
                        Map.of("x", List.of(1.0, 1.0), "new", List.of(2.0)),
                        Map.of("settings.duration", Set.of("PT1S"), "machine.jvm", Set.of("25")));

        // when
        var text = ResultDiff.of(a, b).text();

        // then
        assertThat(text)
                .contains("only in A: old\n", "only in B: new\n")
                .contains("warning: these settings differ", "settings.duration: PT5S / PT1S")
                .doesNotContain("machine.jvm")
                .contains("1.000 to 1.000");
    }

    @Test
    void shouldRefuseResultsWithoutACommonPoint() {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        ResultDiff.of(
                                results(Map.of("x", List.of(1.0))),
                                results(Map.of("y", List.of(1.0)))))
                .withMessageContaining("expected points that both have");
    }

    private static Map<String, List<Double>> noise(Random random) {
        var points = new LinkedHashMap<String, List<Double>>();
        for (var point = 0; point < 12; point++) {
            var speeds = new ArrayList<Double>();
            for (var repetition = 0; repetition < 3; repetition++) {
                speeds.add(100 * Math.exp(0.05 * random.nextGaussian()));
            }
            points.put("p" + point, speeds);
        }
        return points;
    }

    private static StoredResults results(Map<String, List<Double>> speeds) {
        var sorted = new LinkedHashMap<String, List<Double>>();
        speeds.keySet().stream()
                .sorted()
                .forEach(key -> sorted.put(key, speeds.getOrDefault(key, List.of())));
        return new StoredResults("points.jsonl", "messages/s", sorted, Map.of());
    }
}

package winnow.loadgen.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import winnow.loadgen.model.ServiceTimes;
import winnow.loadgen.run.Run;
import winnow.loadgen.run.RunSamples;
import winnow.loadgen.workload.Point;

class FindingTest {

    /// 1 µs and 161 filters: of 0.1 µs each or of none.
    private static final Run LINEAR = RunSamples.exactRun(new ServiceTimes(0.5e-6, 0.1e-6, 0.5e-6));

    private static final Run INDEXED =
            RunSamples.matched(RunSamples.exactRun(new ServiceTimes(0.5e-6, 0, 0.5e-6)), "indexed");

    private static String finding(Run... runs) {
        return Finding.of(List.of(runs).stream().map(RunAnalysis::of).toList()).text();
    }

    @Test
    void shouldSayWhatTheIndexBrings() {
        assertThat(finding(LINEAR, INDEXED).lines())
                .containsExactly(
                        "With 161 property filters and 1 copy of each message the index gives 17"
                                + " times the throughput per CPU: 2,000,000 instead of 117,000"
                                + " messages/s.",
                        "Nothing was lost or doubled.",
                        "All 30 points are valid.");
    }

    @Test
    void shouldNotPraiseAnIndexThatBringsNothing() {
        assertThat(finding(LINEAR, RunSamples.matched(LINEAR, "indexed")))
                .startsWith(
                        "With 161 property filters and 1 copy of each message the index does not"
                                + " raise the throughput per CPU: 117,000 instead of 117,000"
                                + " messages/s.");
    }

    @Test
    void shouldCompareOnlyPointsThatAreValidInBoth() {
        // given: none of the points with 160 further filters is valid
        var disturbed = LINEAR;
        for (var index = 0; index < LINEAR.measurements().size(); index++) {
            if (LINEAR.measurements().get(index).point().others() == 160) {
                disturbed = RunSamples.disturbed(disturbed, index, 0.9, 0.8);
            }
        }

        // then
        assertThat(finding(disturbed, INDEXED))
                .doesNotContain("161", "again")
                .contains("26 of 30 points are valid; 4 were disturbed and 0 failed");
    }

    @Test
    void shouldSayHowManyCopiesThePointsThatAreLeftHave() {
        // given: of the points with 160 further filters only those with most copies are valid
        var disturbed = LINEAR;
        var most =
                LINEAR.measurements().stream()
                        .map(one -> one.point())
                        .filter(point -> point.others() == 160)
                        .mapToInt(Point::matching)
                        .max()
                        .orElseThrow();
        for (var index = 0; index < LINEAR.measurements().size(); index++) {
            var point = LINEAR.measurements().get(index).point();
            if (point.others() == 160 && point.matching() < most) {
                disturbed = RunSamples.disturbed(disturbed, index, 0.9, 0.8);
            }
        }

        // then
        assertThat(finding(disturbed, INDEXED))
                .startsWith(
                        "With %d property filters and %d copies of each message the index gives"
                                .formatted(160 + most, most));
    }

    @Test
    void shouldConcludeNothingIfMostWasDisturbed() {
        // given
        var valid = 14;

        // then
        assertThat(finding(disturbedFrom(LINEAR, valid), disturbedFrom(INDEXED, 0)).lines())
                .containsExactly(
                        "Too disturbed to conclude anything: 14 of 30 points are valid. Run it"
                                + " again on a quiet machine.",
                        "Nothing was lost or doubled.",
                        "14 of 30 points are valid; 16 were disturbed and 0 failed, and are left"
                                + " out.");
        assertThat(finding(disturbedFrom(LINEAR, valid), disturbedFrom(INDEXED, 1)))
                .doesNotContain("Too disturbed")
                .contains("15 of 30 points are valid");
    }

    private static Run disturbedFrom(Run run, int first) {
        var disturbed = run;
        for (var index = first; index < run.measurements().size(); index++) {
            disturbed = RunSamples.disturbed(disturbed, index, 0.9, 0.8);
        }
        return disturbed;
    }

    @Test
    void shouldSayNothingOfAnIndexThatWasNotMeasured() {
        assertThat(finding(LINEAR)).startsWith("Nothing was lost or doubled.");
    }
}

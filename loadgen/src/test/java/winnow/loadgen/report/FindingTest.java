package winnow.loadgen.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import winnow.loadgen.machine.Machine;
import winnow.loadgen.model.Prediction;
import winnow.loadgen.model.ServiceTimes;
import winnow.loadgen.run.Accounting;
import winnow.loadgen.run.Latency;
import winnow.loadgen.run.Run;
import winnow.loadgen.run.RunSamples;

class FindingTest {

    /// 1 µs and 161 filters: of 0.1 µs each or of none.
    private static final Run LINEAR = RunSamples.exactRun(new ServiceTimes(0.5e-6, 0.1e-6, 0.5e-6));

    private static final Run INDEXED =
            RunSamples.matched(RunSamples.exactRun(new ServiceTimes(0.5e-6, 0, 0.5e-6)), "indexed");

    private static String finding(Run... runs) {
        return Finding.of(List.of(runs).stream().map(RunAnalysis::of).toList(), null).text();
    }

    @Test
    void shouldSayWhatTheIndexBrings() {
        assertThat(finding(LINEAR, INDEXED).lines())
                .containsExactly(
                        "With 161 property filters and 1 copy of each message the index gives 17"
                                + " times the throughput per CPU (17 to 17 with 95 % confidence):"
                                + " 2,000,000 instead of 117,000 messages/s.",
                        "Disturbances have widened the intervals by nothing; a CPU second was worth"
                                + " 0 % less in the median of the worst run than in its calmest"
                                + " tenth, which the lower ends of times allow for.",
                        "Nothing was lost or doubled.",
                        "All 30 measurements count.");
    }

    @Test
    void shouldSayThatAllWasDisturbed() {
        // given
        var run = LINEAR;
        for (var index = 0; index < LINEAR.measurements().size(); index++) {
            run = RunSamples.disturbed(run, index, 1.3, 1.3);
        }

        // then
        assertThat(finding(run)).contains("15 of 15 disturbed: other programs used the machine.");
    }

    @Test
    void shouldNotPraiseAnIndexThatBringsNothing() {
        assertThat(finding(LINEAR, RunSamples.matched(LINEAR, "indexed")))
                .startsWith(
                        "With 161 property filters and 1 copy of each message no gain by the index"
                                + " is certain: 1.0 times the throughput per CPU");
    }

    @Test
    void shouldCompareOnlyPointsThatCountInBoth() {
        // given: none of the points with 160 further filters was saturated
        var run = LINEAR;
        for (var index = 0; index < LINEAR.measurements().size(); index++) {
            if (LINEAR.measurements().get(index).point().others() == 160) {
                run = RunSamples.unsaturated(run, index);
            }
        }

        // then
        assertThat(finding(run, INDEXED))
                .doesNotContain("161")
                .contains(
                        "26 of 30 measurements count; left out: 4 not saturated or too disturbed.");
    }

    @Test
    void shouldSayHowManyCopiesThePointsThatAreLeftHave() {
        // given: of the points with 160 further filters only those with most copies count
        var run = LINEAR;
        for (var index = 0; index < LINEAR.measurements().size(); index++) {
            var point = LINEAR.measurements().get(index).point();
            if (point.others() == 160 && point.matching() < 40) {
                run = RunSamples.unsaturated(run, index);
            }
        }

        // then
        assertThat(finding(run, INDEXED))
                .startsWith(
                        "With 200 property filters and 40 copies of each message the index gives");
    }

    @Test
    void shouldConcludeHoweverDisturbedTheMachineWas() {
        // given: all but the first two points were measured beside something else
        var run = LINEAR;
        for (var index = 2; index < LINEAR.measurements().size(); index++) {
            run = RunSamples.disturbed(run, index, 1.2, 1.2);
        }

        // then
        assertThat(finding(run, INDEXED))
                .contains("the index gives 17 times")
                .containsPattern("Disturbances have widened the intervals by up to [1-9][0-9] %")
                .contains("a CPU second was worth 17 % less in the median of the worst run")
                .contains("All 30 measurements count.");
    }

    @Test
    void shouldConcludeFromTheLastRunThatIsComplete() {
        // given: another attempt, stopped after three points
        var stopped = RunSamples.stopped(LINEAR, 3);

        // when
        var finding = finding(LINEAR, INDEXED, stopped);

        // then
        assertThat(finding)
                .contains("With 161 property filters and 1 copy of each message the index gives 17")
                .contains("The run of property filters, linear was stopped after 3 of 15");
        assertThat(finding(LINEAR, INDEXED)).doesNotContain("stopped");
        assertThat(finding(stopped, INDEXED)).contains("Nothing can be said", "after 3 of 15");
    }

    @Test
    void shouldSayThatOneWayOfMatchingGaveNothing() {
        // given
        var failed = RunSamples.failed(LINEAR, "worker ended");

        // then
        assertThat(finding(failed, INDEXED))
                .startsWith(
                        "Nothing can be said of property filters: no point is known to be matched"
                                + " linearly.");
        assertThat(finding(failed, failed))
                .startsWith(
                        "Nothing can be said of property filters: no point is known to be matched"
                                + " either way.");
    }

    @Test
    void shouldKnowHowARunWasMatchedThoughOnePointDoesNotSay() {
        assertThat(finding(RunSamples.unlabelled(LINEAR, 3), INDEXED))
                .contains("the index gives 17 times");
    }

    @Test
    void shouldNotPraiseADeliveryOfWhichNothingIsKnown() {
        // given
        var failed = RunSamples.failed(LINEAR, "worker ended");

        // then
        assertThat(finding(failed))
                .contains("Nothing is known of lost or doubled copies: no point gave figures.")
                .doesNotContain("Nothing was lost");
        assertThat(finding(LINEAR, failed))
                .contains("Nothing was lost or doubled in the 15 of 30 points that gave figures.");
    }

    @Test
    void shouldSayWhatArrivedWrong() {
        // given
        var wrong = RunSamples.accounted(LINEAR, 0, new Accounting(100, 100, 0, 0, 3, 9));
        var lost = RunSamples.accounted(wrong, 1, new Accounting(100, 93, 7, 0, 0, 0));

        // then
        assertThat(finding(wrong))
                .contains(
                        "3 subscribers got other messages than were due and 9 copies came out of"
                                + " sequence.")
                .doesNotContain("Nothing was lost");
        assertThat(finding(lost)).contains("7 copies were lost, 3 subscribers got other messages");
    }

    @Test
    void shouldCountAPointOnceHoweverOftenItFailedAgain() {
        // given: one counts though another attempt failed, one was not saturated
        var again = RunSamples.failedAgain(LINEAR, 0, "worker ended");
        var unsaturated = RunSamples.failedAgain(RunSamples.unsaturated(again, 1), 1, "ended");

        // then
        assertThat(finding(again)).contains("All 15 measurements count.");
        assertThat(again.failedPoints()).isZero();
        assertThat(finding(unsaturated))
                .contains("14 of 15 measurements count; left out: 1 not saturated");
        assertThat(unsaturated.leftOut()).hasSize(1);
    }

    @Test
    void shouldRelyOnRepetitionsWhereThereIsNoModel() {
        // given: r is 1 everywhere
        var linear = scattered(RunSamples.exactRun("4.6", new ServiceTimes(1e-6, 1e-7, 1e-6)));
        var indexed = scattered(RunSamples.exactRun("4.6", new ServiceTimes(1e-6, 0, 1e-6)));

        // then
        assertThat(finding(linear, RunSamples.matched(indexed, "indexed")))
                .startsWith(
                        "With 160 property filters and 1 copy of each message the index gives 9.0"
                                + " times the throughput per CPU (8.4 to 9.7 with");
    }

    private static Run scattered(Run run) {
        return RunSamples.repeated(RunSamples.repeated(run, 2, 1.02), 3, 0.98);
    }

    @Test
    void shouldNotStateARangeThatSaysNothing() {
        // given
        var point = LINEAR.measurements().getFirst().point();
        var slow = new Prediction(1e-6, 2, 3);
        var fast = new Prediction(1e-7, 2, 3);
        var broken = new Prediction(1e-7, Double.POSITIVE_INFINITY, Double.NaN);

        // then
        assertThat(new Finding.Gain(point, slow, fast, true).sentence())
                .contains("10 times the throughput per CPU (range not determined)");
        assertThat(new Finding.Gain(point, slow, broken, true).sentence())
                .contains("no gain by the index is certain", "(range not determined)");
    }

    @Test
    void shouldNotCompareRunsThatDifferInMoreThanTheMatching() {
        // given
        var heavy = RunSamples.withBodies(INDEXED, 100_000);
        var elsewhere =
                RunSamples.on(INDEXED, new Machine("Other", 8, null, 1L << 34, "Linux", "JVM"));

        // then
        assertThat(finding(LINEAR, heavy))
                .startsWith(
                        "Nothing can be said of property filters: the runs differ in body bytes (0"
                                + " and 100000).");
        assertThat(finding(LINEAR, elsewhere))
                .startsWith("Nothing can be said of property filters: the runs differ in processor")
                .contains("processor (Processor and Other), processors (2 and 8)");
        assertThat(MatchingComparison.of(List.of(RunAnalysis.of(LINEAR), RunAnalysis.of(heavy))))
                .isEmpty();
    }

    @Test
    void shouldNotCompareTimesOfTheBrokerWithTimesOfTheClock() {
        assertThat(finding(LINEAR, RunSamples.withoutBrokerCpu(INDEXED, _ -> true)))
                .startsWith(
                        "Nothing can be said of property filters: the runs differ in broker CPU"
                                + " time (known and unknown).");
    }

    @Test
    void shouldLeaveOutPointsWithoutTheCpuTimeThatOthersHave() {
        // given
        var run = RunSamples.withoutBrokerCpu(LINEAR, index -> index == 4);

        // then
        assertThat(finding(run, INDEXED))
                .contains("17 times the throughput per CPU")
                .contains("29 of 30 measurements count; left out: 1 not saturated");
        assertThat(run.leftOut().getFirst())
                .contains("the broker's CPU time is unknown, unlike that of other points");
        assertThat(run.brokerCpuKnown()).isTrue();
    }

    @Test
    void shouldStateTheSlownessOfTheWorstRunAndNoneBelowZero() {
        // given: the calmest points were faster than the warm-up; one run was slow
        var slow = INDEXED;
        for (var index = 0; index < INDEXED.measurements().size(); index++) {
            slow = RunSamples.disturbed(slow, index, 1.25, 1.25);
        }
        var few = RunSamples.stopped(RunSamples.disturbed(LINEAR, 0, 0.7, 0.7), 1);

        // then
        assertThat(finding(LINEAR, slow)).contains("a CPU second was worth 20 % less");
        assertThat(finding(slow, LINEAR)).contains("a CPU second was worth 20 % less");
        assertThat(few.medianSlowdown()).hasValue(0);
    }

    @Test
    void shouldCountOneMeasurementThatWasMadeAgain() {
        // given: the first point was disturbed, and measured again
        var again = new ArrayList<>(RunSamples.disturbed(LINEAR, 0, 1.5, 1.5).measurements());
        again.add(LINEAR.measurements().getFirst());

        // then
        assertThat(finding(new Run(LINEAR.header(), again)))
                .contains("All 15 measurements count; 1 was disturbed and made again.");
    }

    @Test
    void shouldSayNothingOfAnIndexThatWasNotMeasured() {
        assertThat(finding(LINEAR)).doesNotContain("the index").contains("Nothing was lost");
    }

    @Test
    void shouldStateALatencyAndWhoHadAPartInIt() {
        // given
        var point = LINEAR.measurements().getFirst().point();
        var quiet = new LightLoad(point, new Latency(1_000, 3_000, 60, 3_600, 0, 0, 0.3));
        var beside = new LightLoad(point, new Latency(1_000, 3_000, 120, 29_600, 0, 0, 0.97));

        // then
        assertThat(Finding.of(List.of(RunAnalysis.of(LINEAR)), quiet).text())
                .contains(
                        "At 1,000 messages/s with 0 property filters half of the messages arrive"
                                + " within 60.0 µs, 99 % within 3.60 ms.");
        assertThat(beside.sentence())
                .endsWith("99 % within 29.6 ms while the processors were 97 % busy.");
    }
}

package winnow.loadgen.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import winnow.loadgen.machine.Machine;
import winnow.loadgen.model.ServiceTimes;
import winnow.loadgen.workload.Point;

class MeasurementTest {

    private static final ServiceTimes TIMES = new ServiceTimes(1e-6, 0.1e-6, 0.5e-6);

    private static final Machine TWO_OF_EIGHT =
            new Machine("Processor", 2, 8, 1L << 34, "Linux", "JVM 25");

    @Test
    void shouldTakeTheServiceTimeFromTheBrokersCpuTime() {
        // given
        var measurement = at(40, 160);

        // when
        var seconds = measurement.serviceSeconds();

        // then: 1 + 200 * 0.1 + 40 * 0.5 microseconds
        assertThat(seconds).isCloseTo(41e-6, within(1e-12));
        assertThat(measurement.brokerMicrosPerReceived().orElseThrow()).isCloseTo(41, within(1e-9));
        assertThat(measurement.brokerMicrosPerMessage().orElseThrow()).isCloseTo(1, within(1e-9));
    }

    @Test
    void shouldCountReceivedAndDispatchedMessages() {
        // given
        var measurement = at(10, 160);

        // when
        var overall = measurement.overallPerSecond();

        // then
        assertThat(measurement.receivedPerSecond()).isEqualTo(50_000);
        assertThat(measurement.dispatchedPerSecond()).isEqualTo(500_000);
        assertThat(overall).isEqualTo(550_000);
        assertThat(measurement.clientMicrosPerMessage()).isCloseTo(0.4545, within(1e-4));
    }

    @Test
    void shouldFallBackToTheMeasuredThroughputWithoutBrokerCpuTime() {
        // given
        var measurement = RunSamples.withoutBrokerCpu();

        // when
        var seconds = measurement.serviceSeconds();

        // then: (1 + 1) / 100,000 per second
        assertThat(measurement.brokerMicrosPerMessage()).isEmpty();
        assertThat(seconds).isCloseTo(20e-6, within(1e-12));
    }

    @Test
    void shouldDoubtABrokerThatDoesNothing() {
        // given: the CPU time of another process than the broker's
        var idle = RunSamples.withBrokerCpu(0);

        // then
        assertThat(idle.problems()).hasSize(1).first().asString().contains("--broker-pid");
        assertThat(RunSamples.withBrokerCpu(0.1).problems()).isEmpty();
    }

    @Test
    void shouldRepeatAPointInWhichNothingCouldBeSent() {
        // given
        var starved = RunSamples.withoutMessages();
        var run = new Run(RunSamples.exactRun(TIMES).header(), List.of(starved));

        // then
        assertThat(run.verdict(starved).status()).isEqualTo(Verdict.Status.INVALID);
        assertThat(run.verdict(starved).reason()).contains("no message was sent");
        assertThat(run.failedPoints()).isZero();
        assertThat(run.repeatable()).containsExactly(starved);
    }

    @Test
    void shouldNotUsePointsWithoutAServiceTime() {
        // given: an interval of no length, and a CPU time that is no number
        var run = RunSamples.exactRun(TIMES);
        var instant = RunSamples.lasting(RunSamples.withoutBrokerCpu(), 0);
        var unknown = RunSamples.withBrokerCpu(Double.NaN);

        // then
        assertThat(run.verdict(instant).reason())
                .contains("no service time follows from its figures");
        assertThat(unknown.brokerCpuSeconds()).isNull();
    }

    @Test
    void shouldTakeSharesOfAllProcessors() {
        // given: 4.1 s of broker CPU time and 0.5 s of client CPU time in 2 s on 2 processors
        var run = RunSamples.exactRun(TIMES);

        // when
        var validity = run.validity(at(40, 160));

        // then
        assertThat(validity.brokerShare()).isCloseTo(1.025, within(1e-9));
        assertThat(validity.clientShare()).isEqualTo(0.125);
        assertThat(validity.compilerShare()).isEqualTo(0.1);
        assertThat(validity.othersShare()).isCloseTo(0.01, within(1e-9));
        assertThat(validity.broken()).isEmpty();
        assertThat(validity.notes()).isEmpty();
    }

    @Test
    void shouldTakeAllSharesOfTheHostsProcessors() {
        // given: 2 of 8 processors, as of a container; half of the 8 are in use, 5 s of 16 by us
        var run = RunSamples.on(RunSamples.exactRun(TIMES), TWO_OF_EIGHT);
        var conditions = new Conditions(0.5, 0, 0.2, null, null, 0.99, 0.5);

        // when
        var validity = run.validity(RunSamples.under(at(40, 160), conditions));

        // then
        assertThat(validity.brokerShare()).isCloseTo(4.1 / 16, within(1e-9));
        assertThat(validity.clientShare()).isCloseTo(0.5 / 16, within(1e-9));
        assertThat(validity.compilerShare()).isCloseTo(0.4 / 16, within(1e-9));
        assertThat(validity.othersShare()).isCloseTo(0.5 - 5.0 / 16, within(1e-9));
    }

    @Test
    void shouldCallOurProcessorsFullThoughTheHostHasMore() {
        // given: 5 s of CPU time in 2 s of 2 processors, and nobody else on the other 6
        var conditions = new Conditions(0.3, 0, 0.2, null, null, 0.7, 0.7);
        var point = RunSamples.under(at(40, 160), conditions);
        var idle = RunSamples.under(at(0, 0), conditions);
        var all = RunSamples.exactRun(TIMES);
        var some = RunSamples.on(all, TWO_OF_EIGHT);

        // then
        assertThat(some.validity(point).limit()).isEqualTo(Limit.PROCESSORS);
        assertThat(some.validity(idle).limit()).isEqualTo(Limit.NOTHING);
        assertThat(all.validity(point).limit()).isEqualTo(Limit.NOTHING);
    }

    @Test
    void shouldCountAPointOnlyIfSomethingWasAtItsLimit() {
        // given: shares of machine, stolen, memory; calibrations; busiest threads
        var broker = new Conditions(0.8, 0, 0.2, null, null, 0.96, 0.5);
        var client = new Conditions(0.8, 0, 0.2, null, null, 0.5, 0.96);
        var processors = new Conditions(0.94, 0.02, 0.2, null, null, 0.65, 0.5);
        var idle = new Conditions(1, 0, 0.2, null, null, 0.5, 0.5);
        var nothing = new Conditions(0.8, 0, 0.2, null, null, 0.8, 0.8);

        // then
        assertThat(verdict(broker).isValid()).isTrue();
        assertThat(verdict(broker).notes()).noneMatch(note -> note.contains("limit"));
        assertThat(verdict(client).notes()).contains("the load was at its limit, not the broker");
        assertThat(verdict(processors).notes()).contains("all processors were in use");
        assertThat(verdict(idle).isValid()).isFalse();
        assertThat(verdict(nothing).reason())
                .isEqualTo(
                        "not saturated: expected a busy broker, load or machine, found that they"
                                + " waited for each other");
    }

    @Test
    void shouldNotTakeUnknownProcessorsForFreeOnes() {
        // given: threads that are busy enough only where all processors are full
        var waiting = new Conditions(Double.NaN, Double.NaN, 0.2, null, null, 0.8, 0.8);
        var idle = new Conditions(Double.NaN, Double.NaN, 0.2, null, null, 0.5, 0.5);

        // then
        assertThat(Limit.of(waiting, true, 0)).isEqualTo(Limit.UNKNOWN);
        assertThat(Limit.of(idle, true, 0)).isEqualTo(Limit.NOTHING);
        assertThat(verdict(waiting).isValid()).isTrue();
        assertThat(verdict(waiting).notes()).contains("nobody knows if the broker was saturated");
    }

    @Test
    void shouldWeighAPointByWhatACpuSecondWasWorth() {
        // given: the reference work takes 7,000 us on the quiet machine
        var quiet = new Conditions(1, 0, 0.2, 7_000.0, 7_000.0, 0.99, 0.5);
        var slow = new Conditions(1, 0, 0.2, 8_400.0, 8_400.0, 0.99, 0.5);
        var worse = new Conditions(1, 0, 0.2, 10_000.0, 9_800.0, 0.99, 0.5);
        var unsteady = new Conditions(1, 0, 0.2, 7_000.0, 14_100.0, 0.99, 0.5);

        // then
        assertThat(Disturbance.of(quiet, null).weight()).isEqualTo(1);
        assertThat(Disturbance.of(quiet, 7_000.0).weight()).isEqualTo(1);
        assertThat(Disturbance.of(slow, 7_000.0).weight()).isCloseTo(0.5, within(1e-9));
        assertThat(verdict(slow).isValid()).isTrue();
        assertThat(verdict(worse).isValid()).isTrue();
        assertThat(verdict(worse).notes())
                .anyMatch(note -> note.startsWith("a CPU second was worth 29 % less"));
        assertThat(verdict(unsteady).reason())
                .isEqualTo(
                        "the worth of a CPU second changed by a factor of 2.0, expected at most 2");
    }

    @Test
    void shouldTakeACalibrationOfNoTimeForNone() {
        // given: a clock that is too coarse, or stands still
        var none = new Conditions(1, 0, 0.2, 0.0, 0.0, 0.99, 0.5);
        var half = new Conditions(1, 0, 0.2, 7_000.0, 0.0, 0.99, 0.5);
        var unknown = new Conditions(1, 0, 0.2, Double.NaN, 7_000.0, 0.99, 0.5);

        // then
        for (var conditions : List.of(none, half, unknown)) {
            assertThat(Disturbance.of(conditions, 7_000.0).weight()).isEqualTo(1);
            assertThat(verdict(conditions).isValid()).isTrue();
        }
    }

    @Test
    void shouldLetEveryPointHaveAWeight() {
        // given
        var slowest = new Conditions(1, 0, 0.2, 1e300, 1e300, 0.99, 0.5);

        // then
        assertThat(Disturbance.of(slowest, 1e-9).weight()).isPositive();
    }

    @Test
    void shouldLeaveNoPointOutBecauseOthersUseTheMachine() {
        // given: full processors, a full memory, others with 80 % of the processors
        var conditions = new Conditions(1, 0, 0.9, 7_000.0, 7_000.0, 0.99, 0.5);

        // when
        var verdict = verdict(conditions);

        // then
        assertThat(verdict.isValid()).isTrue();
        assertThat(verdict.notes())
                .anyMatch(note -> note.startsWith("others used the processors"))
                .contains("memory in use 90 %");
    }

    @Test
    void shouldNoteMachinesOfTheLoadThatWereBusierThanThePaperAllows() {
        // given
        var run = RunSamples.onWorkers(RunSamples.exactRun(TIMES));
        var point = run.measurements().getFirst();

        // when
        var verdict = run.verdict(point);

        // then
        assertThat(verdict.isValid()).isTrue();
        assertThat(verdict.notes())
                .contains(
                        "10.0.0.2:7621: processors in use 80 %",
                        "10.0.0.2:7621: memory in use 90 %")
                .noneMatch(note -> note.startsWith("10.0.0.3"));
        assertThat(run.validity(point).clientShare()).isEqualTo(0.7);
    }

    @Test
    void shouldOnlyCountTheLoadOnTheBrokersMachine() {
        // given: the worker elsewhere is busier
        var run = RunSamples.onWorkers(RunSamples.exactRun(TIMES), true);

        // when
        var validity = run.validity(run.measurements().getFirst());

        // then
        assertThat(validity.clientShare()).isEqualTo(0.3);
        assertThat(validity.machineShare()).isEqualTo(0.4);
        assertThat(validity.memoryShare()).isEqualTo(0.2);
    }

    @Test
    void shouldNotEnforceWhatIsNotKnown() {
        assertThat(verdict(Conditions.UNKNOWN).isValid()).isTrue();
        assertThat(verdict(Conditions.UNKNOWN).notes())
                .containsExactly("nobody knows if the broker was saturated");
    }

    @Test
    void shouldReplaceADisturbedMeasurementByACalmerOne() {
        // given: the first point was disturbed, and measured again
        var run = RunSamples.exactRun(TIMES);
        var disturbed = RunSamples.disturbed(run, 0, 1.5, 1.5);
        var first = disturbed.measurements().getFirst();
        var again = disturbed.with(run.measurements().getFirst());
        var worse = again.with(RunSamples.disturbed(run, 0, 1.9, 1.9).measurements().getFirst());

        // then
        assertThat(disturbed.repeatable()).containsExactly(first);
        assertThat(again.repeatable()).isEmpty();
        assertThat(again.slots()).isEqualTo(run.points());
        assertThat(again.replaced()).containsExactly(first);
        assertThat(again.valid()).doesNotContain(first).hasSize(run.points());
        assertThat(worse.valid()).containsExactlyElementsOf(again.valid());
    }

    private static Verdict verdict(Conditions conditions) {
        var run = RunSamples.exactRun(TIMES);
        return run.verdict(RunSamples.under(run.measurements().getFirst(), conditions));
    }

    private static Measurement at(int matching, int others) {
        return RunSamples.exactRun(TIMES).measurements().stream()
                .filter(measurement -> is(measurement.point(), matching, others))
                .findFirst()
                .orElseThrow();
    }

    private static boolean is(Point point, int matching, int others) {
        return point.matching() == matching && point.others() == others;
    }
}

package winnow.loadgen.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import winnow.loadgen.model.ServiceTimes;
import winnow.loadgen.workload.Point;

class MeasurementTest {

    private static final ServiceTimes TIMES = new ServiceTimes(1e-6, 0.1e-6, 0.5e-6);

    @Test
    void shouldTakeTheServiceTimeFromTheBrokersCpuTime() {
        // given
        var measurement = at(40, 160);

        // when
        var observation = measurement.observation();

        // then: 1 + 200 * 0.1 + 40 * 0.5 microseconds
        assertThat(observation.installedFilters()).isEqualTo(200);
        assertThat(observation.replicationGrade()).isEqualTo(40);
        assertThat(observation.serviceSeconds()).isCloseTo(41e-6, within(1e-12));
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
        var observation = measurement.observation();

        // then: (1 + 1) / 100,000 per second
        assertThat(measurement.brokerMicrosPerMessage()).isEmpty();
        assertThat(observation.serviceSeconds()).isCloseTo(20e-6, within(1e-12));
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
    void shouldEnforceWhatThePaperDemandsOfASharedMachine() {
        // given
        var broken = new Validity(true, 0.1, 0.05, 0.3, 0.75, 0.01, 0.76);
        var kept = new Validity(true, 0.1, 0.05, 0.76, 1, 0.0, 0.75);

        // then: 0.75 + 0.01 - 0.1 - 0.05 - 0.3 = 0.31 for others
        assertThat(broken.broken())
                .containsExactly(
                        "memory in use 76 %, expected at most 75 %",
                        "others than broker and load used the processors 31 %, expected at most"
                                + " 25 %");
        assertThat(kept.broken()).isEmpty();
        assertThat(kept.notes())
                .containsExactly(
                        "broker at 10 %, the paper demands 98 %",
                        "load at 76 %, the paper allows 75 %");
    }

    @Test
    void shouldEnforceWhatThePaperDemandsOfTheLoadsOwnMachine() {
        // given
        var unknown = Double.NaN;
        var broken = new Validity(false, unknown, unknown, 0.3, 0.76, 0, 0.2);
        var kept = new Validity(false, unknown, unknown, 0.7, 0.75, 0, 0.2);

        // then
        assertThat(broken.broken())
                .containsExactly("the machine of the load was in use 76 %, expected at most 75 %");
        assertThat(kept.broken()).isEmpty();
        assertThat(kept.notes()).containsExactly("the broker's CPU load is not known");
    }

    @Test
    void shouldNotEnforceWhatIsNotKnown() {
        // given: another system than Linux
        var unknown = Double.NaN;

        // then
        assertThat(new Validity(true, 0.4, 0.1, 0.3, unknown, unknown, unknown).broken()).isEmpty();
        assertThat(new Validity(false, unknown, unknown, 0.3, unknown, unknown, unknown).broken())
                .isEmpty();
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

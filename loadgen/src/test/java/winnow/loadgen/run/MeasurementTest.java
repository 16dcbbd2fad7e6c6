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
    void shouldApplyThePapersRules() {
        // given: 4.1 s of broker CPU time and 0.5 s of client CPU time in 2 s on 2 processors
        var measurement = at(40, 160);

        // when
        var validity = Validity.of(measurement, 2);

        // then
        assertThat(validity.brokerSaturated()).isTrue();
        assertThat(validity.clientSaturated()).isFalse();
        assertThat(validity.machineSaturated()).isTrue();
        assertThat(validity.memorySaturated()).isFalse();
        assertThat(validity.clientShare()).isEqualTo(0.125);
        assertThat(validity.compilerShare()).isEqualTo(0.1);
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

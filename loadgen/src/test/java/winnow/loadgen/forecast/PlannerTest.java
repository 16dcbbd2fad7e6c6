package winnow.loadgen.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import winnow.loadgen.forecast.CapacityPlan.Cluster;
import winnow.loadgen.forecast.CapacityPlan.Limit;
import winnow.loadgen.model.ServiceTimes;

class PlannerTest {

    private static final Costs LINEAR = Costs.PAPER_CORRELATION;
    private static final Costs INDEX =
            Costs.ofSingleServer("index", "a test", new ServiceTimes(3e-6, 0, 1.7e-5));

    private static final Load LOAD = load(1_000, 5);

    @Test
    void shouldTakeWhatItsUtilizationAllows() {
        // when
        var plan = Planner.plan(LINEAR, LOAD, targets(null, null), null);

        // then: lambda = rho / (t_rcv + n t_fltr + E[R] t_tx)
        assertThat(plan.model()).isEqualTo(QueueModel.SINGLE);
        assertThat(plan.broker().perSecond()).isCloseTo(126.66, within(0.01));
        assertThat(plan.broker().limit()).isEqualTo(Limit.UTILIZATION);
        assertThat(plan.clusters()).isEmpty();
    }

    /// `k u / (k_s t_rcv + n t_fltr + E[R] t_tx)` for k = 8, calculated by another program.
    @Test
    void shouldSpreadPublishersOrSubscribers() {
        assertThat(clusters(LINEAR, 1_013)).extracting(Cluster::brokers).containsExactly(8, 9);
        assertThat(clusters(LINEAR, 1_012)).extracting(Cluster::brokers).containsExactly(8, 8);
        assertThat(clusters(INDEX, 81_818)).first().extracting(Cluster::brokers).isEqualTo(8);
        assertThat(clusters(INDEX, 81_819)).first().extracting(Cluster::brokers).isEqualTo(9);
        assertThat(ofSubscribers(INDEX, 66_055).brokers()).isEqualTo(8);
        assertThat(ofSubscribers(INDEX, 66_056).brokers()).isEqualTo(9);
    }

    @Test
    void shouldNotSpreadSubscribersWhereReceivingAloneIsTooMuch() {
        // when: rho / t_rcv = 300,000/s
        var clusters = clusters(INDEX, 300_001);

        // then
        assertThat(clusters).isNotEmpty().allMatch(cluster -> cluster.publisherShares() > 1);
    }

    @Test
    void shouldNeedOneBrokerForALightLoad() {
        assertThat(clusters(LINEAR, 10))
                .singleElement()
                .extracting(Cluster::brokers, cluster -> cluster.broker().perSecond())
                .containsExactly(1, 10.0);
    }

    @Test
    void shouldKeepTheWaitingTime() {
        // when
        var plan = Planner.plan(LINEAR, LOAD, targets(20e-3, 1_000.0), null);

        // then
        assertThat(plan.broker().limit()).isEqualTo(Limit.WAITING);
        assertThat(Objects.requireNonNull(plan.broker().forecast()).p99Seconds())
                .isBetween(19.9e-3, 20e-3);
        assertThat(plan.clusters())
                .isNotEmpty()
                .allMatch(cluster -> cluster.broker().p99Seconds() <= 20e-3);
        // Each broker of SSR serves a message in a fraction of the time.
        assertThat(plan.clusters().getLast().brokers())
                .isLessThan(plan.clusters().getFirst().brokers());
    }

    @Test
    void shouldSayThatAWaitingTimeIsOutOfReach() {
        // when: an iteration and a wake-up take 23 µs
        var plan = Planner.plan(Costs.WINNOW_INDEXED, LOAD, targets(20e-6, 1_000.0), null);

        // then
        assertThat(plan.model()).isEqualTo(QueueModel.BATCH);
        assertThat(plan.broker().perSecond()).isZero();
        assertThat(plan.broker().forecast()).isNull();
        assertThat(plan.clusters()).isEmpty();
    }

    @Test
    void shouldTakeBatchesWhereAnIterationTakesLongerThanAMessage() {
        // then: 11.7 µs an iteration; 5,000 selectors take 10 µs, 10,000 take 20
        assertThat(model(Costs.WINNOW_LINEAR, 5_000)).isEqualTo(QueueModel.BATCH);
        assertThat(model(Costs.WINNOW_LINEAR, 10_000)).isEqualTo(QueueModel.SINGLE);
        assertThat(model(Costs.WINNOW_INDEXED, 10_000)).isEqualTo(QueueModel.BATCH);
    }

    private static QueueModel model(Costs costs, int selectors) {
        return Planner.plan(costs, load(selectors, 1), targets(null, null), null).model();
    }

    @Test
    void shouldNotTakeABusyLoopForALoadedOne() {
        // when
        var plan = Planner.plan(Costs.WINNOW_INDEXED, load(0, 1), targets(null, 100_000.0), null);

        // then
        var forecast = Objects.requireNonNull(plan.atRate());
        assertThat(forecast.busy()).isGreaterThan(0.8);
        assertThat(forecast.load()).isLessThan(0.03);
    }

    @Test
    void shouldBeHeldByTheNetworkWhereBodiesAreLarge() {
        // given: 1,154 bytes of 3 copies through 1 Gbit/s
        var load = new Load(0, new ReplicationGrade.Constant(3), 1_024, 1);

        // when
        var plan =
                Planner.plan(
                        Costs.WINNOW_INDEXED, load, new Targets(0.9, null, null, 1, 1e9), null);

        // then
        assertThat(plan.broker().limit()).isEqualTo(Limit.NETWORK);
        assertThat(plan.broker().perSecond()).isCloseTo(1e9 / 8 / 1_154 / 3, within(1e-6));
    }

    @Test
    void shouldServeWithAllLoops() {
        // when
        var one = Planner.plan(LINEAR, LOAD, targets(null, null), null);
        var four =
                Planner.plan(
                        LINEAR,
                        LOAD,
                        new Targets(0.9, null, null, 4, Double.POSITIVE_INFINITY),
                        null);

        // then: four times the rate, and each message waits for one loop
        assertThat(four.broker().perSecond()).isCloseTo(4 * one.broker().perSecond(), within(1e-6));
        assertThat(Objects.requireNonNull(four.broker().forecast()).p99Seconds())
                .isCloseTo(
                        Objects.requireNonNull(one.broker().forecast()).p99Seconds(), within(1e-9));
    }

    @Test
    void shouldRefuseBatchesOfABrokerWhoseIterationsAreUnknown() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Planner.plan(LINEAR, LOAD, targets(null, null), QueueModel.BATCH))
                .withMessage(
                        "expected the time of an iteration for batches, found none in"
                                + " paper-correlation");
    }

    private static List<Cluster> clusters(Costs costs, double rate) {
        return Planner.plan(costs, LOAD, targets(null, rate), null).clusters();
    }

    private static Cluster ofSubscribers(Costs costs, double rate) {
        return clusters(costs, rate).stream()
                .filter(cluster -> cluster.publisherShares() == 1)
                .findFirst()
                .orElseThrow();
    }

    private static Load load(int selectors, double copies) {
        return new Load(selectors, new ReplicationGrade.Constant(copies), 0, 1);
    }

    private static Targets targets(@Nullable Double p99Seconds, @Nullable Double rate) {
        return new Targets(0.9, p99Seconds, rate, 1, Double.POSITIVE_INFINITY);
    }
}

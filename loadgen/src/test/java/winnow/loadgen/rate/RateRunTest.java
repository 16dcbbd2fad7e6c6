package winnow.loadgen.rate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.Locale;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import winnow.loadgen.fake.FakeConnectionFactory;
import winnow.loadgen.fake.Fault;
import winnow.loadgen.run.LoadException;
import winnow.loadgen.worker.Provider;

class RateRunTest {

    private static final Duration WARMUP = Duration.ofMillis(100);
    private static final Duration DURATION = Duration.ofMillis(900);
    private static final Duration PATIENCE = Duration.ofMillis(100);

    private int subscribers = 1;
    private SideLoads beside = SideLoads.NONE;

    @ParameterizedTest
    @MethodSource("spacings")
    void shouldTimeEachMessageAfterTheWarmUp(Spacing spacing) throws Exception {
        // given
        subscribers = 2;

        // when
        var result = at(1_000, spacing, Fault.NONE);

        // then
        if (spacing.equals(Spacing.CONSTANT)) {
            assertThat(result.due()).isEqualTo(900);
            assertThat(result.sent()).isEqualTo(1_000);
        }
        assertThat(result.received()).isEqualTo(2 * result.sent());
        assertThat(result.latency().count()).isEqualTo(2 * result.due());
        assertThat(result.sending().count()).isEqualTo(result.due());
        assertThat(result.lag().count()).isEqualTo(result.due());
        assertThat(result.missing()).isZero();
        assertThat(result.outOfSequence()).isZero();
    }

    @Test
    void shouldCountTheWaitOfMessagesBehindOneThatIsLate() throws Exception {
        // when the 50th message, which comes while it warms up, takes 400 ms
        var result = at(1_000, Spacing.CONSTANT, Fault.STALL);

        // then those that were due meanwhile are late, and nobody else's schedule is
        assertThat(result.latency().maxMicros()).isBetween(250_000.0, 600_000.0);
        assertThat(result.latency().p90Micros()).isGreaterThan(150_000);
        assertThat(result.sent()).isEqualTo(1_000);
        assertThat(result.lag().p99Micros()).isLessThan(result.latency().p90Micros());
    }

    @ParameterizedTest
    @ValueSource(strings = {"LOSE", "DOUBLE", "REORDER"})
    void shouldSayWhatCameWrong(Fault fault) throws Exception {
        // when
        var result = at(1_000, Spacing.CONSTANT, fault);

        // then
        switch (fault) {
            case LOSE -> {
                assertThat(result.missing()).isEqualTo(20);
                assertThat(result.keptUp()).isFalse();
            }
            case DOUBLE -> assertThat(result.outOfSequence()).isEqualTo(20);
            default -> assertThat(result.outOfSequence()).isEqualTo(1);
        }
    }

    @Test
    void shouldNotTakeADoubledMessageForALostOne() throws Exception {
        // when: the first one is lost, and the 5,000th comes twice
        var result = at(6_000, Spacing.CONSTANT, Fault.MISTAKE);

        // then
        assertThat(result.received()).isEqualTo(result.sent());
        assertThat(result.missing()).isEqualTo(1);
        assertThat(result.outOfSequence()).isEqualTo(1);
    }

    @Test
    void shouldGoOnAfterARefusedMessage() throws Exception {
        // when
        var result = at(1_000, Spacing.CONSTANT, Fault.FAIL);

        // then
        assertThat(result.refused()).isEqualTo(1);
        assertThat(result.refusal()).contains("out of order");
        assertThat(result.sent()).isEqualTo(999);
        assertThat(result.missing()).isZero();
        assertThat(result.keptUp()).isFalse();
    }

    @Test
    void shouldEndWithABrokenConnection() {
        assertThatExceptionOfType(LoadException.class)
                .isThrownBy(() -> at(1_000, Spacing.CONSTANT, Fault.BREAK))
                .withMessageContaining("publisher 0: ")
                .withMessageContaining("went away");
    }

    @Test
    void shouldFailWithoutABroker() {
        assertThatExceptionOfType(LoadException.class)
                .isThrownBy(() -> at(1_000, Spacing.CONSTANT, Fault.REFUSE))
                .withMessageContaining("cannot send to the topic ")
                .withMessageContaining("refuses");
    }

    @Test
    void shouldSendAsFastAsMessagesAreTaken() throws Exception {
        // when
        var result = RateRun.saturated(load(Spacing.CONSTANT), provider(Fault.NONE), quiet());

        // then
        assertThat(result.sentPerSecond()).isGreaterThan(1_000);
        assertThat(result.missing()).isZero();
        assertThat(result.voidReason()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY})
    void shouldRefuseRatesThatAreNone(double rate) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> at(rate, Spacing.CONSTANT, Fault.NONE));
    }

    @Test
    void shouldSayHowMuchOfADisturbanceThereWas() throws Exception {
        // given
        beside = new SideLoads(100, 200, 0);

        // when
        var result = at(1_000, Spacing.CONSTANT, Fault.NONE);

        // then
        assertThat(result.missing()).isZero();
        assertThat(result.received()).isEqualTo(1_000);
        assertThat(result.beside())
                .extracting(SideFigures::kind)
                .containsExactly(SideFigures.Kind.STORM, SideFigures.Kind.CHURN);
        assertThat(result.beside())
                .allSatisfy(side -> {
                    assertThat(side.achieved()).isBetween(0.5 * side.wanted(), 1.1 * side.wanted());
                    assertThat(side.failed()).isZero();
                    assertThat(side.failure()).isEmpty();
                });
    }

    @Test
    void shouldCountWhatFailsOfADisturbance() throws Exception {
        // given a broker that refuses the connections beside the load
        beside = new SideLoads(100, 0, 0);

        // when
        var result = at(1_000, Spacing.CONSTANT, Fault.CROWDED);

        // then
        var storm = result.beside().getFirst();
        assertThat(result.missing()).isZero();
        assertThat(storm.achieved()).isZero();
        assertThat(storm.failed()).isBetween(45L, 95L);
        assertThat(storm.failure()).contains("is full");
    }

    /// A publisher of the fake broker delivers itself: it hangs with the consumer.
    @Test
    void shouldLetConsumersGoOnThatHungWhileMessagesWereDue() throws Exception {
        // given
        beside = new SideLoads(0, 0, 1);

        // when
        var result = at(1_000, Spacing.CONSTANT, Fault.NONE);

        // then
        assertThat(result.beside())
                .containsExactly(new SideFigures(SideFigures.Kind.STALLED, 1, 1, 0, ""));
        assertThat(result.sentInTime()).isZero();
        assertThat(result.missing()).isZero();
        assertThat(result.latency().maxMicros()).isGreaterThan(800_000);
    }

    @Test
    void shouldBoundDisturbances() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new SideLoads(1_001, 0, 0))
                .withMessageContaining("up to 1,000 connections")
                .withMessageContaining("found 1001");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new SideLoads(0, Double.NaN, 0))
                .withMessageContaining("selectors");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new SideLoads(0, 0, 1_001))
                .withMessageContaining("1 to 1,000 stalled consumers");
    }

    private static Stream<Spacing> spacings() {
        return Stream.of(Spacing.CONSTANT, Spacing.POISSON, Spacing.of("clumped:5"));
    }

    private RateResult at(double rate, Spacing spacing, Fault fault)
            throws LoadException, InterruptedException {
        return RateRun.at(rate, load(spacing), provider(fault), quiet(), PATIENCE);
    }

    private static RateListener quiet() {
        return RateListener.warningsTo(_ -> {});
    }

    private RateLoad load(Spacing spacing) {
        return new RateLoad(
                new Target(Target.Kind.TOPIC, UUID.randomUUID().toString()),
                1,
                subscribers,
                false,
                false,
                0,
                RateLoad.MIN_BODY_BYTES,
                Duration.ZERO,
                spacing,
                WARMUP,
                DURATION,
                1,
                beside);
    }

    private static Provider provider(Fault fault) {
        return new Provider(
                FakeConnectionFactory.class.getName(),
                "fake:" + fault.name().toLowerCase(Locale.ROOT),
                "",
                "");
    }
}

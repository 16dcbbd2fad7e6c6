package winnow.tests.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Every [Attack] against one broker with a small heap: a pair of clients beside it loses nothing
/// and hardly waits, health answers, and afterwards everything is given back.
///
/// `-Dwinnow.hostile.rounds=N` repeats each attack, and `-Dwinnow.hostile.delay-millis=N` sets the
/// longest delay that passes.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HostileTest {
    /// A loop that is held for seconds must not pass; a machine that is shared with others may.
    private static final long MAX_DELAY_MILLIS = Long.getLong("winnow.hostile.delay-millis", 3_000);

    private static final int ROUNDS = Integer.getInteger("winnow.hostile.rounds", 1);
    private static final int GIVE_BACK_SECONDS = 20;

    /// Metrics of what the broker holds for its clients.
    private static final Set<String> HELD =
            Set.of(
                    "winnow_connections_open",
                    "winnow_subscriptions",
                    "winnow_topics",
                    "winnow_backlog_bytes",
                    "winnow_frames_partial_bytes");

    @TempDir private static Path directory = Path.of("");

    private @Nullable Stage stage;
    private int stages;

    /// A broker with its witness.
    ///
    /// @param before what the broker held before the first attack
    private record Stage(SmallBroker broker, Witness witness, Map<String, Double> before) {
        static Stage open(Path log) throws Exception {
            SmallBroker broker = new SmallBroker(log, Map.of());
            Witness witness = new Witness(broker.url());
            TimeUnit.SECONDS.sleep(1);
            witness.check();
            System.out.println("quiet: longest delay " + witness.takeLongestMillis() + " ms");
            return new Stage(broker, witness, held(broker));
        }

        static Map<String, Double> held(SmallBroker broker) throws Exception {
            Map<String, Double> values = new HashMap<>(broker.metrics());
            values.keySet().retainAll(HELD);
            assertThat(values).containsOnlyKeys(HELD);
            return values;
        }

        /// Ends both, whatever their state.
        void abandon() {
            witness.abandon();
            broker.close();
        }
    }

    @ParameterizedTest
    @EnumSource(Attack.class)
    void shouldNotHarmOthers(Attack attack) throws Exception {
        // given the broker of the attacks before, if they did no harm
        Stage current = stage;
        if (current == null) {
            current = Stage.open(directory.resolve("broker" + ++stages + ".log"));
        }
        stage = null;
        try {
            for (int round = 0; round < ROUNDS; round++) {
                attack(attack, current);
            }
        } catch (Exception | AssertionError harm) {
            System.out.println(attack + " did harm: " + current.broker().errors());
            current.abandon();
            throw harm;
        }
        stage = current;
    }

    private static void attack(Attack attack, Stage stage) throws Exception {
        // when
        SmallBroker broker = stage.broker();
        long start = System.nanoTime();
        try (Intruders intruders = new Intruders(broker)) {
            attack.run(intruders);
            assertThat(broker.isAlive()).as("the broker is alive").isTrue();
            assertThat(broker.status("/health/live")).isEqualTo(200);
            assertThat(intruders.connected()).as("connections").isPositive();
            report(attack, intruders, start);
        }

        // then
        awaitGivenBack(stage);
        stage.witness().check();
        long delayMillis = stage.witness().takeLongestMillis();
        System.out.println(attack + ": longest delay " + delayMillis + " ms");
        assertThat(delayMillis).as("longest delay of the witness").isLessThan(MAX_DELAY_MILLIS);
    }

    private static void report(Attack attack, Intruders intruders, long start) {
        System.out.printf(
                "%s: %d connections (%d stopped by the broker), %d requests accepted, %d refused,"
                        + " %d ms%n",
                attack,
                intruders.connected(),
                intruders.stopped(),
                intruders.accepted(),
                intruders.refused(),
                TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
    }

    private static void awaitGivenBack(Stage stage) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(GIVE_BACK_SECONDS);
        Map<String, Double> held = Stage.held(stage.broker());
        while (!held.equals(stage.before()) && System.nanoTime() < end) {
            Thread.sleep(50);
            held = Stage.held(stage.broker());
        }
        assertThat(held).as("what the broker holds after the attack").isEqualTo(stage.before());
    }

    @AfterAll
    void stop() throws Exception {
        Stage last = stage;
        if (last == null) {
            return;
        }
        last.witness().close();
        try (SmallBroker broker = last.broker()) {
            assertThat(broker.stop()).as("exit code after SIGTERM").isZero();
            assertThat(broker.errors()).doesNotContain("OutOfMemoryError");
        }
    }
}

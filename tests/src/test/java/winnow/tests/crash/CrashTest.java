package winnow.tests.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Nothing that was acknowledged is lost, whatever becomes of the broker's process.
///
/// `-Dwinnow.kills=N` kills it N times, `-Dwinnow.pause-seconds=N` stops it for so long at most,
/// and `-Dwinnow.seed=N` repeats the random choices of a run.
class CrashTest {
    private static final int KILLS = Integer.getInteger("winnow.kills", 10);
    private static final int PAUSE_SECONDS = Integer.getInteger("winnow.pause-seconds", 3);
    private static final int PAUSES = 3;
    private static final int EVENTS = KILLS * 200;
    private static final long SEED = Long.getLong("winnow.seed", System.nanoTime());

    @TempDir private Path temporary = Path.of("");

    @Test
    void shouldKeepItsPromisesWhenItIsKilled() throws Exception {
        // given
        System.out.println("-Dwinnow.seed=" + SEED);
        try (CrashRun run = new CrashRun(temporary.resolve("data"), SEED, ClientLife.SHORT)) {
            // when
            for (int round = 1; round <= KILLS; round++) {
                run.round(round % 4 == 0);
                System.out.println("kill " + round + ": " + run.oracle().summary());
                assertThat(run.oracle().violations()).isEmpty();
            }

            // then
            assertThat(run.finish()).isEmpty();
            System.out.println(run.oracle().summary());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"LASTING", "LASTING_BREAKING"})
    void shouldKeepItsPromisesToClientsThatLast(ClientLife life) throws Exception {
        // given
        System.out.println("-Dwinnow.seed=" + SEED);
        try (CrashRun run = new CrashRun(temporary.resolve("data"), SEED, life)) {
            // when
            for (int round = 1; round <= KILLS; round++) {
                run.round(round % 4 == 0);
                System.out.println("kill " + round + ": " + run.oracle().summary());
                assertThat(run.oracle().violations()).isEmpty();
            }

            // then
            assertThat(run.finish()).isEmpty();
            System.out.println(run.oracle().summary());
        }
    }

    @Test
    void shouldKeepItsPromisesToClientsThatLastWhenItPauses() throws Exception {
        // given
        System.out.println("-Dwinnow.seed=" + SEED);
        try (CrashRun run =
                new CrashRun(temporary.resolve("data"), SEED, ClientLife.LASTING_IMPATIENT)) {
            // when
            for (int i = 0; i < PAUSES; i++) {
                run.pause(PAUSE_SECONDS * 1000L);
                run.await(500);
            }

            // then
            assertThat(run.finish()).isEmpty();
            System.out.println(run.oracle().summary());
        }
    }

    @Test
    void shouldKeepItsPromisesWhenItPauses() throws Exception {
        // given
        System.out.println("-Dwinnow.seed=" + SEED);
        Random random = new Random(SEED);
        try (CrashRun run = new CrashRun(temporary.resolve("data"), SEED, ClientLife.SHORT)) {
            // when
            for (int i = 0; i < PAUSES; i++) {
                run.pause(1000 + random.nextInt(PAUSE_SECONDS * 1000 - 999));
                run.await(500);
            }

            // then
            assertThat(run.finish()).isEmpty();
            System.out.println(run.oracle().summary());
        }
    }

    @Test
    void shouldKeepItsPromisesWhenConnectionsBreak() throws Exception {
        // given
        System.out.println("-Dwinnow.seed=" + SEED);
        try (CrashRun run = new CrashRun(temporary.resolve("data"), SEED, ClientLife.BREAKING)) {
            // when
            run.await(EVENTS);
            run.round(false);
            run.await(EVENTS);

            // then
            assertThat(run.finish()).isEmpty();
            System.out.println(run.oracle().summary());
        }
    }
}

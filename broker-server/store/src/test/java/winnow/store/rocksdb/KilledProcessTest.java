package winnow.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Kills a process that appends, again and again. `-Dwinnow.kills=N` does it N times.
///
/// A killed process leaves what it has written to the system. So this shows order, atomicity and
/// recovery; that synced batches survive a power failure needs a disk that forgets.
class KilledProcessTest {
    private static final int KILLS = Integer.getInteger("winnow.kills", 10);
    private static final long SEED = Long.getLong("winnow.seed", System.nanoTime());

    @TempDir private Path temporary;

    @Test
    void shouldHoldWhatWasCompletedWhenTheProcessIsKilled() throws Exception {
        // given
        System.out.println("-Dwinnow.seed=" + SEED);
        Random random = new Random(SEED);
        Path directory = temporary.resolve("store");
        long completed = 0;

        for (int round = 1; round <= KILLS; round++) {
            // when
            long after = completed + random.nextInt(round % 2 == 0 ? 200 : 5000);
            long found = appendAndKill(directory, completed, after);

            // then
            assertThat(found).as("completed in round %s", round).isGreaterThan(completed);
            completed = found;
            if (round % 3 == 0) {
                appendTo(newestWriteAheadLog(directory), random);
            }
        }
        try (RocksShardLog log =
                RocksShardLog.open(directory, Runnable::run, AppendingProcess.SETTINGS)) {
            assertThat(NumberedBatches.verify(log)).isGreaterThanOrEqualTo(completed);
            assertThat(log.epoch()).isEqualTo(KILLS + 1);
        }
    }

    /// @return the last batch that the process has completed
    private static long appendAndKill(Path directory, long completedBefore, long killAfter)
            throws IOException, InterruptedException {
        Process process = AppendingProcess.start(directory, 1);
        long completed = completedBefore;
        boolean killed = false;
        try (BufferedReader lines = process.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] words = line.split(" ", 2);
                if (words.length < 2) {
                    continue; // cut by the kill
                }
                long number = Long.parseLong(words[1]);
                if (words[0].equals("opened")) {
                    assertThat(number).as("found").isGreaterThanOrEqualTo(completedBefore);
                    completed = number;
                } else if (number == completed + 1) {
                    completed = number;
                } else {
                    assertThat(killed && number <= completed).as(line).isTrue();
                }
                if (number > killAfter && !killed) {
                    killed = true;
                    // Unlike the method of the process, this leaves what it has printed.
                    process.toHandle().destroyForcibly();
                }
            }
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(killed).as(() -> "errors of the process: " + errors(directory)).isTrue();
        return completed;
    }

    private static String errors(Path directory) {
        try {
            return Files.readString(AppendingProcess.errors(directory));
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static Path newestWriteAheadLog(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("rocksdb"))) {
            Optional<Path> newest =
                    files.filter(path -> path.toString().endsWith(".log"))
                            .max(Comparator.naturalOrder());
            return newest.orElseThrow();
        }
    }

    private static void appendTo(Path file, Random random) throws IOException {
        byte[] torn = new byte[1 + random.nextInt(100_000)];
        random.nextBytes(torn);
        Files.write(file, torn, StandardOpenOption.APPEND);
    }
}

package winnow.loadgen.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class CalibratorTest {

    @TempDir private Path tasks;

    @Test
    void shouldTakeAReferenceFromTheFirstCalibrationsAndKeepIt() throws Exception {
        try (var calibrator = new Calibrator()) {
            // given
            assertThat(calibrator.referenceMicros()).isEmpty();
            var slowest = 0.0;
            for (var run = 0; run < 10; run++) {
                slowest = Math.max(slowest, calibrator.calibrate());
            }

            // when
            var reference = calibrator.referenceMicros();
            calibrator.calibrate();

            // then
            assertThat(reference.orElseThrow()).isPositive().isLessThanOrEqualTo(slowest);
            assertThat(calibrator.referenceMicros()).isEqualTo(reference);
        }
    }

    @Test
    void shouldDoTheSameWorkEachTime() {
        // given
        var one = new ReferenceWork();
        var other = new ReferenceWork();

        // then
        assertThat(one.run()).isEqualTo(other.run());
        assertThat(one.run()).isEqualTo(other.run());
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldBindAThreadToOneProcessor() throws InterruptedException {
        // given
        var processor = Processors.allowed().getLast();
        var seen = new AtomicReference<>();

        // when
        var thread =
                Thread.ofPlatform()
                        .start(() -> {
                            Processors.bindThread(processor);
                            seen.set(Processors.allowed());
                        });
        thread.join();

        // then
        assertThat(seen.get()).isEqualTo(List.of(processor));
        assertThat(Processors.allowed()).contains(processor);
    }

    @Test
    void shouldFindTheBusiestThreadThatIsNoCompiler() throws IOException {
        // given: two event loops, a compiler and a thread that is none of a broker's loops
        thread("1", "winnow-loop-0", 100, 50);
        thread("2", "winnow-loop-1", 100, 0);
        thread("3", "C2 CompilerThre", 100, 0);
        thread("4", "winnow-shard", 100, 0);
        var before = ThreadUse.of(tasks);

        // when
        thread("1", "winnow-loop-0", 500, 450);
        thread("2", "winnow-loop-1", 700, 0);
        thread("3", "C2 CompilerThre", 9_000, 0);
        thread("4", "winnow-shard", 9_000, 0);
        var after = new ThreadUse(ThreadUse.of(tasks).nanosByThread(), before.atNanos() + 1_000);

        // then: it ran 400 and waited for a processor 400 of 1,000
        assertThat(after.busiestShareSince(before)).hasValue(0.8);
    }

    @Test
    void shouldKnowNothingWhereTheKernelCountsNothing() throws IOException {
        // given
        thread("1", "main", 0, 0);
        var before = ThreadUse.of(tasks);

        // then
        assertThat(ThreadUse.of(tasks).busiestShareSince(before)).isEmpty();
    }

    private void thread(String id, String name, long ran, long waited) throws IOException {
        var directory = Files.createDirectories(tasks.resolve(id));
        Files.writeString(directory.resolve("comm"), name + "\n");
        Files.writeString(directory.resolve("schedstat"), ran + " " + waited + " 7\n");
    }
}

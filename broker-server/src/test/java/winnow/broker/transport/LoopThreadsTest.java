package winnow.broker.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import winnow.broker.fault.FatalErrors;

/// Processes of which an event loop ends.
class LoopThreadsTest {
    /// Ends a loop after it was stopped, if there is an argument, or before.
    static final class Loop {
        private Loop() {}

        public static void main(String[] args) throws InterruptedException {
            LoopThreads threads = new LoopThreads("loop");
            if (args.length > 0) {
                threads.onStop();
            }
            Thread loop = threads.newThread(() -> {});
            loop.start();
            loop.join();
        }
    }

    private static Process run(String... arguments) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        ProcessBuilder process =
                new ProcessBuilder(
                        java, "-cp", System.getProperty("java.class.path"), Loop.class.getName());
        process.command().addAll(List.of(arguments));
        return process.redirectErrorStream(true).start();
    }

    @Test
    void shouldEndTheProcessWithALoopThatEndsByItself() throws Exception {
        // when
        Process process = run();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        // then
        assertThat(process.waitFor()).isEqualTo(FatalErrors.EXIT_CODE);
        assertThat(said).contains("ended by a fatal error", "loop-1-1 has ended");
    }

    @Test
    void shouldLetALoopEndThatIsStopped() throws Exception {
        assertThat(run("stopped").waitFor()).isZero();
    }
}

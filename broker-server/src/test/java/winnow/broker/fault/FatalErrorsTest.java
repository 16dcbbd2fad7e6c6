package winnow.broker.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

class FatalErrorsTest {
    @Test
    void shouldKnowWhatNoProcessSurvives() {
        assertThat(FatalErrors.isFatal(new OutOfMemoryError("Java heap space"))).isTrue();
        assertThat(FatalErrors.isFatal(new InternalError())).isTrue();
        assertThat(FatalErrors.isFatal(new StackOverflowError())).isFalse();
        assertThat(FatalErrors.isFatal(new AssertionError())).isFalse();
        assertThat(FatalErrors.isFatal(new OutOfMemoryError("Cannot reserve direct buffer memory")))
                .isFalse();
    }

    @Test
    void shouldEndAProcessWhoseHeapIsUsedUpBehindABarrier()
            throws IOException, InterruptedException {
        // given
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process process =
                new ProcessBuilder(
                                java,
                                "-Xmx16m",
                                "-XX:+UseSerialGC",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Greedy.class.getName())
                        .redirectErrorStream(true)
                        .start();

        // when
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        boolean ended = process.waitFor(60, TimeUnit.SECONDS);

        // then
        assertThat(ended).isTrue();
        assertThat(said).contains("winnow broker: ended by a fatal error").contains("heap space");
        assertThat(process.exitValue()).isEqualTo(FatalErrors.EXIT_CODE);
    }

    /// Uses its heap up in a callback, and would end with 0 if the callback's failure were kept.
    static final class Greedy {
        private static Object[] kept = {};

        private Greedy() {}

        public static void main(String[] args) {
            new FaultBarrier(new LongAdder())
                    .run(() -> {
                        while (true) {
                            kept = new Object[] {kept, new byte[1 << 20]};
                        }
                    });
        }
    }

    @Test
    void shouldLeaveNothingInTheLastWordsThatJsonDoesNotTake() {
        assertThat(FatalErrors.quoted("a \"b\"\n\\c")).isEqualTo("a 'b' 'c");
    }
}

package winnow.tests.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Each [Filling] of a broker with a small heap, with and without a directory: the broker refuses,
/// or lets wait, but goes on.
class SmallHeapTest {
    @TempDir private Path directory = Path.of("");

    static Stream<Arguments> fillings() {
        return Arrays.stream(Filling.values())
                .flatMap(filling ->
                        Stream.of(Arguments.of(filling, false), Arguments.of(filling, true)));
    }

    @ParameterizedTest
    @MethodSource("fillings")
    void shouldSurvive(Filling filling, boolean stored) throws Exception {
        // given
        Map<String, String> settings = new HashMap<>(filling.settings());
        if (stored) {
            settings.put("storage.directory", directory.resolve("store").toString());
        }
        try (SmallBroker broker = new SmallBroker(directory.resolve("log"), settings)) {
            try {
                // when
                filling.fill(broker);

                // then
                assertThat(broker.isAlive()).as("the broker is alive").isTrue();
                assertThat(broker.status("/health/live")).isEqualTo(200);
                assertThat(broker.stop()).as("exit code after SIGTERM").isZero();
            } finally {
                System.out.println(filling + ": " + broker.errors());
            }
            assertThat(broker.errors()).doesNotContain("OutOfMemoryError");
        }
    }
}

package winnow.loadgen.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ProviderFileTest {

    private static final String PINNED = "[a-z][\\w.-]+:[\\w.-]+:\\d+(\\.\\d+)+(:zip)?";

    @TempDir private Path directory;

    @ParameterizedTest
    @MethodSource("winnow.loadgen.provider.ProviderFile#names")
    void shouldSayEverythingOfItsOwnProviders(String name) throws Exception {
        // when
        var file = ProviderFile.of(name);

        // then
        var broker = Objects.requireNonNull(file.broker());
        var artifacts = new ArrayList<>(broker.artifacts());
        artifacts.addAll(file.client().artifacts());
        assertThat(file.name()).isEqualTo(name);
        assertThat(file.title()).isNotBlank();
        assertThat(file.licence()).matches("Apache-2\\.0|EPL-2\\.0");
        assertThat(file.notes()).as("how producers are slowed").isNotEmpty();
        assertThat(artifacts).allMatch(artifact -> artifact.matches(PINNED));
        assertThat(file.client().url()).contains("127.0.0.1:${port}");
        if (!name.equals("winnow")) {
            assertThat(artifacts).anyMatch(artifact -> artifact.contains(":" + file.version()));
            assertThat(JarCache.pom(name, broker.artifacts(), broker.without()))
                    .contains("<version>" + file.version() + "</version>");
        }
    }

    @Test
    void shouldReadTheFileOfAUser() throws Exception {
        // given
        var path = directory.resolve("mine.json");
        Files.writeString(
                path,
                """
                {"client": {"jars": "lib", "factory": "a.b.Factory", "url": "tcp://h:1"}}
                """);

        // when
        var file = ProviderFile.of(path.toString());

        // then
        assertThat(file.name()).isEqualTo("mine");
        assertThat(file.title()).isEqualTo("mine");
        assertThat(file.isStarted()).isFalse();
        assertThat(file.client().jars()).isEqualTo(directory.resolve("lib").toString());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            textBlock =
                    """
                    {} | expected "client", found none
                    null | expected a provider's JSON object, found null
                    {"notes": [null]} | expected texts in "notes", found null
                    {"client": {"url": "x"}} | expected "factory" and "url" of "client", found null
                    {"client": {"factory": "F", "url": "x"}, "colour": 1} | "colour"
                    {"broker": {}, "client": {"factory": "F", "url": "x"}} | expected "command" of
                    {"name": "../x", "client": {"factory": "F", "url": "x"}} | found '../x'
                    """)
    void shouldSayWhatIsWrongInAFile(String text, String message) throws Exception {
        // given
        var path = directory.resolve("mine.json");
        Files.writeString(path, text.strip());

        // then
        assertThatThrownBy(() -> ProviderFile.of(path.toString()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(path.toString())
                .hasMessageContaining(message);
    }

    @Test
    void shouldNameTheProvidersThatThereAre() {
        assertThatThrownBy(() -> ProviderFile.of("rabbit"))
                .hasMessageContaining("[winnow, artemis, activemq, openmq, qpid]")
                .hasMessageContaining("found 'rabbit'");
    }
}

package winnow.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArgumentsTest {
    @TempDir private Path directory = Path.of("");

    /// The command line of a process, as Linux shows it.
    private Path commandLine(Charset charset, String... arguments) throws IOException {
        var bytes = new ByteArrayOutputStream();
        for (var argument : arguments) {
            bytes.writeBytes(argument.getBytes(charset));
            bytes.write(0);
        }
        return Files.write(directory.resolve("cmdline"), bytes.toByteArray());
    }

    @Test
    void shouldReadWhatALocaleWithoutUtf8HasLost() throws IOException {
        // given
        var line = commandLine(StandardCharsets.UTF_8, "java", "Main", "--queue", "käse", "✓");

        // then
        assertThat(Arguments.utf8(line, "--queue", "k\uFFFD\uFFFDse", "\uFFFD\uFFFD\uFFFD"))
                .containsExactly("--queue", "käse", "✓");
    }

    @Test
    void shouldKeepAReplacementCharacterThatSomebodyGave() throws IOException {
        // given
        var line = commandLine(StandardCharsets.UTF_8, "java", "Main", "a\uFFFD");

        // then
        assertThat(Arguments.utf8(line, "a\uFFFD")).containsExactly("a\uFFFD");
    }

    @Test
    void shouldRefuseOtherBytes() throws IOException {
        // given
        var line = commandLine(StandardCharsets.ISO_8859_1, "java", "Main", "käse");

        // then
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Arguments.utf8(line, "k\uFFFDse"))
                .withMessage("expected arguments in UTF-8, found other bytes in 'k\uFFFDse'");
    }

    @Test
    void shouldTakeArgumentsAsTheyAreOnOtherSystems() {
        assertThat(Arguments.utf8(directory.resolve("none"), "k\uFFFDse"))
                .containsExactly("k\uFFFDse");
    }
}

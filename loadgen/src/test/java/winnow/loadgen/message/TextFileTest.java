package winnow.loadgen.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TextFileTest {

    @TempDir private Path directory;

    private Path file;

    @BeforeEach
    void nameFile() {
        file = directory.resolve("file");
    }

    @Test
    void shouldReadAllLines() throws IOException {
        // given
        Files.writeString(file, "a\n\u00e4\r\n");

        // then
        assertThat(TextFile.read(file)).isEqualTo("a\n\u00e4\r\n");
        assertThat(TextFile.read(file, 6)).hasSize(5);
    }

    @Test
    void shouldSayWhatIsWrongWithAFile() throws IOException {
        assertThatThrownBy(() -> TextFile.read(file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("expected a file, found none: '" + file + "'");
        assertThatThrownBy(() -> TextFile.read(directory))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("expected a file, found a directory: '" + directory + "'");
        Files.write(file, new byte[] {'a', (byte) 0xFF});
        assertThatThrownBy(() -> TextFile.read(file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("expected text in UTF-8, found other bytes in '" + file + "'");
    }

    @Test
    void shouldRefuseAFileThatIsTooLarge() throws IOException {
        // given
        Files.write(file, new byte[1001]);

        // then
        assertThatThrownBy(() -> TextFile.read(file, 1000))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("expected a file of at most 1,000 bytes, found 1,001 in")
                .hasMessageContaining("WINNOW_OPTS=-Xmx16m");
        assertThat(TextFile.read(file, 1001)).hasSize(1001);
    }
}

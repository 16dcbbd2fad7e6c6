package winnow.broker.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UserFileTest {
    @TempDir private Path directory = Path.of("");

    @Test
    void shouldReadWhatItWrites() throws IOException {
        // given
        Path file = directory.resolve("users");
        Files.writeString(
                file,
                "# people\n\n%s\n%s\n"
                        .formatted(
                                UserFile.line("ann", "secret"),
                                UserFile.line("Bob #2 von Ähren", "other")));

        // when
        UserFile users = UserFile.read(file);

        // then
        assertThat(users.matches("ann", "secret")).isTrue();
        assertThat(users.matches("Bob #2 von Ähren", "other")).isTrue();
        assertThat(users.matches("ann", "other")).isFalse();
        assertThat(users.matches("ann", "")).isFalse();
        assertThat(users.matches("eve", "secret")).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    eve | expected name:iterations:salt:hash
                    :1000:AAAA:AAAA | expected name:iterations:salt:hash
                    eve:many:AAAA:AAAA | expected 1 to 9999999 iterations, found 'many'
                    eve:99999999:AAAA:AAAA | expected 1 to 9999999 iterations, found '99999999'
                    eve:1000:!!!:!!! | expected a salt in base 64: Illegal base64 character
                    eve:1000:AAAA:!!! | expected a hash in base 64: Illegal base64 character
                    eve:1000::AAAA | a salt and a hash of 32 bytes, found 0 and 3 bytes
                    eve:1000:AAAA:AAAA | a salt and a hash of 32 bytes, found 3 and 3 bytes
                    """)
    void shouldSayWhichLineItCannotUse(String line, String message) throws IOException {
        // given
        Path file = directory.resolve("users");
        Files.writeString(file, UserFile.line("ann", "secret") + "\n" + line + "\n");

        // then
        assertThatThrownBy(() -> UserFile.read(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(file + " line 2: ")
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a:b", "#a", " lead", "trail\t", "x\ny", "x\u0000y", "x\u001by"})
    void shouldRefuseNamesThatCannotBeReadAgain(String name) {
        assertThatThrownBy(() -> UserFile.line(name, "secret"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected a user name without ':'");
    }
}

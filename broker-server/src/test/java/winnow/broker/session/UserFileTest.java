package winnow.broker.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import winnow.broker.TestUsers;

class UserFileTest {
    @TempDir private Path directory = Path.of("");

    @Test
    void shouldNotReadAFileWithoutEnd() {
        assertThatThrownBy(() -> UserFile.read(Path.of("/dev/zero")))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("/dev/zero: expected at most ");
    }

    @Test
    void shouldReadWhatItWrites() throws IOException {
        // given
        Path file =
                TestUsers.write(
                        directory,
                        "# people",
                        "",
                        UserFile.line("ann", "secret"),
                        UserFile.line("Bob #2 von Ähren", "other"));

        // when
        UserFile users = UserFile.read(file);

        // then
        assertThat(users.matches("ann", "secret")).isTrue();
        assertThat(users.matches("Bob #2 von Ähren", "other")).isTrue();
        assertThat(users.matches("ann", "other")).isFalse();
        assertThat(users.matches("ann", "")).isFalse();
        assertThat(users.matches("eve", "secret")).isFalse();
    }

    @Test
    void shouldSayHowToMakeAMissingFile() {
        Path file = directory.resolve("users");

        assertThatThrownBy(() -> UserFile.read(file))
                .hasMessage(
                        "%1$s: no such file or directory; 'winnow user --file %1$s NAME' makes it",
                        file);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            textBlock =
                    """
                    eve | expected name:verifier
                    :SCRAM-SHA-256$4096:AAAA$AAAA:AAAA | expected name:verifier, found no name
                    eve:120000:AAAA:AAAA | an older version of Winnow; set the password anew
                    eve:x | expected SCRAM-SHA-256$iterations:salt$storedKey:serverKey
                    eve:MD5$4096:AAAA$AAAA:AAAA | expected SCRAM-SHA-256$iterations
                    eve:SCRAM-SHA-256$many:AA==$A:A | 4096 to 5000000 iterations, found 'many'
                    eve:SCRAM-SHA-256$4095:AA==$AA==:A | to 5000000 iterations, found '4095'
                    eve:SCRAM-SHA-256$99999999:AA==$AA==:A | to 5000000 iterations, found '99999999'
                    eve:SCRAM-SHA-256$4096:!!!$AAAA:AAAA | expected a salt in base 64: Illegal
                    eve:SCRAM-SHA-256$4096:$AAAA:AAAA | expected a salt, found none
                    eve:SCRAM-SHA-256$4096:AAAA$!!!:AAAA | expected a stored key in base 64
                    eve:SCRAM-SHA-256$4096:AAAA$AAAA:A | expected a stored key of 32 bytes, found 3
                    """)
    void shouldSayWhichLineItCannotUse(String line, String message) throws IOException {
        // given
        Path file = TestUsers.write(directory, UserFile.line("ann", "secret"), line);

        // then
        assertThatThrownBy(() -> UserFile.read(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(file + ":2: ")
                .hasMessageContaining(message);
    }

    @Test
    void shouldRefuseAUserWhoIsThereTwice() throws IOException {
        // given
        String ann = UserFile.line("ann", "secret");
        Path file = TestUsers.write(directory, ann, "", UserFile.line("ann", "other"));

        // then
        assertThatThrownBy(() -> UserFile.read(file))
                .isInstanceOf(IOException.class)
                .hasMessage(file + ":3: expected each user once, found 'ann' on line 1, too");
    }

    @Test
    void shouldRefuseAFileWithoutUsers() throws IOException {
        // given
        Path file = TestUsers.write(directory, "# nobody", "");

        // then
        assertThatThrownBy(() -> UserFile.read(file))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(file + ":2: expected at least one user, found none");
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-r-----", "rw----r--", "rw--w----", "rw-----w-"})
    void shouldRefuseAFileThatOthersMayReadOrChange(String permissions) throws IOException {
        // given
        Path file = TestUsers.write(directory, UserFile.line("ann", "secret"));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));

        // then
        assertThatThrownBy(() -> UserFile.read(file))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        file
                                + ":1: expected a file for its owner only (chmod 600), found "
                                + permissions);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a:b", "#a", " lead", "trail\t", "x\ny", "x\u0000y", "x\u001by"})
    void shouldRefuseNamesThatCannotBeReadAgain(String name) {
        assertThatThrownBy(() -> UserFile.line(name, "secret"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected a user name without ':'");
    }
}

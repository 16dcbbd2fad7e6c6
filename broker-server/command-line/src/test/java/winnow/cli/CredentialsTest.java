package winnow.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class CredentialsTest {

    @TempDir private Path directory = Path.of("");

    private static Credentials of(Map<String, String> environment, String... arguments) {
        return CommandLine.populateCommand(new Credentials(environment), arguments);
    }

    private Path file(String text) throws IOException {
        return Files.writeString(directory.resolve("password"), text);
    }

    @Test
    void shouldHaveNoneUnlessTold() {
        // when
        var credentials = of(Map.of("WINNOW_PASSWORD", "unused"));

        // then
        assertThat(credentials.user()).isEmpty();
        assertThat(credentials.password()).isEmpty();
    }

    @Test
    void shouldTakeTheEnvironment() {
        // when
        var credentials = of(Map.of("WINNOW_USER", "ann", "WINNOW_PASSWORD", "a b"));

        // then
        assertThat(credentials.user()).isEqualTo("ann");
        assertThat(credentials.password()).isEqualTo("a b");
    }

    @Test
    void shouldTakeTheFirstLineOfAFile() throws IOException {
        // given
        var file = file("secret\nsecond line\n").toString();

        // when
        var byVariable = of(Map.of("WINNOW_USER", "ann", "WINNOW_PASSWORD_FILE", file));
        var byOption = of(Map.of(), "--user", "ann", "--password-file", file);

        // then
        assertThat(byVariable.password()).isEqualTo("secret");
        assertThat(byOption.password()).isEqualTo("secret");
    }

    @Test
    void shouldPreferOptions() throws IOException {
        // given
        var environment = Map.of("WINNOW_USER", "ann", "WINNOW_PASSWORD", "of ann");

        // when
        var byText = of(environment, "--user", "bob", "--password", "of bob");
        var byFile = of(environment, "--user", "bob", "--password-file", file("filed") + "");

        // then
        assertThat(byText.user()).isEqualTo("bob");
        assertThat(byText.password()).isEqualTo("of bob");
        assertThat(byFile.password()).isEqualTo("filed");
    }

    @Test
    void shouldRefuseWhatContradictsItself() {
        assertThatThrownBy(of(Map.of(), "--password", "p")::password)
                .hasMessage("expected --user or $WINNOW_USER with a password, found neither");
        assertThatThrownBy(of(Map.of(), "--user=u", "--password=p", "--password-file=f")::password)
                .hasMessage("expected --password or --password-file, found both");
        var both = Map.of("WINNOW_USER", "u", "WINNOW_PASSWORD", "p", "WINNOW_PASSWORD_FILE", "f");
        assertThatThrownBy(of(both)::password)
                .hasMessage("expected $WINNOW_PASSWORD or $WINNOW_PASSWORD_FILE, found both");
    }

    @Test
    void shouldNameAFileThatCannotBeRead() {
        // given
        var missing = directory.resolve("missing").toString();

        // then
        assertThatThrownBy(of(Map.of(), "--user=u", "--password-file=" + missing)::password)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--password-file: expected a readable file, found none: '")
                .hasMessageContaining(missing);
    }
}

package winnow.broker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import winnow.broker.session.UserFile;

/// The password is on the standard input.
class UserCommandTest {
    @TempDir private Path directory = Path.of("");

    private final InputStream input = System.in;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeEach
    void givePassword() {
        System.setIn(new ByteArrayInputStream("secret\n".getBytes(StandardCharsets.UTF_8)));
    }

    @AfterEach
    void restoreInput() {
        System.setIn(input);
    }

    private int run(String... arguments) {
        CommandLine line = UserCommand.commandLine();
        line.setOut(new PrintWriter(out));
        line.setErr(new PrintWriter(err));
        return line.execute(arguments);
    }

    @Test
    void shouldAddAUser() throws IOException {
        // given
        Path file = directory.resolve("users");

        // when
        int code = run("@bob", "--file", file.toString());

        // then
        assertThat(code).as(err.toString()).isZero();
        assertThat(out.toString()).contains("user '@bob' written to " + file);
        assertThat(Files.readString(file)).startsWith("@bob:");
        assertThat(UserFile.read(file)).isNotNull();
    }

    @Test
    void shouldReplaceTheFileAtOnce() throws IOException {
        // given a file that others may read, behind a link, and a reader of it
        Path file = directory.resolve("users");
        Files.writeString(file, "# people\n" + UserFile.line("ann", "a") + "\nbob:old\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        Path link = Files.createSymbolicLink(directory.resolve("link"), file);

        // when
        int code;
        String seen;
        try (BufferedReader reader = Files.newBufferedReader(file)) {
            code = run("bob", "--file", link.toString());
            seen = reader.lines().collect(Collectors.joining("\n"));
        }

        // then the reader saw the old file
        assertThat(code).as(err.toString()).isZero();
        assertThat(seen).endsWith("\nbob:old");
        assertThat(link).isSymbolicLink();
        assertThat(Files.readString(file))
                .startsWith("# people\nann:")
                .containsOnlyOnce("bob:SCRAM-SHA-256$");
        assertThat(Files.getPosixFilePermissions(file))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
        assertThat(UserFile.read(file)).isNotNull();
        assertThat(directory).isDirectoryNotContaining("glob:**users.*");
    }

    @Test
    void shouldReplaceALineThatBeginsWithBlanks() throws IOException {
        // given
        Path file = directory.resolve("users");
        Files.writeString(file, "  " + UserFile.line("ann", "a") + "\n");

        // when
        int code = run("ann", "--file", file.toString());

        // then
        assertThat(code).as(err.toString()).isZero();
        assertThat(UserFile.read(file).size()).isEqualTo(1);
    }

    @Test
    void shouldRefuseANameThatCannotBeReadAgain() {
        // given
        Path file = directory.resolve("users");

        // when
        int code = run("x\ny", "--file", file.toString());

        // then
        assertThat(code).isEqualTo(2);
        assertThat(err.toString()).startsWith("winnow user: expected a user name without ':'");
        assertThat(file).doesNotExist();
    }

    @Test
    void shouldNameTheFileThatCannotBeWritten() {
        // given
        Path file = directory.resolve("missing/users");

        // when
        int code = run("bob", "--file", file.toString());

        // then
        assertThat(code).isEqualTo(1);
        assertThat(err.toString().strip())
                .isEqualTo("winnow user: --file " + file + ": no such file or directory");
    }
}

package winnow.broker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import winnow.broker.Broker;
import winnow.broker.BrokerConfig;
import winnow.broker.TestUsers;
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

    private static void type(String password) {
        System.setIn(new ByteArrayInputStream((password + "\n").getBytes(StandardCharsets.UTF_8)));
    }

    /// What was printed since the last call.
    private String said() {
        String text = "" + out + err;
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        return text;
    }

    @Test
    void shouldChangeTheUsersOfAFile() throws IOException {
        // given
        String file = directory.resolve("users").toString();
        String data = directory.toString();
        Path password = Files.writeString(directory.resolve("new"), "new\nmore\n");

        // then
        assertThat(run("add", "ann", "--file", file)).as(err.toString()).isZero();
        type("other");
        assertThat(run("add", "list", "--data", data)).as(err.toString()).isZero();
        said();
        type("other");
        assertThat(run("add", "ann", "--file", file)).isOne();
        assertThat(said()).contains("there is user 'ann' already; 'winnow user password' sets");
        assertThat(run("password", "ann", "--file", file, "--new-password-file", "" + password))
                .isZero();
        assertThat(said())
                .isEqualTo(
                        "set the password of user 'ann' in "
                                + file
                                + "; a running broker takes it at SIGHUP or POST /api/v1/reload\n");
        assertThat(UserFile.read(Path.of(file)).names()).containsExactly("ann", "list");

        assertThat(run("list", "--file", file)).isZero();
        assertThat(said())
                .matches(
                        """
                        PASSWORD SET          USER
                        20[0-9TZ:-]{18}  ann
                        20[0-9TZ:-]{18}  list
                        """);
        assertThat(run("list", "--data", data, "--output=json")).isZero();
        assertThat(said()).contains("\"name\":\"ann\"").doesNotContain("SCRAM");

        type("x");
        assertThat(run("password", "eve", "--file", file)).isOne();
        assertThat(said()).contains("there is no user 'eve'; 'winnow user list' shows");
        assertThat(run("remove", "eve", "--yes", "--file", file)).isOne();
        assertThat(said()).contains("there is no user 'eve'");
        assertThat(run("remove", "ann", "--yes", "--data", data, "--output=json")).isZero();
        assertThat(said()).isEqualTo("{\"name\":\"ann\",\"file\":\"" + file + "\"}\n");
        assertThat(run("remove", "list", "--yes", "--file", file)).isOne();
        assertThat(said()).contains("user 'list' is the only one");
        assertThat(UserFile.read(Path.of(file)).names()).containsExactly("list");
    }

    @Test
    void shouldKeepTheLastAdministratorOfAFile() throws IOException {
        // given
        Path file = TestUsers.write(directory, UserFile.line("ann", "a"), UserFile.line("bo", "b"));
        Path rules =
                Files.writeString(
                        directory.resolve("rules"), "rules:\n  - {who: bo, may: admin}\n");

        // then
        String[] remove = {"remove", "bo", "--yes", "--file=" + file, "--permissions=" + rules};
        assertThat(run(remove)).isOne();
        assertThat(said()).contains("'bo' is the last one to whom " + rules + " gives 'admin'");
        remove[1] = "ann";
        assertThat(run(remove)).as(err.toString()).isZero();
        assertThat(UserFile.read(file).names()).containsExactly("bo");
    }

    @Test
    void shouldSayWhatIsWrongWithTheCommandLine() {
        String file = directory.resolve("users").toString();

        assertThat(run()).isEqualTo(2);
        assertThat(said())
                .contains("expected a command: list, add, password or remove, or the name of a");
        assertThat(run("add", "ann", "--file", file, "--data", file)).isEqualTo(2);
        assertThat(said()).contains("expected --file or --data, found both");
        assertThat(run("add", "ann", "--file", file, "--password-file", file)).isEqualTo(2);
        assertThat(said())
                .contains("found --file and --password-file; --new-password-file has the password");
        assertThat(run("list", "--file", file, "--url", "http://127.0.0.1:1")).isEqualTo(2);
        assertThat(said()).contains("found --file and --url");
        assertThat(run("remove", "ann", "--yes", "--permissions", file)).isEqualTo(2);
        assertThat(said()).contains("expected --permissions with --file or --data only");
        assertThat(run("remove", "ann", "--file", file)).isEqualTo(2);
        assertThat(said()).contains("expected --yes, because there is no terminal");
        type("");
        assertThat(run("add", "ann", "--file", file)).isEqualTo(2);
        assertThat(said()).contains("expected a password, found none");
        type("a\u0001b");
        assertThat(run("add", "ann", "--file", file)).isEqualTo(2);
        assertThat(said()).contains("without control characters").doesNotContain("\u0001");
        type("x");
        assertThat(run("password", "ann", "--file", file)).isOne();
        assertThat(said()).contains(file + ": no such file or directory");
        type("x");
        assertThat(run("add", "ann", "--file", file + "/none/users")).isOne();
        assertThat(said()).contains("--file " + file + "/none/users: no such file or directory");
        assertThat(run("add", "ann", "bob")).isEqualTo(2);
        assertThat(said()).contains("unexpected argument 'bob'");
        assertThat(run("ann", "bob")).isEqualTo(2);
        assertThat(said()).contains("unknown command 'bob'");
        assertThat(Path.of(file)).doesNotExist();
    }

    @Test
    void shouldChangeTheUsersOfARunningBroker() throws IOException {
        // given
        Path file = TestUsers.write(directory, UserFile.line("root", "root"));
        Path root = Files.writeString(directory.resolve("root"), "root\n");
        Map<String, String> settings = Map.of("security.users", file.toString());
        try (Broker broker =
                new Broker(BrokerConfig.of(settings), InetAddress.getLoopbackAddress(), 0, 0)) {
            String url = "--url=http://127.0.0.1:" + broker.httpAddress().getPort();
            String by = "--user=root";
            String with = "--password-file=" + root;

            // then
            assertThat(run("add", "ann", url, by, with)).as(err.toString()).isZero();
            assertThat(said()).isEqualTo("added user 'ann'\n");
            type("other");
            assertThat(run("add", "ann", url, by, with)).isOne();
            assertThat(said()).contains("there is user 'ann' already");
            type("other");
            assertThat(run("password", "ann", url, by, with)).as(err.toString()).isZero();
            assertThat(said()).isEqualTo("set the password of user 'ann'\n");
            type("other");
            assertThat(run("password", "eve", url, by, with)).isOne();
            assertThat(said()).contains("there is no user 'eve'");
            assertThat(run("list", url, by, with)).isZero();
            assertThat(said()).contains("  ann\n").contains("-                     root\n");
            assertThat(run("remove", "ann", "--yes", url, by, with)).as(err.toString()).isZero();
            assertThat(said()).isEqualTo("removed user 'ann'\n");
            assertThat(run("remove", "root", "--yes", url, by, with)).isOne();
            assertThat(said()).contains("user 'root' is the only one");
            assertThat(UserFile.read(file).names()).containsExactly("root");
        }
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

package winnow.broker.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

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
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import winnow.broker.Broker;
import winnow.broker.BrokerConfig;
import winnow.broker.TestUsers;
import winnow.broker.security.UserFile;

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

    /// Takes the text that was printed since the last call.
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
        Path password = Files.writeString(directory.resolve("new"), "new\nmore\n");

        // then
        assertThat(run("add", "ann", "--file", file)).as(err.toString()).isZero();
        type("other");
        assertThat(run("add", "list", "--file", file)).as(err.toString()).isZero();
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
        assertThat(said()).isEqualTo("ann\nlist\n");
        assertThat(run("list", "--file", file, "--output=json")).isZero();
        assertThat(said()).isEqualTo("[{\"name\":\"ann\"},{\"name\":\"list\"}]\n");
        assertThat(run("list", "--file", file, "--name=l*")).isZero();
        assertThat(said()).isEqualTo("list\n");
        assertThat(run("list", "--file", file, "--limit=1")).isZero();
        assertThat(said()).isEqualTo("ann\n");
        assertThat(run("list", "--file", file, "--name=x*")).isZero();
        assertThat(said()).isEqualTo("none\n");
        assertThat(run("list", "--file", file, "--limit=-1")).isEqualTo(2);
        assertThat(said()).contains("--limit: expected at least 0, found -1");

        type("x");
        assertThat(run("password", "eve", "--file", file)).isOne();
        assertThat(said()).contains("there is no user 'eve'; 'winnow user list' shows");
        assertThat(run("remove", "eve", "--yes", "--file", file)).isOne();
        assertThat(said()).contains("there is no user 'eve'");
        assertThat(run("remove", "ann", "--yes", "--file", file, "--output=json")).isZero();
        assertThat(said()).isEqualTo("{\"name\":\"ann\",\"file\":\"" + file + "\"}\n");
        assertThat(run("remove", "list", "--yes", "--file", file)).isOne();
        assertThat(said()).contains("user 'list' is the only one");
        assertThat(UserFile.read(Path.of(file)).names()).containsExactly("list");
    }

    @Test
    void shouldSayWhatIsWrongWithTheCommandLine() {
        String file = directory.resolve("users").toString();

        assertThat(run()).isEqualTo(2);
        assertThat(said())
                .contains("expected a command: list, add, password or remove, or the name of a");
        assertThat(run("--file", file, "add", "ann")).isEqualTo(2);
        assertThat(said()).contains("expected --file behind 'add', found it before");
        assertThat(run("add", "ann", "--file", file, "--password-file", file)).isEqualTo(2);
        assertThat(said())
                .contains("found --file and --password-file; --new-password-file has the password");
        assertThat(run("list", "--file", file, "--url", "http://127.0.0.1:1")).isEqualTo(2);
        assertThat(said()).contains("found --file and --url");
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
            assertThat(said()).isEqualTo("ann\nroot\n");
            assertThat(run("list", "--name=r*", url, by, with)).isZero();
            assertThat(said()).isEqualTo("root\n");
            assertThat(run("list", "--limit=1", url, by, with)).isZero();
            assertThat(said()).isEqualTo("ann\n");
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

    /// Containers are given files by a group (fsGroup).
    @Test
    void shouldChangeAFileThatItsGroupMayChange() throws IOException {
        // given
        Path file = Files.writeString(directory.resolve("users"), UserFile.line("ann", "a") + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw----"));
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxr-x"));

        // when
        int code = run("bob", "--file", file.toString());

        // then
        assertThat(code).as(err.toString()).isZero();
        assertThat(UserFile.read(file).names()).containsExactly("ann", "bob");
    }

    @ParameterizedTest
    @CsvSource({
        "rw-rw-rw-, rwxr-xr-x, 'users: expected a file that only its owner and its group can'",
        "rw-------, rwxrwxrwx, ': expected a directory in which only its owner and its group can'"
    })
    void shouldNotChangeAFileThatOthersMayReplace(String ofFile, String ofDirectory, String why)
            throws IOException {
        // given
        String line = UserFile.line("ann", "a") + "\n";
        Path file = Files.writeString(directory.resolve("users"), line);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(ofFile));
        Path elsewhere = Files.createTempDirectory("winnow-link");
        Path link = Files.createSymbolicLink(elsewhere.resolve("link"), file);
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString(ofDirectory));

        // then
        for (Path one : List.of(file, link)) {
            assertThat(run("bob", "--file", one.toString())).isOne();
            assertThat(said()).contains(why);
            type("secret");
            assertThat(run("add", "bob", "--file", one.toString())).isOne();
            assertThat(said()).contains(why);
            type("secret");
        }
        assertThat(Files.readString(file)).isEqualTo(line);

        // cleanup
        Files.delete(link);
        Files.delete(elsewhere);
    }

    @Test
    void shouldMakeNoFileWhereOthersMayReplaceIt() throws IOException {
        Path file = directory.resolve("users");
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));

        assertThat(run("bob", "--file", file.toString())).isOne();
        assertThat(said())
                .startsWith("winnow user: " + directory + ": expected a directory in which only");
        assertThat(file).doesNotExist();
    }

    /// The root of a volume is often root's, with mode 777.
    @Test
    void shouldWarnOfADirectoryOfSomebodyElsesWhereOthersMayReplaceTheFile() throws IOException {
        // given
        assumeTrue(
                Files.getOwner(directory).getName().equals("root"),
                "only root gives a directory away");
        Path volume = Files.createDirectory(directory.resolve("volume"));
        Files.setPosixFilePermissions(volume, PosixFilePermissions.fromString("rwxrwxrwx"));
        Files.setAttribute(volume, "unix:uid", 12_345);
        Path file = volume.resolve("users");
        String warning = "winnow user: warning: " + volume + ": expected a directory in which";

        // then
        assertThat(run("bob", "--file", file.toString())).isZero();
        assertThat(err.toString()).startsWith(warning).hasLineCount(1);
        said();
        type("secret");
        assertThat(run("add", "ann", "--file", file.toString())).isZero();
        assertThat(err.toString()).startsWith(warning).hasLineCount(1);
        assertThat(UserFile.read(file).names()).containsExactlyInAnyOrder("ann", "bob");

        // and a file that others may write stays refused
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
        type("secret");
        assertThat(run("eve", "--file", file.toString())).isOne();
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
    @Timeout(20)
    void shouldRefuseALinkThatLeadsNowhere() throws IOException {
        Path link = directory.resolve("users");
        Files.createSymbolicLink(link, directory.resolve("missing"));

        for (String command : List.of("bob", "add bob")) {
            type("secret");
            assertThat(run((command + " --file " + link).split(" "))).isOne();
            assertThat(said()).contains(": --file " + link + ": expected a file, or a link to one");
        }
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

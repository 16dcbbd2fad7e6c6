package winnow.broker.security;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import winnow.broker.TestUsers;
import winnow.wire.scram.ScramException;
import winnow.wire.scram.ScramServer;

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
                                + ": expected a file for its owner only (chmod 600), found "
                                + permissions);
    }

    @Test
    void shouldNotChangeAFileThatOthersMayChange() throws IOException {
        // given
        Path file = TestUsers.write(directory, UserFile.line("ann", "secret"));
        byte[] before = Files.readAllBytes(file);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw----"));
        String refusal = file + ": expected a file for its owner only (chmod 600), found rw-rw----";

        // then
        assertThatThrownBy(() -> UserFileWriter.put(file, "bob", "x", _ -> {})).hasMessage(refusal);
        assertThatThrownBy(() -> UserFileWriter.remove(file, "ann", _ -> {})).hasMessage(refusal);
        assertThat(file).hasBinaryContent(before);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-rw----");
    }

    @Test
    void shouldGiveAwayNothingButTheNewFile() throws IOException {
        // given a link in its place, which only root can give to somebody else
        Path other = Files.writeString(directory.resolve("other"), "secret");
        UserPrincipal before = Files.getOwner(other);
        Path made = Files.createSymbolicLink(directory.resolve("made"), other);
        UserPrincipal owner =
                before.getName().equals("root")
                        ? directory
                                .getFileSystem()
                                .getUserPrincipalLookupService()
                                .lookupPrincipalByName("54321")
                        : before;

        // then
        assertThatThrownBy(() -> UserFileWriter.giveTo(owner, made))
                .hasMessageStartingWith(made + ": expected the file that was just written");
        assertThat(Files.getOwner(other)).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a:b",
                "#a",
                " lead",
                "trail\t",
                "x\ny",
                "x\u0000y",
                "x\u001by",
                "a\u200bnn",
                "a\u202enn",
                "local",
                "*"
            })
    void shouldRefuseNamesThatCannotBeReadAgain(String name) {
        assertThatThrownBy(() -> UserFile.line(name, "secret"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected a user name without ':'");
    }

    @Test
    void shouldReadNamesThatCanBeTakenForOthers() throws IOException {
        // given
        String verifier = UserFile.line("ann", "secret").substring("ann".length());
        Path file = TestUsers.write(directory, "ann" + verifier, "local" + verifier);

        // when
        UserFile users = UserFile.read(file);

        // then
        assertThat(users.matches("local", "secret")).isTrue();
        assertThat(users.unclearNames()).containsExactly("local");
    }

    @Test
    void shouldKeepAllUsersThatAreWrittenAtTheSameTime() throws Exception {
        // given
        Path file = directory.resolve("users");
        List<Process> writers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            writers.add(writer(file, "user" + i));
        }

        // when
        for (Process writer : writers) {
            writer.getOutputStream().close();
        }

        // then
        for (Process writer : writers) {
            String said = new String(writer.getInputStream().readAllBytes(), UTF_8);
            assertThat(writer.waitFor()).as(said).isZero();
        }
        assertThat(UserFile.read(file).size()).isEqualTo(4 * Writer.USERS);
    }

    /// A process that adds users when its input ends.
    private static Process writer(Path file, String name) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin/java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Writer.class.getName(),
                        file.toString(),
                        name)
                .redirectErrorStream(true)
                .start();
    }

    static final class Writer {
        static final int USERS = 5;

        private Writer() {}

        public static void main(String[] arguments) throws IOException {
            System.in.transferTo(OutputStream.nullOutputStream());
            for (int i = 0; i < USERS; i++) {
                UserFileWriter.put(Path.of(arguments[0]), arguments[1] + i, "secret");
            }
        }
    }

    @Test
    void shouldLeaveTheFileAloneIfAChangeIsRefused() throws IOException {
        // given
        Path file = TestUsers.write(directory, UserFile.line("ann", "x"));
        byte[] before = Files.readAllBytes(file);

        // then
        assertThatThrownBy(() ->
                        UserFileWriter.put(
                                file,
                                "bob",
                                "x",
                                users -> {
                                    throw new IOException(users.names() + " is enough");
                                }))
                .hasMessage("[ann] is enough");
        assertThatThrownBy(() -> UserFileWriter.remove(file, "ann", _ -> {}))
                .hasMessageContaining("expected at least one user, found none");
        assertThat(file).hasBinaryContent(before);
        assertThat(directory).isDirectoryNotContaining("glob:**users.*");
    }

    @Test
    void shouldNotChangeDecoysWithAPassword() throws Exception {
        // given
        Path file = directory.resolve("users");
        UserFileWriter.put(file, "ann", "old");
        String before = salt(UserFile.read(file), "eve");
        String ann = salt(UserFile.read(file), "ann");

        // when
        UserFileWriter.put(file, "ann", "new");

        // then
        assertThat(salt(UserFile.read(file), "eve")).isEqualTo(before);
        assertThat(salt(UserFile.read(file), "ann")).isNotEqualTo(ann);
    }

    @Test
    void shouldKeepTheDecoysOfAFileWithoutAKeyForThem() throws Exception {
        // given a file that was made by hand
        Path file = TestUsers.write(directory, UserFile.line("ann", "old"));
        UserFile first = UserFile.read(file);
        String before = salt(first, "eve");

        // when it is read again with another password
        Files.writeString(file, UserFile.line("ann", "new") + "\n");
        UserFile second = UserFile.read(file);

        // then
        assertThat(salt(second, "eve")).isNotEqualTo(before);
        assertThat(salt(second.after(first), "eve")).isEqualTo(before);

        // when it is written by the command
        String now = salt(second, "eve");
        UserFileWriter.put(file, "ann", "newer");

        // then
        assertThat(salt(UserFile.read(file), "eve")).isEqualTo(now);
        assertThat(salt(UserFile.read(file).after(first), "eve")).isEqualTo(now);
    }

    @Test
    void shouldKeepTheDecoysWhenTheFirstUserIsRemoved() throws Exception {
        // given a file that was made by hand
        Path file =
                TestUsers.write(directory, UserFile.line("ann", "a"), UserFile.line("bob", "b"));
        String before = salt(UserFile.read(file), "eve");

        // when
        UserFile after = UserFileWriter.remove(file, "ann", _ -> {}).after();

        // then
        assertThat(salt(after, "eve")).isEqualTo(before);
        assertThat(salt(UserFile.read(file), "eve")).isEqualTo(before);
    }

    @Test
    void shouldSayWhatIsWrongWithTheKeyOfDecoys() throws IOException {
        Path file = TestUsers.write(directory, "# decoy-key: !", UserFile.line("ann", "old"));

        assertThatThrownBy(() -> UserFile.read(file))
                .hasMessageStartingWith(
                        file + ": expected behind '# decoy-key: ' a key in base 64");
    }

    private static String salt(UserFile users, String user) throws ScramException {
        return new ScramServer("n,,n=" + user + ",r=abc", users::verifier)
                .first()
                .replaceFirst(".*,s=([^,]*),.*", "$1");
    }
}

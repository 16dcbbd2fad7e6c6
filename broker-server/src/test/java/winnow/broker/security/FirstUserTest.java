package winnow.broker.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import winnow.broker.TestUsers;

class FirstUserTest {
    private static final int STARTS = 8;

    @TempDir private Path directory = Path.of("");

    private Path file = Path.of("");

    @BeforeEach
    void nameFile() {
        file = directory.resolve("users");
    }

    private Optional<String> prepare(String... environment) throws IOException {
        return FirstUser.prepare(
                file,
                "admin",
                environment.length == 0 ? Map.of() : Map.of(environment[0], environment[1]));
    }

    @Test
    void shouldNotReadAPasswordWithoutEnd() {
        assertThatThrownBy(() -> prepare(FirstUser.PASSWORD_FILE, "/dev/zero"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("WINNOW_PASSWORD_FILE: /dev/zero: expected at most ");
    }

    @Test
    void shouldMakeAUserWithAPasswordOnce() throws IOException {
        // when
        String password = prepare().orElseThrow();

        // then
        assertThat(password).matches("[0-9a-z]{5}(-[0-9a-z]{5}){3}");
        assertThat(UserFile.read(file).matches("admin", password)).isTrue();
        assertThat(file).content().doesNotContain(password);
        assertThat(Files.getPosixFilePermissions(file))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
        assertThat(directory).isDirectoryNotContaining("glob:**users.*");

        // when started again
        byte[] before = Files.readAllBytes(file);
        assertThat(prepare()).isEmpty();

        // then
        assertThat(file).hasBinaryContent(before);
    }

    @Test
    void shouldMakeAnotherPasswordForEachFile() throws IOException {
        String password = prepare().orElseThrow();
        file = directory.resolve("others");
        assertThat(prepare()).isPresent().get().isNotEqualTo(password);
    }

    @Test
    void shouldTellOnlyThePasswordThatHoldsWhenSeveralStartAtOnce() throws Exception {
        // given
        CyclicBarrier together = new CyclicBarrier(STARTS);
        List<Callable<Optional<String>>> starts =
                IntStream.range(0, STARTS)
                        .<Callable<Optional<String>>>mapToObj(_ ->
                                () -> {
                                    together.await();
                                    return prepare();
                                })
                        .toList();

        // when
        List<String> passwords;
        try (ExecutorService threads = Executors.newFixedThreadPool(STARTS)) {
            passwords =
                    threads.invokeAll(starts).stream()
                            .map(Future::resultNow)
                            .flatMap(Optional::stream)
                            .toList();
        }

        // then
        assertThat(passwords).hasSize(1);
        assertThat(UserFile.read(file).matches("admin", passwords.getFirst())).isTrue();
        assertThat(directory).isDirectoryNotContaining("glob:**users.*");
    }

    @Test
    void shouldTakeThePasswordOfTheEnvironmentAtEachStart() throws IOException {
        // given
        TestUsers.write(directory, "# people", UserFile.line("ann", "hers"));

        // when
        assertThat(prepare("WINNOW_PASSWORD", "one")).isEmpty();
        byte[] first = Files.readAllBytes(file);
        assertThat(prepare("WINNOW_PASSWORD", "one")).isEmpty();

        // then
        assertThat(file).as("not written again").hasBinaryContent(first);

        // when
        assertThat(prepare("WINNOW_PASSWORD", "two")).isEmpty();

        // then
        UserFile users = UserFile.read(file);
        assertThat(users.matches("admin", "two")).isTrue();
        assertThat(users.matches("admin", "one")).isFalse();
        assertThat(users.matches("ann", "hers")).isTrue();
        assertThat(file).content().startsWith("# people\n").doesNotContain("two");
    }

    @Test
    void shouldTakeThePasswordOfAFile() throws IOException {
        // given
        Path secret = Files.writeString(directory.resolve("secret"), " with blanks \n");

        // when
        assertThat(prepare("WINNOW_PASSWORD_FILE", secret.toString())).isEmpty();

        // then
        assertThat(UserFile.read(file).matches("admin", " with blanks ")).isTrue();
    }

    @Test
    void shouldSayWhatIsWrongWithThePasswordOfTheEnvironment() throws IOException {
        // given
        Path empty = Files.writeString(directory.resolve("empty"), "\n");
        Path missing = directory.resolve("missing");

        // then
        assertThatThrownBy(() -> prepare("WINNOW_PASSWORD_FILE", empty.toString()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "WINNOW_PASSWORD_FILE: expected a password in " + empty + ", found none");
        assertThatThrownBy(() -> prepare("WINNOW_PASSWORD_FILE", missing.toString()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("WINNOW_PASSWORD_FILE: " + missing + ": no such file or directory");
        assertThatThrownBy(() ->
                        FirstUser.prepare(
                                file,
                                "admin",
                                Map.of("WINNOW_PASSWORD", "a", "WINNOW_PASSWORD_FILE", "b")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("expected WINNOW_PASSWORD or WINNOW_PASSWORD_FILE, found both");
        assertThat(file).doesNotExist();
    }

    @Test
    void shouldRefuseANameThatCannotBeReadAgain() {
        assertThatThrownBy(() -> FirstUser.prepare(file, "a:b", Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected a user name without ':'");
        assertThat(file).doesNotExist();
    }

    @Test
    @Timeout(20)
    void shouldRefuseALinkThatLeadsNowhere() throws IOException {
        Files.createSymbolicLink(file, directory.resolve("missing"));

        String why = file + ": expected a file, or a link to one, found a link to a file that is";
        assertThatThrownBy(this::prepare)
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(why);
        assertThatThrownBy(() -> prepare("WINNOW_PASSWORD", "x"))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(why);
    }

    @Test
    void shouldNameTheFileThatCannotBeWritten() {
        // given
        file = directory.resolve("missing/users");

        // then
        assertThatThrownBy(this::prepare)
                .isInstanceOf(IOException.class)
                .hasMessage(file + ": no such file or directory");
        assertThatThrownBy(() -> prepare("WINNOW_PASSWORD", "x"))
                .isInstanceOf(IOException.class)
                .hasMessage(file + ": no such file or directory");
    }
}

package winnow.loadgen.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import winnow.loadgen.run.LoadException;

class WorkerSecretTest {

    private static final byte[] TEXT = "text".getBytes(StandardCharsets.US_ASCII);

    @TempDir private Path directory;

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldWriteANewSecretThatOnlyItsOwnerMayRead() throws Exception {
        // given
        var file = directory.resolve("secret");
        var other = directory.resolve("other");

        // when
        WorkerSecret.write(file);
        WorkerSecret.write(other);

        // then
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(code(file)).isEqualTo(code(file)).isNotEqualTo(code(other));
        assertThatExceptionOfType(LoadException.class)
                .isThrownBy(() -> WorkerSecret.write(file))
                .withMessageContaining("expected a new file");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldRefuseAFileThatOthersMayRead() throws Exception {
        // given
        var file = directory.resolve("secret");
        WorkerSecret.write(file);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));

        // then
        assertThatExceptionOfType(LoadException.class)
                .isThrownBy(() -> WorkerSecret.of(file, Map.of()))
                .withMessageContaining("only its owner may read, found rw-r-----: 'chmod 600'");
    }

    @Test
    void shouldRefuseAFileOfAnotherUser() {
        var file = directory.resolve("secret");

        assertThatCode(() -> WorkerSecret.checkOwner(file, 1_000, 1_000))
                .doesNotThrowAnyException();
        assertThatCode(() -> WorkerSecret.checkOwner(file, 0, 1_000)).doesNotThrowAnyException();
        for (var user : new int[] {0, 1_000}) {
            assertThatExceptionOfType(LoadException.class)
                    .isThrownBy(() -> WorkerSecret.checkOwner(file, 12_345, user))
                    .withMessageContaining(
                            "of the user %d or of root, found one of the user 12345"
                                    .formatted(user));
        }
    }

    @Test
    void shouldTakeTheSecretOfTheEnvironment() throws Exception {
        // given
        var file = directory.resolve("secret");
        WorkerSecret.write(file);
        var environment = Map.of(WorkerSecret.VARIABLE, Files.readString(file));

        // then
        assertThat(WorkerSecret.of(null, environment).code(TEXT)).isEqualTo(code(file));
    }

    @Test
    void shouldHaveNoDefaultAndTakeNoShortOne() {
        assertThatExceptionOfType(LoadException.class)
                .isThrownBy(() -> WorkerSecret.of(null, Map.of()))
                .withMessageContaining("--secret-file or $WINNOW_WORKER_SECRET, found neither");
        assertThatExceptionOfType(LoadException.class)
                .isThrownBy(() -> WorkerSecret.of(null, Map.of(WorkerSecret.VARIABLE, "guess me")))
                .withMessageContaining("at least 32 characters, found 8")
                .withMessageNotContaining("guess");
    }

    private static byte[] code(Path file) throws LoadException {
        return WorkerSecret.of(file, Map.of()).code(TEXT);
    }
}

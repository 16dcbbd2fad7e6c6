package winnow.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Lets writes fail by a limit on the size of files, which any user may set. The full disk and the
/// failing sync need rights and tools: `tests/store-faults`.
class FailingDiskTest {
    private static final int LIMIT_KIBIBYTES = 24 * 1024;

    @TempDir private Path temporary;

    @Test
    void shouldFailForGoodWhenAWriteFails() throws Exception {
        // given
        Path directory = temporary.resolve("store");
        String limited = "ulimit -f " + LIMIT_KIBIBYTES + "; exec \"$@\"";

        // when
        Process process = AppendingProcess.start(directory, 64, "bash", "-c", limited, "bash");
        List<String> lines = process.inputReader().readAllLines();
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();

        // then
        assertThat(process.exitValue())
                .as(Files.readString(AppendingProcess.errors(directory)))
                .isEqualTo(3);
        int completed = 0;
        while (lines.get(completed + 1).equals("completed " + (completed + 1))) {
            completed++;
        }
        assertThat(completed).isGreaterThan(1000);
        int failed = lines.size() - completed - 2;
        assertThat(failed).isPositive();
        for (int i = 1; i <= failed; i++) {
            assertThat(lines.get(completed + i)).isEqualTo("failed " + (completed + i) + " IO");
        }
        assertThat(lines.getLast()).isEqualTo("readable " + completed);
        try (RocksShardLog log =
                RocksShardLog.open(directory, Runnable::run, AppendingProcess.SETTINGS)) {
            assertThat(NumberedBatches.verify(log)).isGreaterThanOrEqualTo(completed);
        }
    }
}

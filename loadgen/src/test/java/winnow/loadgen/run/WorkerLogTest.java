package winnow.loadgen.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkerLogTest {

    @TempDir private Path directory;

    @Test
    void shouldSumUpTheWarningsOfThisRun() throws IOException {
        // given
        var file = directory.resolve("worker-1.log");
        Files.writeString(file, "[publisher-0] WARN a.Old - of an earlier run\n");
        var log = WorkerLog.from(file);

        // when
        Files.writeString(
                file,
                """
                [winnow-io-1] INFO a.B - connected
                [publisher-0] WARN a.Output - waiting for more than a second: it says - so
                [publisher-1] WARN a.Output - waiting for more than a second: the same
                """,
                StandardOpenOption.APPEND);

        // then
        assertThat(log.summary())
                .hasValue(
                        "the provider warned 2 times (%s), first: waiting for".formatted(file)
                                + " more than a second: it says - so");
    }

    @Test
    void shouldSayNothingWithoutWarnings() throws IOException {
        var file = directory.resolve("worker-1.log");

        assertThat(WorkerLog.from(file).summary()).isEmpty();
        Files.writeString(file, "[winnow-io-1] INFO a.B - connected\n");
        assertThat(new WorkerLog(file, 0).summary()).isEmpty();
        assertThat(new WorkerLog(file, 1000).summary()).isEmpty();
    }
}

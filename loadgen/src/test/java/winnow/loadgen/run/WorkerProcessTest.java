package winnow.loadgen.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import winnow.loadgen.fake.FakeConnectionFactory;
import winnow.loadgen.worker.Command;
import winnow.loadgen.worker.Pace;
import winnow.loadgen.worker.Part;
import winnow.loadgen.worker.Provider;
import winnow.loadgen.worker.Reply;
import winnow.loadgen.worker.WorkerMain;
import winnow.loadgen.workload.DeliveryGuarantee;
import winnow.loadgen.workload.FilterKind;
import winnow.loadgen.workload.MessageSource;
import winnow.loadgen.workload.Point;

class WorkerProcessTest {

    private static final Duration LONG = Duration.ofSeconds(20);

    @TempDir private Path directory;

    @Test
    void shouldOpenOnePointAtATime() throws Exception {
        // given
        var start = new WorkerStart(System.getProperty("java.class.path"), List.of("-Xmx128m"));
        try (var worker = start.process("worker", directory.resolve("log"))) {
            worker.tell(open());
            worker.answer(Reply.Opened.class, LONG);

            // when
            worker.tell(open());

            // then
            assertThatExceptionOfType(LoadException.class)
                    .isThrownBy(() -> worker.answer(Reply.Opened.class, LONG))
                    .withMessageContaining("expected a close command first");
            worker.tell(new Command.Close());
            worker.answer(Reply.Closed.class, LONG);
            worker.tell(open());
            worker.answer(Reply.Opened.class, LONG);
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldNoticeASuspendedProcess() throws Exception {
        // given
        var start = new WorkerStart(System.getProperty("java.class.path"), List.of("-Xmx128m"));
        try (var worker = start.process("worker", directory.resolve("log"))) {
            worker.tell(open());
            worker.answer(Reply.Opened.class, LONG);
            worker.check();
            var child =
                    ProcessHandle.current()
                            .children()
                            .filter(process ->
                                    String.join(" ", process.info().arguments().orElseThrow())
                                            .contains(WorkerMain.class.getName()))
                            .findFirst()
                            .orElseThrow();

            // when
            new ProcessBuilder("kill", "-STOP", Long.toString(child.pid())).start().waitFor();

            // then
            try {
                assertThatExceptionOfType(LoadException.class)
                        .isThrownBy(() -> checkFor(LONG, worker))
                        .withMessageContaining("is suspended");
            } finally {
                new ProcessBuilder("kill", "-CONT", Long.toString(child.pid())).start().waitFor();
            }
        }
    }

    private static void checkFor(Duration time, WorkerProcess worker) throws Exception {
        var end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() < end) {
            worker.check();
            Thread.sleep(50);
        }
    }

    @Test
    void shouldEndWithItsInputWhateverItIsDoing() throws Exception {
        // given: a minute of work
        var process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-cp",
                                System.getProperty("java.class.path"),
                                WorkerMain.class.getName())
                        .redirectErrorStream(true)
                        .redirectOutput(directory.resolve("log").toFile())
                        .start();
        var order =
                new Command.MeasureLatency(
                        provider(),
                        "topic",
                        Point.of(FilterKind.NONE, 1, 1, 0),
                        new Command.MessageShape(
                                8, DeliveryGuarantee.NON_PERSISTENT, false, MessageSource.CACHED),
                        new Pace(10, 0, 60_000),
                        1_000);
        try {
            // when
            try (var commands = process.outputWriter(StandardCharsets.UTF_8)) {
                commands.write(
                        new ObjectMapper().writerFor(Command.class).writeValueAsString(order));
                commands.newLine();
            }

            // then
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isZero();
        } finally {
            process.destroyForcibly();
        }
    }

    private static Provider provider() {
        return new Provider(FakeConnectionFactory.class.getName(), "fake:none", "", "");
    }

    private Command.Open open() {
        return new Command.Open(
                provider(),
                Part.ALL,
                Part.ALL,
                "topic",
                Point.of(FilterKind.NONE, 1, 1, 0),
                new Command.MessageShape(
                        0, DeliveryGuarantee.NON_PERSISTENT, false, MessageSource.CACHED),
                100,
                Command.Reserving.PUBLISHER,
                directory.resolve("counters").toString());
    }
}

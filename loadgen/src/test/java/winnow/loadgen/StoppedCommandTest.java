package winnow.loadgen;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.loadgen.fake.FakeConnectionFactory;

/// Commands in a process of their own, which is stopped as by Ctrl-C.
class StoppedCommandTest {

    private static final String PROVIDER =
            " --provider " + FakeConnectionFactory.class.getName() + " --url fake:none";

    @TempDir private Path directory;

    @Test
    void shouldReportThePointsSoFar() throws Exception {
        // given
        var points = directory.resolve("points.jsonl");
        var command =
                "load run --scenario 4.9-property --matching 1,3 --others 0,2 --duration 100ms"
                        + " --first-warmup 0s --worker-options=-Xmx128m --out "
                        + directory
                        + PROVIDER;

        // when: after some points of twelve
        var told = stoppedOnce(command, () -> lines(points) > 3);

        // then
        assertThat(told)
                .contains("The points so far are in")
                .contains("The report of this command's points is");
        assertThat(Files.readString(directory.resolve("report.html"))).contains("4.9-property");
        assertThat(Files.readString(points)).doesNotContain("\"type\":\"failed\"");
    }

    @Test
    void shouldHaveKeptTheRatesSoFar() throws Exception {
        // given
        var file = directory.resolve("rate.json");
        var command =
                "load rate --rate 100,200,300,400,500,600 --warmup 0s --duration 500ms --out "
                        + directory
                        + PROVIDER;

        // when: after the first of six
        stoppedOnce(command, () -> Files.exists(directory.resolve("rate.svg")));

        // then
        var runs = new ObjectMapper().readTree(file.toFile()).path("runs");
        assertThat(runs.size()).isBetween(1, 5);
        assertThat(runs.path(0).path("ratePerSecond").asInt()).isEqualTo(100);
        assertThat(directory.resolve("rate.svg")).exists();
    }

    @FunctionalInterface
    private interface Condition {
        boolean holds() throws IOException;
    }

    /// What a command says that is stopped when a condition holds.
    private String stoppedOnce(String command, Condition condition) throws Exception {
        var log = directory.resolve("log");
        var arguments =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-cp",
                                System.getProperty("java.class.path"),
                                Main.class.getName()));
        arguments.addAll(List.of(command.split(" ", -1)));
        var process =
                new ProcessBuilder(arguments)
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        try {
            var end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
            while (!condition.holds() && process.isAlive() && System.nanoTime() < end) {
                Thread.sleep(20);
            }
            // Ctrl-C reaches the workers, too.
            var all = Stream.concat(Stream.of(process.toHandle()), process.descendants()).toList();
            all.forEach(ProcessHandle::destroy);
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        return Files.readString(log);
    }

    private static int lines(Path file) throws IOException {
        return Files.exists(file) ? Files.readString(file).split("\n", -1).length - 1 : 0;
    }
}

package winnow.loadgen.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import winnow.loadgen.Main;
import winnow.loadgen.ageing.RoundFile;
import winnow.loadgen.fake.FakeConnectionFactory;

class AgeingCommandTest {

    private static final String ROUNDS =
            "load ageing --quick --matching 1,3 --others 0,2 --point-duration 100ms"
                    + " --repetitions 1 --first-warmup 0s --every 10ms --load 0%"
                    + " --worker-options=-Xmx128m --url fake:none --provider "
                    + FakeConnectionFactory.class.getName();

    @TempDir private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void shouldGoOnAfterATornRound() throws Exception {
        // given: some rounds, and the beginning of one more
        assertThat(execute(ROUNDS + " --duration 1s --out " + directory)).isZero();
        var file = directory.resolve("rounds.jsonl");
        var before = Files.readAllLines(file);
        assertThat(before).hasSizeGreaterThan(1);
        Files.writeString(file, "{\"number\":99,\"at\":\"2026", StandardOpenOption.APPEND);

        // when: the time is counted from the first round, however long that has taken here
        var first = Instant.parse(rounds(before).findFirst().orElseThrow().get("at").asText());
        var seconds = Duration.between(first, Instant.now()).toSeconds() + 4;
        assertThat(execute(ROUNDS + " --duration " + seconds + "s --out " + directory)).isZero();

        // then
        var after = Files.readAllLines(file);
        assertThat(after)
                .startsWith(before.toArray(String[]::new))
                .hasSizeGreaterThan(before.size());
        var numbers = rounds(after).map(round -> round.get("number").asInt()).toList();
        assertThat(numbers).isEqualTo(Stream.iterate(1, n -> n + 1).limit(numbers.size()).toList());
        assertThat(rounds(after))
                .allSatisfy(
                        round -> assertThat(round.at("/throughput/value").asDouble()).isPositive());
        assertThat(out.toString()).contains("throughput", "t_tx", "report: file:");
        assertThat(directory.resolve("report.html")).exists();
        assertThat(directory.resolve("ageing.svg")).exists();
    }

    @Test
    void shouldRefuseRoundsOfACommandInAnotherProcess() throws Exception {
        // given
        try (var rounds = RoundFile.open(directory, "load", _ -> {})) {
            assertThat(rounds.rounds()).isEmpty();
            var log = directory.resolve("log").toFile();
            var arguments =
                    new ArrayList<>(
                            List.of(
                                    Path.of(System.getProperty("java.home"), "bin", "java")
                                            .toString(),
                                    "-cp",
                                    System.getProperty("java.class.path"),
                                    Main.class.getName()));
            arguments.addAll(List.of((ROUNDS + " --duration 1ms --out " + directory).split(" ")));

            // when
            var other = new ProcessBuilder(arguments).redirectErrorStream(true).redirectOutput(log);
            var code = other.start().waitFor();

            // then
            assertThat(code).isEqualTo(1);
            assertThat(log).content().contains("no other command that adds rounds");
        }
    }

    @Test
    void shouldExplainItself() {
        // when
        var codes = execute("load ageing --help") + execute("load diff --help");

        // then: percent signs are those of people, not of formats
        assertThat(codes).isZero();
        assertThat(out.toString())
                .contains("lost 30 % of its throughput", "95 %")
                .doesNotContain("%%");
    }

    @Test
    void shouldRefuseRoundsOfAnotherLoad() {
        // given
        assertThat(execute(ROUNDS + " --duration 1ms --out " + directory)).isZero();

        // when
        var code =
                execute(
                        ROUNDS.replace("repetitions 1", "repetitions 3")
                                + " --duration 1ms --out "
                                + directory);

        // then
        assertThat(code).isEqualTo(1);
        assertThat(err.toString()).contains("expected rounds of the same points and settings");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--every 0s",
                "--duration 0s",
                "--duration 400d",
                "--load 101%",
                "--load 0.5",
                "--fail-above 5",
                "--repetitions 2",
                "--matching -1"
            })
    void shouldRefuseWhatCannotBe(String option) {
        // when
        var code = execute("load ageing --out " + directory.resolve("none") + " " + option);

        // then
        assertThat(code).isEqualTo(2);
        assertThat(directory.resolve("none")).doesNotExist();
    }

    private static Stream<JsonNode> rounds(List<String> lines) {
        return lines.stream().skip(1).map(AgeingCommandTest::parsed);
    }

    private static JsonNode parsed(String line) {
        try {
            return new ObjectMapper().readTree(line);
        } catch (IOException malformed) {
            throw new UncheckedIOException(malformed);
        }
    }

    private int execute(String arguments) {
        return CommandTree.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments.split(" ", -1));
    }
}

package winnow.loadgen.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import winnow.loadgen.peer.PeerLoad;
import winnow.loadgen.peer.PeerResult;
import winnow.loadgen.rate.LatencyFigures;
import winnow.loadgen.rate.RateResult;

class PaperCommandTest {

    private static final LatencyFigures FIGURES =
            new LatencyFigures(1000, 500, 400, 700, 900, 1100, 1200, 1300);

    @TempDir private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    static List<PaperStep> steps() {
        return PaperStep.all();
    }

    @ParameterizedTest
    @MethodSource("steps")
    void shouldHaveCommandsThatCanBeTyped(PaperStep step) {
        for (var isFull : new boolean[] {true, false}) {
            var arguments =
                    step.arguments(isFull, directory, List.of("--url", "winnow://127.0.0.1:1"));

            assertThatCode(() ->
                            CommandTree.commandLine().parseArgs(arguments.toArray(String[]::new)))
                    .doesNotThrowAnyException();
        }
        assertThat(step.seconds(false)).isBetween(1, step.seconds(true));
    }

    @Test
    void shouldHaveStepsWithNamesOfTheirOwn() {
        assertThat(PaperStep.all()).extracting(PaperStep::name).doesNotHaveDuplicates();
    }

    @Test
    void shouldGoOnWhereItStopped() throws Exception {
        // given a command that did two steps
        var arguments = "load paper --only no-delay,buffers-512k --out " + directory;
        assertThat(execute(arguments)).as(err.toString()).isZero();
        var first = Files.getLastModifiedTime(directory.resolve("no-delay/round-trips.json"));
        assertThat(page().select("#no-delay-latency, #buffers-512k-latency")).hasSize(2);

        // when it is as if it had been stopped in the second one
        Files.delete(directory.resolve("buffers-512k/step.json"));
        var code = execute(arguments);

        // then it does that one again, and not the first
        assertThat(code).as(err.toString()).isZero();
        assertThat(directory.resolve("buffers-512k/step.json")).isNotEmptyFile();
        assertThat(Files.getLastModifiedTime(directory.resolve("no-delay/round-trips.json")))
                .isEqualTo(first);
        assertThat(page().select("#no-delay-latency, #buffers-512k-latency")).hasSize(2);
        assertThat(page().select("#steps td code"))
                .extracting(Element::text)
                .allMatch(command -> command.startsWith("winnow load round-trip"));
    }

    @Test
    void shouldNotMixBothForms() throws Exception {
        // given
        assertThat(execute("load paper --only no-delay --out " + directory)).isZero();

        // when
        var code = execute("load paper --full --only no-delay --out " + directory);

        // then
        assertThat(code).isEqualTo(1);
        assertThat(err.toString())
                .contains("expected results of the full form in " + directory)
                .contains("choose another --out");
    }

    @Test
    void shouldSayWhichStepsThereAre() {
        assertThat(execute("load paper --only 4.1,nonsense --out " + directory)).isEqualTo(2);
        assertThat(err.toString()).contains("expected steps out of 4.1, ", "found nonsense");

        assertThat(execute("load paper --steps --only 4.1")).isZero();
        assertThat(out.toString()).contains("winnow load run --scenario 4.1 ", "--out DIR/4.1");

        assertThat(execute("load paper --steps --only 4.6")).isZero();
        assertThat(out.toString())
                .contains("--out DIR/4.6-linear", "--out DIR/4.6-indexed", "matching-by-topic");
    }

    @Test
    void shouldSayWhatItNeedsForABroker() {
        assertThat(execute("load paper --only 4.1 --out " + directory)).isEqualTo(1);
        assertThat(err.toString()).contains("start it with ./winnow load paper");
    }

    @Test
    void shouldNotTakeARunWithoutMeasurementsForResults() throws Exception {
        // given a run that was stopped before its first point
        write("4.1", "points.jsonl", "");

        // when
        var code = execute("load paper --only 4.1 --out " + directory);

        // then it is to be done, which needs a broker here
        assertThat(code).isEqualTo(1);
        assertThat(err.toString()).contains("start it with ./winnow load paper");
    }

    @Test
    void shouldDrawRatesAndReceivers() throws Exception {
        // given
        var rate =
                new RateResult(
                        100,
                        100,
                        100,
                        100,
                        100,
                        100,
                        100,
                        98,
                        2,
                        0,
                        0,
                        "",
                        FIGURES,
                        FIGURES,
                        new LatencyFigures(1000, 1, 1, 1, 1, 1, 1, 1),
                        List.of());
        write(
                "waiting",
                "rate.json",
                RateText.json(Map.of("capacityPerSecond", 1000, "runs", List.of(rate))));
        write("intervals", "rate.json", RateText.json(Map.of("runs", List.of(rate))));
        var load = new PeerLoad(PeerLoad.Way.QUEUES, 20, 1000, 1, true, 10, 10);
        write(
                "peers",
                "peers.json",
                RateText.json(Map.of("peers", List.of(new PeerResult(load, 1, 2, 3, 4)))));

        // when
        assertThat(execute("load paper --only waiting,intervals,peers --out " + directory))
                .as(err.toString())
                .isZero();

        // then
        var page = page();
        assertThat(page.select("svg"))
                .extracting(svg -> svg.id())
                .containsExactly(
                        "waiting-paper", "waiting-forecast", "waiting", "peers", "intervals");
        assertThat(page.select("#waiting title"))
                .extracting(title -> title.text())
                .contains("100 messages/s, p99: 0.900 ms");
        assertThat(page.text()).contains("2 of 100 messages were lost or refused");
        assertThat(page.select("script, link, img, [src]")).isEmpty();
        assertThat(page.select("nav a"))
                .extracting(link -> link.attr("href"))
                .containsExactly("#waiting", "#peers", "#steps");
    }

    private void write(String name, String file, String json) throws IOException {
        var step = PaperStep.all().stream().filter(one -> one.name().equals(name)).findFirst();
        var folder = Files.createDirectories(directory.resolve(name));
        Files.writeString(folder.resolve(file), json);
        new PaperRecord(false, "winnow load x", 0, 10).write(step.orElseThrow(), directory);
    }

    private Document page() throws IOException {
        return Jsoup.parse(Files.readString(directory.resolve("paper.html")));
    }

    private int execute(String arguments) {
        return CommandTree.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments.split(" ", -1));
    }
}

package winnow.loadgen;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import winnow.loadgen.command.CommandTree;
import winnow.loadgen.fake.FakeConnectionFactory;
import winnow.loadgen.model.PaperTable;
import winnow.loadgen.option.LoadSession;
import winnow.loadgen.run.RunSamples;
import winnow.loadgen.workload.Scenarios;

class MainTest {

    private static final String QUICK_RUN =
            "load run --scenario 4.9-property --matching 0,1,3 --others 0,2 --duration 200ms"
                    + " --warmup 10ms --cooldown 0ms --first-warmup 0s --seed 7"
                    + " --worker-options=-Xmx128m --provider "
                    + FakeConnectionFactory.class.getName();

    /// In stored points.
    private static final String USE_OF_THE_MACHINE =
            "\"(machineBusyShare|machineStolenShare|memoryShare)\":[^,}]+";

    @TempDir private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--help",
                "load --help",
                "load list --help",
                "load run --help",
                "load fit --help",
                "load mix --help",
                "load plan --help",
                "load round-trip --help",
                "demo --help",
                "pub --help",
                "sub --help"
            })
    void shouldExplainItself(String arguments) {
        // when
        var code = execute(arguments);

        // then
        assertThat(code).isZero();
        assertThat(out.toString()).startsWith("Usage: winnow").contains("--help");
    }

    @Test
    void shouldListEveryScenario() {
        // when
        var code = execute("load list");

        // then
        assertThat(code).isZero();
        assertThat(out.toString().lines().map(line -> line.split(" ", 2)[0]))
                .containsAll(Scenarios.names());
        assertThat(out.toString())
                .containsPattern(
                        "4\\.8 +4\\.8 +12 +12 +0:47 min +27 +\\d+:\\d\\d min +AND filters");
    }

    @ParameterizedTest
    @CsvSource({
        "--axis colour=red, expected an axis out of",
        "--axis topics=many, expected numbers for the axis topics",
        "--axis topics=0, expected topics >= 1"
    })
    void shouldRefuseAxesThatCannotBe(String option, String reason) {
        // when
        var code = execute("load run --scenario 4.5 " + option);

        // then
        assertThat(code).isEqualTo(2);
        assertThat(err.toString()).contains(reason);
    }

    @Test
    void shouldSayWhatAnotherSelectorRemoves() {
        // when
        execute("sub --help");

        // then
        assertThat(out.toString().replaceAll("\\s+", " "))
                .contains("another topic, --selector or --correlation-id than before")
                .contains("what waits for it is removed");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "load",
                "load run",
                "load run --scenario 5.1",
                "load run --scenario throughput --duration 3",
                "load run --scenario throughput --publishers 0",
                "load run --scenario throughput --duration 0s",
                "load run --scenario throughput --duration 99999999999999999999s",
                "load run --scenario throughput --metrics-url foo",
                "load run --scenario throughput --broker-pid 8388608",
                "load mix --rate 0",
                "load rate --rate 0",
                "load knee",
                "load peers --receivers 0",
                "load mix --duration 0s",
                "pub",
                "pub --message x",
                "pub topic one two",
                "pub topic one --message two",
                "pub --queue orders one two",
                "pub topic --message one --file /dev/null",
                "load run --scenario throughput --provider a.b.Factory",
                "pub topic --count 0 --message x",
                "pub topic --priority 10 --message x",
                "sub",
                "sub topic other",
                "sub topic --queue orders",
                "sub topic --unsubscribe",
                "sub --queue orders --durable audit",
                "sub --queue orders --correlation-id 7",
                "sub topic --output yaml",
                "sub topic --count 0",
                "sub topic --timeout 0s"
            })
    void shouldPointToTheHelpWhenMisused(String arguments) {
        // when
        var code = execute(arguments);

        // then
        assertThat(code).isEqualTo(2);
        assertThat(err.toString()).startsWith("winnow").contains("See 'winnow", "--help'");
        assertThat(err.toString().lines()).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            textBlock =
                    """
                    sub | expected a topic or --queue NAME, found neither
                    pub | expected a topic or --queue NAME, found neither
                    sub prices --queue orders | expected a topic or --queue NAME, found both: \
                    topic 'prices' and --queue 'orders'
                    pub prices 42 --queue orders | expected one text and no topic \
                    with --queue 'orders', found also 'prices'
                    pub prices 42 43 | expected one text, found also '43'
                    pub prices 42 --file x | expected one text, found also '42'
                    pub prices --message 42 --file x | found both --message and --file
                    pub prices --file missing | --file: expected a file, found none: 'missing'
                    pub prices 42 --broker h:1 | Did you mean '--url'?
                    sub prices --host h | Did you mean '--url'?
                    """)
    void shouldSayWhatWasExpectedWhenMisused(String arguments, String message) {
        // when
        var code = execute(arguments);

        // then
        assertThat(code).isEqualTo(2);
        assertThat(err.toString()).contains(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"pub topic --message x", "pub --queue orders x", "sub topic"})
    void shouldSayHowToStartABrokerWhereNoneIs(String arguments) {
        // when
        var code = execute(arguments + " --url winnow://127.0.0.1:1?startupMaxReconnectAttempts=0");

        // then
        assertThat(code).isEqualTo(1);
        assertThat(err.toString())
                .contains("cannot connect to 127.0.0.1:1")
                .contains("Is the broker running? './winnow broker' starts one");
    }

    @Test
    void shouldSayAtAStopWhetherThereIsSomethingToGoOnWith() throws Exception {
        // given
        var nothing = "Stopped before a point was measured: there are no results";
        var points = directory.resolve("points.jsonl");

        // then
        assertThat(LoadSession.whatIsThere(directory)).contains(nothing).doesNotContain("fit");

        // when
        var code = execute(QUICK_RUN + " --url fake://127.0.0.1/none --out " + directory);

        // then
        assertThat(code).as(err.toString()).isZero();
        assertThat(LoadSession.whatIsThere(directory))
                .contains(
                        "./winnow load fit %s --report %s"
                                .formatted(points, directory.resolve("report.html")));

        // when the run had only begun
        Files.writeString(points, Files.readAllLines(points).getFirst() + "\n");

        // then
        assertThat(LoadSession.whatIsThere(directory)).contains(nothing);
    }

    @Test
    void shouldMeasureReportAndFitAgain() throws Exception {
        // when
        var code = execute(QUICK_RUN + " --url fake://127.0.0.1/none --out " + directory);
        var points = directory.resolve("points.jsonl");
        var again = directory.resolve("again.html");
        var sameCode = execute("load fit %s --report %s".formatted(points, again));

        // then
        assertThat(code).as(err.toString()).isZero();
        assertThat(sameCode).as(err.toString()).isZero();
        assertThat(out.toString()).contains("report: file:///");
        assertThat(directory.resolve("report.html")).isNotEmptyFile();
        assertThat(again).hasSameTextualContentAs(directory.resolve("report.html"));

        // when nothing else has used the machine
        var quiet = Files.readString(points).replaceAll(USE_OF_THE_MACHINE, "\"$1\":0.1");
        Files.writeString(points, quiet);
        var textCode = execute("load fit %s --report %s".formatted(points, again));
        var jsonCode = execute("load fit --output json %s --report %s".formatted(points, again));

        // then
        assertThat(textCode + jsonCode).as(err.toString()).isZero();
        assertThat(out.toString()).contains("t_fltr", "of the measured throughput");
        assertThat(out.toString().lines().toList().getLast())
                .startsWith("{\"fits\":[{\"filter\":\"property\",\"matching\":null,")
                .contains("\"tFltrMicros\":", "\"basis\":\"throughput\"", "\"overallPerSecond\":")
                .endsWith("again.html\"}");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldConcludeThoughPointsCannotBeStored() throws Exception {
        // given
        Files.createSymbolicLink(directory.resolve("points.jsonl"), Path.of("/dev/full"));

        // when
        var code = execute(QUICK_RUN + " --url fake://127.0.0.1/none --out " + directory);

        // then
        assertThat(code).isEqualTo(1);
        assertThat(out.toString()).contains("measurements count", "report: ");
        assertThat(err.toString()).contains("cannot write results to " + directory);
    }

    @Test
    void shouldFitWhatIsBeforeALineThatWasCutOff() throws Exception {
        // given
        RunSamples.store(RunSamples.exactRun(PaperTable.PROPERTY), directory);
        var points = directory.resolve("points.jsonl");
        Files.writeString(points, Files.readString(points) + "{\"type\":\"po");

        // when
        var code = execute("load fit %s --report %s".formatted(points, directory.resolve("page")));

        // then
        assertThat(code).as(err.toString()).isZero();
        assertThat(out.toString()).contains("All 15 measurements count.");
        assertThat(err.toString()).contains(points + " line 17 is cut off and left out");
        assertThat(LoadSession.whatIsThere(directory)).contains("The points so far are in");
    }

    @Test
    void shouldNotFitPointsThatAreInvalidOrFailedAndSaySo() throws Exception {
        // given: the points of 4.9's quick grid, one of which has lost copies, one was not
        // saturated, and one gave no figures
        var disturbed = RunSamples.unsaturated(RunSamples.exactRun(PaperTable.PROPERTY), 5);
        RunSamples.store(RunSamples.withFailure(disturbed, "worker ended"), directory);
        var file = directory.resolve("points.jsonl");
        var lines = Files.readAllLines(file);
        lines.set(3, lines.get(3).replace("\"lost\":0", "\"lost\":123456"));
        Files.write(file, lines);
        var page = directory.resolve("page.html");

        // when
        var textCode = execute("load fit %s --report %s".formatted(file, page));
        var text = out.toString();
        var jsonCode = execute("load fit --output json %s --report %s".formatted(file, page));

        // then
        assertThat(textCode).as(err.toString()).isZero();
        assertThat(text)
                .contains(
                        "13 of 16 measurements count; left out: 1 not saturated or too disturbed,"
                                + " 2 failed.");
        assertThat(Files.readString(page))
                .contains("123,456 of 100,000 copies were lost", "not saturated", "worker ended");
        assertThat(jsonCode).isZero();
        var json = new ObjectMapper().readTree(out.toString().substring(text.length()));
        assertThat(json.at("/fits/0/points").intValue()).isEqualTo(10);
        assertThat(json.at("/fits/0/leftOut").intValue()).isEqualTo(3);
        assertThat(json.at("/points").findValuesAsText("verdict"))
                .hasSize(16)
                .containsOnlyOnce("invalid")
                .contains("valid", "failed");
        assertThat(json.at("/points/5/reasons/0").textValue()).startsWith("not saturated");
        assertThat(json.at("/points/15/reasons/0").textValue()).isEqualTo("worker ended");
    }

    @Test
    void shouldReportEveryPointThatTheBrokerFailsIn() {
        // when
        var code =
                execute(QUICK_RUN + " --matching 1 --url fake://127.0.0.1/fail --out " + directory);

        // then
        assertThat(code).isEqualTo(1);
        assertThat(err.toString())
                .contains("points failed, the first: failed property r=")
                .contains("fake broker is out of order")
                .doesNotContain("\tat ");
        assertThat(out.toString()).contains("left out: ", " failed", "report: ");
        assertThat(directory.resolve("report.html")).isNotEmptyFile();
    }

    @Test
    void shouldNameWhatItCannotReadOrMake() throws Exception {
        // given
        var missing = directory.resolve("missing.jsonl");
        var file = Files.createFile(directory.resolve("file"));

        // when
        var codes =
                List.of(
                        execute("load fit " + missing),
                        execute("load fit " + directory),
                        execute(QUICK_RUN + " --url fake://127.0.0.1/none --out " + file));

        // then
        assertThat(codes).containsOnly(1);
        assertThat(err.toString().lines())
                .containsExactly(
                        "winnow: cannot read results from %s (expected '%s', found none)"
                                .formatted(missing, missing),
                        "winnow: cannot read results from %s (Is a directory)".formatted(directory),
                        "winnow: cannot make the directory %s (expected a directory, found a"
                                        .formatted(file)
                                + " file: '%s')".formatted(file));
    }

    @Test
    void shouldNameTheDirectoryWithoutTheProvider() {
        // when
        var code =
                execute(
                        QUICK_RUN
                                + " --url fake:none --classpath %s --out %s"
                                        .formatted(directory, directory));

        // then
        assertThat(code).isEqualTo(1);
        assertThat(err.toString())
                .contains("FakeConnectionFactory in a jar of '" + directory + "', found none");
    }

    @Test
    void shouldPrintTheFitThoughTheReportCannotBeWritten() throws Exception {
        // given
        RunSamples.store(RunSamples.exactRun(PaperTable.PROPERTY), directory);
        var page = directory.resolve("missing/page.html");

        // when
        var code =
                execute(
                        "load fit %s --report %s"
                                .formatted(directory.resolve("points.jsonl"), page));

        // then
        assertThat(code).isEqualTo(1);
        assertThat(err.toString()).contains("cannot write the report to " + page);
        assertThat(out.toString()).contains("t_fltr").doesNotContain("report:");
    }

    @Test
    void shouldNotReplaceMeasurementsByAReport() throws Exception {
        // given
        RunSamples.store(RunSamples.exactRun(PaperTable.PROPERTY), directory);
        var points = directory.resolve("points.jsonl");
        var measured = Files.readString(points);
        var link = Files.createSymbolicLink(directory.resolve("link"), points);

        // when
        var codes =
                List.of(
                        execute("load fit %s --report %s".formatted(points, points)),
                        execute("load fit %s --report %s".formatted(points, link)),
                        execute("load chart a=%s --out %s".formatted(points, link)));

        // then
        assertThat(codes).containsOnly(2);
        assertThat(points).hasContent(measured);
        assertThat(err.toString())
                .contains(
                        "--report: expected another file than the measurements, found '"
                                + points
                                + "'")
                .contains("--out: expected another file than the measurements");
    }

    @Test
    void shouldReplaceAReportAsAWhole() throws Exception {
        // given: a page that a link stands for
        RunSamples.store(RunSamples.exactRun(PaperTable.PROPERTY), directory);
        var points = directory.resolve("points.jsonl");
        var page = Files.writeString(directory.resolve("page.html"), "old");
        var link = Files.createSymbolicLink(directory.resolve("link"), page);

        // when
        var code = execute("load fit %s --report %s".formatted(points, link));

        // then
        assertThat(code).as(err.toString()).isZero();
        assertThat(page).content().startsWith("<!");
        assertThat(link).isSymbolicLink();
        try (var files = Files.list(directory)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder("points.jsonl", "points.csv", "page.html", "link");
        }
    }

    @Test
    void shouldNotPassCommandsOnToATerminal() throws Exception {
        // given: a broker that names its way of matching so
        var run = RunSamples.exactRun(PaperTable.PROPERTY);
        RunSamples.store(RunSamples.matched(run, "\u001b]0;title\u0007\u009b2J"), directory);
        var points = directory.resolve("points.jsonl");
        var arguments = "load fit %s --report %s".formatted(points, directory.resolve("page"));

        // when
        var codes = execute(arguments) + execute(arguments + " --output json");

        // then
        assertThat(codes).isZero();
        assertThat(out.toString())
                .doesNotContain("\u001b", "\u0007", "\u009b")
                .contains("property, \\u001b]0;title\\u0007\\u009b2J filters\n");
    }

    @Test
    void shouldQuoteWhatAShellWouldTakeApart() throws Exception {
        // given
        var odd = Files.createDirectory(directory.resolve("my $(results)"));
        RunSamples.store(RunSamples.exactRun(PaperTable.PROPERTY), odd);

        // then
        assertThat(LoadSession.whatIsThere(odd))
                .contains("./winnow load fit '%s/points.jsonl' --report '%s".formatted(odd, odd))
                .contains("--out '" + odd + "'\n");
    }

    @Test
    void shouldFailWithAMessageWhenThereIsNothingToFit() throws Exception {
        // given
        var empty = Files.createFile(directory.resolve("empty.jsonl"));

        // when
        var code = execute("load fit " + empty);

        // then
        assertThat(code).isEqualTo(1);
        assertThat(err.toString()).contains("expected at least one measured point", "empty.jsonl");
    }

    private int execute(String arguments) {
        var line = CommandTree.commandLine();
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(err, true));
        return line.execute(arguments.isEmpty() ? new String[0] : arguments.split(" ", -1));
    }
}

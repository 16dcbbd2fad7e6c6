package winnow.loadgen.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import winnow.loadgen.fake.FakeConnectionFactory;
import winnow.loadgen.provider.JarCache;
import winnow.loadgen.provider.ProviderFile;
import winnow.loadgen.run.ResultFiles;
import winnow.loadgen.workload.Extent;
import winnow.loadgen.workload.LoadSettings;
import winnow.loadgen.workload.Scenarios;

class CompareCommandTest {

    private static final String SHORT =
            "load compare --scenarios 4.1,4.2 --publishers 1 --matching 1 --duration 100ms --warmup"
                    + " 10ms --cooldown 0ms --first-warmup 0s --seed 7"
                    + " --worker-options=-Xmx128m --out ";

    @TempDir private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int execute(String arguments) {
        var line = CommandTree.commandLine();
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(err, true));
        return line.execute(arguments.split(" ", -1));
    }

    /// A provider that drives a broker within its own worker.
    private Path fake(String name, String fault) throws IOException {
        var file = directory.resolve(name + ".json");
        Files.writeString(
                file,
                "{\"client\": {\"factory\": \"%s\", \"url\": \"fake://127.0.0.1/%s\"}}"
                        .formatted(FakeConnectionFactory.class.getName(), fault));
        return file;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    --providers rabbit | found 'rabbit'
                    --providers winnow,winnow | expected each provider once, found 'winnow' again
                    --scenarios 4.1,4.1 | expected each scenario once
                    --scenarios 9.9 | expected a scenario out of
                    --repetitions 2 | expected an odd number of repetitions
                    --axis colour=red | expected an axis out of
                    """)
    void shouldSayWhatWasExpectedWhenMisused(String arguments, String message) {
        // when
        var code = execute("load compare " + arguments);

        // then
        assertThat(code).isEqualTo(2);
        assertThat(err.toString()).contains(message);
    }

    @Test
    void shouldExplainItself() {
        // when
        var code = execute("load compare --help");

        // then
        assertThat(code).isZero();
        assertThat(out.toString()).contains("in random order");
    }

    @Test
    void shouldMeasureProvidersSideBySide() throws Exception {
        // given
        var results = directory.resolve("results");

        // when
        var code =
                execute(
                        SHORT
                                + results
                                + " --repetitions 3 --providers %s,%s --output json"
                                        .formatted(fake("one", "none"), fake("two", "none")));

        // then
        assertThat(code).as(err.toString()).isZero();
        var object = new ObjectMapper().readTree(out.toString());
        assertThat(object.at("/scenarios/0/means/0/provider").asText()).isEqualTo("two");
        assertThat(object.at("/scenarios/0/means/0/rateRatio/pairs").asInt()).isEqualTo(3);
        assertThat(object.at("/scenarios/1/points/0/providers/1/rateRatio/low").asDouble())
                .isPositive();
        for (var name : List.of("one", "two")) {
            var runs = ResultFiles.read(results.resolve(name + "/4.2/points.jsonl"), _ -> {});
            assertThat(runs)
                    .singleElement()
                    .satisfies(run -> {
                        assertThat(run.measurements())
                                .extracting(one -> one.repetition())
                                .containsExactly(1, 2, 3);
                    });
        }
        assertThat(results.resolve("report.html")).content().contains("two");
    }

    @Test
    void shouldMeasureTheOthersWhenOneFails() throws Exception {
        // given
        var results = directory.resolve("results");

        // when
        var code =
                execute(
                        SHORT
                                + results
                                + " --repetitions 1 --providers %s,%s"
                                        .formatted(fake("good", "none"), fake("bad", "refuse")));

        // then
        assertThat(code).isEqualTo(1);
        assertThat(err.toString())
                .contains("winnow: bad: 4.1: 1 of 1 measurements failed")
                .contains("fake broker refuses");
        assertThat(out.toString()).contains("good").contains("report: file:///");
        var runs = ResultFiles.read(results.resolve("good/4.1/points.jsonl"), _ -> {});
        assertThat(runs.getFirst().measurements()).hasSize(1);
    }

    @Test
    void shouldKeepResultsOfTwoComparisonsApart() throws Exception {
        // when
        var code = execute(SHORT + fake("one", "none").getParent() + " --providers winnow");

        // then
        assertThat(code).isEqualTo(2);
        assertThat(err.toString()).contains("--out: expected an empty directory");
    }

    @Test
    void shouldGiveEveryProviderOneTurnInARepetition() throws Exception {
        // given
        var plan =
                new ComparisonRun.Plan(
                        List.of(
                                ProviderFile.of("winnow"),
                                ProviderFile.of("artemis"),
                                ProviderFile.of("qpid")),
                        List.of(Scenarios.named("4.1")),
                        Extent.QUICK,
                        LoadSettings.defaults(Extent.QUICK, LoadSettings.NO_BOUND),
                        Duration.ZERO,
                        List.of(),
                        new JarCache(directory, null),
                        "1g",
                        42,
                        "",
                        directory);

        // when
        var orders = IntStream.rangeClosed(1, 20).mapToObj(plan::order).toList();

        // then
        assertThat(orders)
                .allSatisfy(order ->
                        assertThat(order).containsExactlyInAnyOrderElementsOf(plan.providers()));
        assertThat(orders.stream().distinct().count()).isGreaterThan(3);
        assertThat(plan.order(5)).isEqualTo(orders.get(4));
    }
}

package winnow.loadgen.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import winnow.loadgen.model.PaperTable;
import winnow.loadgen.model.ServiceTimes;
import winnow.loadgen.run.RunSamples;

class PlanCommandTest {

    @TempDir private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void shouldSayWhatABrokerTakesAndByWhichModel() {
        // when
        var code =
                execute(
                        "load plan --costs paper-property --selectors 200 --copies 5"
                                + " --grade binomial --rate 2000");

        // then
        assertThat(code).as(err.toString()).isZero();
        assertThat(out.toString())
                .contains("Model: M/GI/1, because this broker takes one message after the other")
                .contains("t_rcv 4.10 µs, t_fltr 14.6 µs, t_tx 16.2 µs")
                .contains("Source: Table 1 of the", "FioranoMQ")
                .contains("Brokers for 2,000 messages/s", "PSR, publishers spread", "SSR, sub")
                .contains("matches fewer than 9.9 % of the messages")
                .contains("One broker alone cannot take 2,000 messages/s.");
    }

    @Test
    void shouldForecastABatchingBrokerByBatches() {
        // when
        var code = execute("load plan --selectors 1000 --match-rate 0.001 --rate 100000");

        // then
        assertThat(code).as(err.toString()).isZero();
        assertThat(out.toString())
                .contains("Model: batches, c + a/N, because an iteration takes 11.7 µs, more than")
                .contains("one broker  ")
                .contains("Every selector that does not match all messages saves");
    }

    @Test
    void shouldAnswerPrograms() throws Exception {
        // when
        var code =
                execute(
                        "load plan --costs paper-correlation --selectors 100 --match-rate 0.05"
                                + " --grade bernoulli --utilization 0.5 --rate 635 --output json");

        // then: the row of the check table, in units of 788 µs
        assertThat(code).as(err.toString()).isZero();
        var plan = new ObjectMapper().readTree(out.toString());
        assertThat(plan.at("/model").textValue()).isEqualTo("single");
        assertThat(plan.at("/broker/perSecond").doubleValue()).isCloseTo(634.6, within(0.1));
        assertThat(plan.at("/broker/p99Micros").doubleValue() / 787.9)
                .isCloseTo(4.64, within(0.01));
        assertThat(plan.at("/clusters/0/brokers").intValue()).isEqualTo(2);
        assertThat(plan.at("/parameters/tTxMicros").doubleValue()).isCloseTo(17, within(1e-9));
    }

    @Test
    void shouldPlanWithAStoredFit() throws Exception {
        // given
        RunSamples.store(RunSamples.exactRun(PaperTable.PROPERTY), directory);
        var points = directory.resolve("points.jsonl");

        // when
        var code =
                execute("load plan --fit " + points + " --selectors 161 --copies 1 --output json");

        // then
        assertThat(code).as(err.toString()).isZero();
        var plan = new ObjectMapper().readTree(out.toString());
        assertThat(plan.at("/capacityPerSecond").doubleValue()).isCloseTo(422, within(1.0));
        assertThat(plan.at("/parameters/source").textValue()).startsWith("fit of the run of ");
        assertThat(plan.at("/notes/0").textValue()).contains("saturated runs");
        assertThat(plan.at("/notes").toString()).doesNotContain("t_fltr from zero");
    }

    @Test
    void shouldSayThatAFitDoesNotTellWhatASelectorTakes() throws Exception {
        // given
        RunSamples.store(RunSamples.exactRun(new ServiceTimes(4e-6, 0, 1.6e-5)), directory);

        // when
        var code = execute("load plan --fit " + directory.resolve("points.jsonl"));

        // then
        assertThat(code).as(err.toString()).isZero();
        assertThat(out.toString().replaceAll("\\s+", " "))
                .contains("The run does not tell t_fltr from zero");
    }

    @Test
    void shouldAskWhichOfSeveralFitsIsMeant() throws Exception {
        // given
        RunSamples.store(RunSamples.exactRun(PaperTable.PROPERTY), directory);
        RunSamples.store(RunSamples.exactRun(PaperTable.CORRELATION_ID), directory);
        var plan = "load plan --fit " + directory.resolve("points.jsonl");

        // when
        var codes = execute(plan) + execute(plan + " --fit-run 3");

        // then
        assertThat(codes).isEqualTo(4);
        assertThat(err.toString())
                .contains("expected --fit-run 1 to 2, found none; ", " has 1 ")
                .contains("expected --fit-run 1 to 2, found 3; ");
        assertThat(execute(plan + " --fit-run 2")).as(err.toString()).isZero();
    }

    @Test
    void shouldDrawTheWaitingTimes() throws Exception {
        // given
        var chart = directory.resolve("waiting.svg");

        // when
        var code = execute("load plan --costs paper-property --selectors 10 --chart " + chart);

        // then
        assertThat(code).as(err.toString()).isZero();
        assertThat(out.toString()).contains("chart: file:///");
        assertThat(Files.readString(chart))
                .startsWith("<svg")
                .contains(">mean<", ">p99<", ">p99.99<", "load in % of");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    --rate 0 | expected a rate above 0, found 0.0
                    --p99 5 | expected a time such as 12ns, 0.85us, 5ms or 1.5s, found '5'
                    --utilization 1 | expected a utilization above 0 and at most 0.99, found 1.0
                    --match-rate 0.1 | expected --selectors with --match-rate, found 0
                    --match-rate 2 --selectors 3 | expected --match-rate from 0 to 1, found 2.0
                    --match-rate 0 --copies 1 | expected --match-rate or --copies, found both
                    --copies=-1 | expected --copies from 0, found -1.0
                    --copies 5 --grade bernoulli --selectors 4 | found 5.0 copies and 4 selectors
                    --histogram 1=0 | expected shares above 0 in sum, found 0.0
                    --histogram 1=1 --copies 2 | expected no --match-rate, --copies and --grade
                    --selectors=-1 | expected --selectors from 0, found -1
                    --body-bytes=-1 | expected a size from 0, found -1
                    --publishers 0 | expected at least one publisher, found 0
                    --loops 0 | expected at least one event loop, found 0
                    --network-mbit 0 | expected a network faster than 0 bit/s, found 0.0
                    --fit-run 1 | expected --fit FILE with --fit-run, found none
                    --costs artemis | expected one of
                    --costs paper-property --model batch | expected the time of an iteration
                    --t-rcv 0s --t-tx 0s --t-iteration 0s | expected a time per message above 0
                    """)
    void shouldSayWhatWasExpectedWhenMisused(String arguments, String message) {
        // when
        var code = execute("load plan " + arguments);

        // then
        assertThat(code).isEqualTo(2);
        assertThat(err.toString()).contains(message).contains("See 'winnow load plan --help'");
    }

    private int execute(String arguments) {
        var line = CommandTree.commandLine();
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(err, true));
        return line.execute(arguments.split(" ", -1));
    }
}

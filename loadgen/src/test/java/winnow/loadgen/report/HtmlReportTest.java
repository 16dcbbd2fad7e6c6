package winnow.loadgen.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.Test;
import winnow.loadgen.model.ServiceTimes;
import winnow.loadgen.run.Measurement;
import winnow.loadgen.run.Run;
import winnow.loadgen.run.RunSamples;

class HtmlReportTest {

    private static final ServiceTimes TIMES = new ServiceTimes(1e-6, 0.1e-6, 0.5e-6);

    @Test
    void shouldPredictHeldOutPointsOfAnExactRun() {
        // given
        var run = RunSamples.exactRun(TIMES);

        // when
        var analysis = RunAnalysis.of(run);

        // then
        var fit = Objects.requireNonNull(analysis.fit());
        assertThat(fit.observations()).isEqualTo(12);
        assertThat(analysis.worstPredictionError()).isPresent();
        assertThat(analysis.worstPredictionError().orElseThrow()).isCloseTo(0, within(1e-6));
    }

    @Test
    void shouldNotFitWherePointsCannotTellTheParametersApart() {
        // given
        var header = RunSamples.exactRun(TIMES).header();
        var run = new Run(header, List.of(RunSamples.withoutBrokerCpu()));

        // when
        var analysis = RunAnalysis.of(run);

        // then
        assertThat(analysis.fit()).isNull();
        assertThat(analysis.worstPredictionError()).isEmpty();
        assertThat(FitSummary.text(List.of(analysis)))
                .contains("publishers=1 subscribers=1", "overall   100,000/s", "broker - us/msg");
    }

    @Test
    void shouldTakeTheMedianOfAPointThatWasMeasuredThreeTimes() {
        // given: the third time everything took ten times as long
        var run = RunSamples.exactRun(TIMES);
        var disturbed = RunSamples.repeated(RunSamples.repeated(run, 2, 1), 3, 10);

        // then
        assertFitted(disturbed);
    }

    @Test
    void shouldNotTakeTheMeanOfAPointThatWasMeasuredTwice() {
        // given: the second time everything took ten times as long
        var disturbed = RunSamples.repeated(RunSamples.exactRun(TIMES), 2, 10);

        // then
        assertFitted(disturbed);
    }

    @Test
    void shouldLeaveInvalidPointsOutOfFitAndPrediction() {
        // given: an invalid point that is fitted and one that is held out, both far off the model
        var run = RunSamples.exactRun(TIMES);
        var last = run.measurements().size() - 1;
        var wrong = RunSamples.repeated(run, 2, 0.1);
        for (var index = last + 1; index < wrong.measurements().size(); index++) {
            wrong = RunSamples.disturbed(wrong, index, 0.9, 0.8);
        }

        // then
        assertThat(wrong.leftOut()).hasSize(run.points());
        assertFitted(wrong);
    }

    private static void assertFitted(Run run) {
        var analysis = RunAnalysis.of(run);
        var times = Objects.requireNonNull(analysis.fit()).times();
        assertThat(times.receiveSeconds()).isCloseTo(TIMES.receiveSeconds(), within(1e-12));
        assertThat(times.filterSeconds()).isCloseTo(TIMES.filterSeconds(), within(1e-12));
        assertThat(times.transmitSeconds()).isCloseTo(TIMES.transmitSeconds(), within(1e-12));
        assertThat(analysis.worstPredictionError().orElseThrow()).isCloseTo(0, within(1e-6));
    }

    @Test
    void shouldNeedNothingButItself() throws IOException {
        // given
        var analysis = RunAnalysis.of(RunSamples.exactRun(TIMES));

        // when
        var page = Jsoup.parse(HtmlReport.render(List.of(analysis)));

        // then
        assertThat(page.select("[src], [href], link, iframe, object, embed")).isEmpty();
        assertThat(page.select("#report")).hasSize(1);
        assertThat(page.select("style")).hasSize(1);
        assertThat(page.select("style").get(0).data())
                .contains(".card {")
                .doesNotContain("url(", "@import");
        assertThat(page.select("script")).hasSize(3);
        assertThat(page.select("script").get(0).data())
                .contains("echarts")
                .hasSizeGreaterThan(500_000);
        assertThat(page.select("script").get(2).data())
                .startsWith("'use strict';")
                .contains("getElementById('report')")
                .doesNotContain("fetch(", "XMLHttpRequest", "import(");
    }

    @Test
    void shouldShowWhatTheRunMeasured() throws IOException {
        // given: the command of the sample contains a closing script tag and a placeholder
        var run = RunSamples.disturbed(RunSamples.exactRun(TIMES), 4, 0.2, 0.8);
        var analysis = RunAnalysis.of(RunSamples.withFailure(run, "worker </script> ended"));

        // when
        var shown = dataOf(HtmlReport.render(List.of(analysis))).at("/runs/0");

        // then
        var header = run.header();
        assertThat(shown.get("id").textValue()).isEqualTo(header.id());
        assertThat(shown.get("command").textValue()).isEqualTo(header.command());
        assertThat(shown.get("filter").textValue()).isEqualTo(header.filter().label());
        assertThat(shown.at("/machine/processors").intValue()).isEqualTo(2);
        assertThat(shown.at("/settings").findValuesAsText("value"))
                .contains("made in advance, sent over and over");
        assertThat(shown.get("points")).hasSameSizeAs(run.measurements());
        for (var i = 0; i < run.measurements().size(); i++) {
            assertShown(shown.get("points").get(i), run.measurements().get(i), i == 4);
        }
        assertThat(shown.at("/failures/0/reason").textValue()).isEqualTo("worker </script> ended");
        assertParameter(shown.at("/fitted/parameters/0"), "t_rcv", TIMES.receiveSeconds());
        assertParameter(shown.at("/fitted/parameters/1"), "t_fltr", TIMES.filterSeconds());
        assertParameter(shown.at("/fitted/parameters/2"), "t_tx", TIMES.transmitSeconds());
        assertThat(shown.at("/fitted/observations").intValue()).isEqualTo(11);
        assertThat(shown.at("/fitted/leftOut").intValue()).isEqualTo(2);
        assertThat(shown.at("/fitted/worstHeldOutPercent").doubleValue())
                .isCloseTo(0, within(1e-4));
    }

    private static void assertShown(JsonNode shown, Measurement measurement, boolean invalid) {
        var point = measurement.point();
        assertThat(shown.get("r").intValue()).isEqualTo(point.matching());
        assertThat(shown.get("n").intValue()).isEqualTo(point.others());
        assertThat(shown.get("publishers").intValue()).isEqualTo(point.publishers());
        assertThat(shown.get("filters").intValue()).isEqualTo(point.installedFilters());
        assertThat(shown.get("use").textValue()).isEqualTo(point.use().label());
        assertThat(shown.get("received").doubleValue()).isEqualTo(50_000);
        assertThat(shown.get("dispatched").doubleValue()).isEqualTo(50_000.0 * point.matching());
        var serviceMicros = 1e6 * TIMES.serviceSeconds(point.installedFilters(), point.matching());
        assertThat(shown.get("serviceMicros").doubleValue()).isCloseTo(serviceMicros, within(1e-9));
        assertThat(shown.get("modelMicros").doubleValue()).isCloseTo(serviceMicros, within(1e-6));
        assertThat(shown.get("brokerMicrosPerMessage").doubleValue())
                .isCloseTo(serviceMicros / (1 + point.matching()), within(1e-9));
        assertThat(shown.get("verdict").textValue()).isEqualTo(invalid ? "invalid" : "valid");
        assertThat(shown.get("reasons")).hasSize(invalid ? 1 : 0);
    }

    private static void assertParameter(JsonNode shown, String symbol, double seconds) {
        assertThat(shown.get("symbol").textValue()).isEqualTo(symbol);
        assertThat(shown.get("value").doubleValue()).isCloseTo(seconds * 1e6, within(1e-6));
    }

    /// What the script of the page gets.
    private static JsonNode dataOf(String page) throws IOException {
        var script = Jsoup.parse(page).select("script").get(1).data().strip();
        assertThat(script).startsWith("const REPORT = ").endsWith(";");
        return new ObjectMapper()
                .readTree(script.substring("const REPORT = ".length(), script.length() - 1));
    }

    @Test
    void shouldSummariseTheFitBesideThePapers() {
        // given
        var analysis = RunAnalysis.of(RunSamples.exactRun(TIMES));

        // when
        var text = FitSummary.text(List.of(analysis));

        // then
        assertThat(text).contains("t_fltr", "0.1000 (0.1000-0.1000)", "14.6", "0.0 % / 0.0 %");
        assertThat(text.lines()).hasSize(3);
    }
}

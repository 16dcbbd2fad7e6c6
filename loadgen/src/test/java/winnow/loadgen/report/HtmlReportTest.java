package winnow.loadgen.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.loadgen.model.ServiceTimes;
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
    void shouldAllowForASlownessOfAllPoints() {
        // given: a CPU second was worth a sixth less in each point than around the warm-up
        var run = RunSamples.exactRun(TIMES);
        for (var index = 0; index < run.points(); index++) {
            run = RunSamples.disturbed(run, index, 1.2, 1.2);
        }

        // when
        var analysis = RunAnalysis.of(run);

        // then
        var transmit =
                Objects.requireNonNull(
                        Objects.requireNonNull(Objects.requireNonNull(analysis.fit()).quality())
                                .transmit());
        var exact = TIMES.transmitSeconds();
        assertThat(transmit.low()).isCloseTo(exact / 1.2, within(exact * 1e-3));
        assertThat(transmit.high()).isCloseTo(exact, within(exact * 1e-3));
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
                .containsPattern("\n +50,000 +50,000 +- +.* r=1 publishers=1\n");
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
    void shouldLeaveUnsaturatedPointsOutOfFitAndPrediction() {
        // given: unsaturated measurements, all far off the model
        var run = RunSamples.exactRun(TIMES);
        var wrong = RunSamples.repeated(run, 2, 0.1);
        for (var index = run.points(); index < wrong.measurements().size(); index++) {
            wrong = RunSamples.unsaturated(wrong, index);
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
    void shouldNeedNothingButItselfAndNoScript() throws IOException {
        // when
        var page = page(RunSamples.exactRun(TIMES));

        // then
        assertThat(page.select("script, [src], link, iframe, object, embed")).isEmpty();
        assertThat(page.select("[href]").eachAttr("href")).containsExactly("./points.csv");
        assertThat(page.select("style").get(0).data())
                .contains(".card {", "prefers-color-scheme: dark")
                .doesNotContain("url(", "@import");
    }

    @Test
    void shouldShowWhatTheRunMeasured() throws IOException {
        // given: the command of the sample contains a closing script tag and a placeholder
        var run = RunSamples.unsaturated(RunSamples.exactRun(TIMES), 4);

        // when
        var page = page(RunSamples.withFailure(run, "worker </script> ended"));

        // then
        assertThat(page.select(".verdict").text())
                .contains("Nothing was lost or doubled in the 15 of 16 points that gave figures.")
                .contains(
                        "14 of 16 measurements count; left out: 1 not saturated or too disturbed,"
                                + " 1 failed.");
        assertThat(page.select("dd").eachText()).contains(run.header().command());
        assertThat(page.select("article tbody tr").eachText())
                .containsExactly(
                        "t_rcv receive one message 1.00 µs 1.00 to 1.00 µs 4.10 µs",
                        "t_fltr try one installed filter 100 ns 100 to 100 ns 14.6 µs",
                        "t_tx forward one copy 500 ns 500 to 500 ns 16.2 µs");
        assertThat(page.select("p.off").eachText())
                .containsExactly(
                        "Left out: 1 invalid, 1 failed; the table below says why, and points.csv.");
        assertThat(page.select("details").text())
                .contains("invalid: not saturated", "failed: worker </script> ended");
        assertThat(Objects.requireNonNull(page.select("details table").last()).select("tbody tr"))
                .hasSize(run.measurements().size() + 1);
        assertThat(page.select("details tr.off")).hasSize(2);
    }

    @Test
    void shouldDrawMeasuredPointsAndTheModelForEverybody() throws IOException {
        // given
        var run = RunSamples.unsaturated(RunSamples.exactRun(TIMES), 4);

        // when
        var page = page(run);

        // then: points without filters have no place on the axis
        var drawing = Objects.requireNonNull(page.selectFirst("article svg[role=img]"));
        var description = page.getElementById(drawing.attr("aria-labelledby").split(" ", -1)[1]);
        assertThat(Objects.requireNonNull(description).text())
                .startsWith("Messages per second over the number of filters");
        assertThat(drawing.select("g > title")).hasSize(run.measurements().size() - 1);
        assertThat(drawing.select("path[stroke=var(--off)]")).hasSize(1);
        assertThat(drawing.select("polyline")).isNotEmpty();
        assertThat(drawing.select("polyline").eachAttr("stroke-dasharray")).containsOnly("7 5");
        assertThat(drawing.select("text").eachText()).contains("r = 0", "r = 1", "r = 40");
    }

    @Test
    void shouldShowTheMachinesOfTheLoad() throws IOException {
        // given
        var run = RunSamples.onWorkers(RunSamples.exactRun(TIMES));

        // when
        var page = page(run);

        // then
        var rows = page.select("table:has(caption:contains(Machines of the load)) tbody tr");
        assertThat(rows.eachText())
                .containsExactly(
                        "10.0.0.2:7621 publishes 4 processors, Processor 80 % 70 % 90 % 1.0 42.0",
                        "10.0.0.3:7621 subscribes 4 processors, Processor 40 % 30 % 20 % 84.0 2.0");
        assertThat(page.select("figcaption").eachText())
                .anyMatch(text -> text.startsWith("Machines of the load while "));
    }

    private static Document page(Run run) throws IOException {
        return Jsoup.parse(
                HtmlReport.render(List.of(RunAnalysis.of(run)), null, List.of("points.csv")));
    }

    @Test
    void shouldSummariseTheFitBesideThePapers() {
        // given
        var analysis = RunAnalysis.of(RunSamples.exactRun(TIMES));

        // when
        var text = FitSummary.text(List.of(analysis));

        // then
        assertThat(text.lines())
                .containsExactly(
                        "property, linear filters",
                        "  t_rcv  1.00 us   (1.00 to 1.00 us)      paper 4.10 us",
                        "  t_fltr 100 ns    (100 to 100 ns)        paper 14.6 us",
                        "  t_tx   500 ns    (500 to 500 ns)        paper 16.2 us",
                        "  mean error 0.0 %, each point measured once",
                        "  3 of 3 unseen points in their 95 % intervals, the worst off by 0 %");
    }

    @Test
    void shouldLinkToFilesWhateverTheirNames(@TempDir Path directory) throws Exception {
        // given
        var data =
                Files.createDirectories(directory.resolve("javascript:alert(1)/a b#c%d?"))
                        .resolve("points.csv");
        Files.createFile(data);
        var page = directory.resolve("report.html");

        // when
        HtmlReport.write(
                List.of(RunAnalysis.of(RunSamples.exactRun(TIMES))), null, page, List.of(data));

        // then
        var link = Jsoup.parse(page).select("a").getFirst();
        assertThat(link.attr("href"))
                .isEqualTo("./javascript%3Aalert%281%29/a%20b%23c%25d%3F/points.csv");
        assertThat(link.text()).isEqualTo("javascript:alert(1)/a b#c%d?/points.csv");
        assertThat(Path.of(page.toUri().resolve(link.attr("href")))).isEqualTo(data);
    }

    @Test
    void shouldSayWhyTheTimeOfACopyHasNoInterval() {
        // given: two replication grades
        var run = RunSamples.exactRun(TIMES);
        var two =
                new Run(
                        run.header(),
                        run.measurements().stream()
                                .filter(one -> List.of(1, 40).contains(one.point().matching()))
                                .toList());

        // when
        var text = FitSummary.text(List.of(RunAnalysis.of(two)));

        // then
        assertThat(text)
                .contains("\n  t_tx   500 ns                           paper 16.2 us\n")
                .contains("no interval of t_tx from two r");
    }

    @Test
    void shouldNotSummariseAParameterAsZero() {
        // given: a broker whose filters take no time
        var run = RunSamples.exactRun(new ServiceTimes(1e-6, 0, 0.5e-6));

        // when
        var text = FitSummary.text(List.of(RunAnalysis.of(run)));

        // then
        assertThat(text)
                .contains("\n  t_fltr too short to measure             paper 14.6 us\n")
                .doesNotContain("about 0");
    }

    @Test
    void shouldSayThatThereIsNoModel() throws IOException {
        // given: points with filters that differ in nothing but these
        var run = RunSamples.exactRun(TIMES);
        var few =
                new Run(
                        run.header(),
                        run.measurements().stream()
                                .filter(one -> one.point().matching() == 1)
                                .toList());

        // when
        var text = FitSummary.text(List.of(RunAnalysis.of(few)));

        // then
        assertThat(text).endsWith(ReportText.NO_MODEL + "\n");
        assertThat(page(few).select("article p").eachText()).contains(ReportText.NO_MODEL);
        assertThat(FitSummary.text(List.of(RunAnalysis.of(run))))
                .doesNotContain(ReportText.NO_MODEL);
    }
}

package winnow.loadgen.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import winnow.loadgen.chart.Chart;
import winnow.loadgen.model.ServiceTimes;
import winnow.loadgen.run.Run;
import winnow.loadgen.run.RunSamples;
import winnow.loadgen.workload.Scenarios;

class FigureChartsTest {

    private static final ServiceTimes TIMES = new ServiceTimes(1e-6, 1e-7, 5e-7);

    @ParameterizedTest
    @MethodSource("names")
    void shouldDrawEveryScenario(String name) throws IOException {
        // given
        var scenario = Scenarios.named(name);
        var run = RunSamples.exactRun(name, TIMES);

        // when
        var page = page(run);

        // then
        var figure = scenario.figure();
        var drawings = page.select("article svg[role=img]");
        assertThat(drawings).isNotEmpty();
        for (var point : run.measurements()) {
            var series = figure.seriesOf(point.point()).split("(?<=,) ", -1);
            assertThat(drawings.select("text").eachText())
                    .containsAll(
                            series.length == 1 && series[0].isEmpty()
                                    ? List.of()
                                    : List.of(series));
        }
        assertThat(page.select("section.run p").eachText())
                .anyMatch(
                        text -> figure.says().isEmpty() || text.contains(figure.says().getFirst()));
    }

    @Test
    void shouldShowTheMeanOfAllRepetitionsWithItsInterval() {
        // given: service times of 1, 1.1 and 0.9 times the model's
        var once = RunSamples.exactRun("4.2", TIMES);
        var run = RunSamples.repeated(RunSamples.repeated(once, 2, 1.1), 3, 0.9);

        // when
        var mark = charts(run).getFirst().series().getFirst().marks().getFirst();

        // then: 95 % of Student's t with 2 degrees of freedom
        var rates = new double[] {1, 1 / 1.1, 1 / 0.9};
        var exact = 2 / TIMES.serviceSeconds(0, 1);
        var mean = (rates[0] + rates[1] + rates[2]) / 3;
        assertThat(mark.at().up()).isCloseTo(exact * mean, within(1.0));
        var squares = 0.0;
        for (var rate : rates) {
            squares += Math.pow(rate - mean, 2);
        }
        var half = 4.302653 * Math.sqrt(squares / 2 / 3);
        assertThat(mark.high()).isCloseTo(exact * (mean + half), within(exact * 1e-6));
        assertThat(mark.low()).isCloseTo(exact * (mean - half), within(exact * 1e-6));
    }

    @Test
    void shouldDrawUnitsApartAndThePapersValuesBesideOurs() {
        // when
        var charts = charts(RunSamples.exactRun("4.3", TIMES));

        // then
        assertThat(charts).extracting(Chart::up).containsExactly("messages/s", "Mbit/s");
        for (var chart : charts) {
            var paper = chart.series().getLast();
            assertThat(paper.label()).isEqualTo("paper");
            assertThat(paper.style()).isEqualTo(Chart.Series.PAPER);
            assertThat(paper.marks()).hasSize(1);
        }
        assertThat(charts.getFirst().series().getLast().marks().getFirst().at())
                .isEqualTo(new Chart.Place(16, 61_000));
    }

    @Test
    void shouldDivideTheCurvesOfARatio() {
        // when
        var ratio = charts(RunSamples.exactRun("4.6", TIMES)).getLast();

        // then: all filters cost the same here
        assertThat(ratio.up()).isEqualTo("ratio");
        assertThat(ratio.series().getFirst().marks())
                .isNotEmpty()
                .allSatisfy(mark -> assertThat(mark.at().up()).isCloseTo(1, within(1e-9)));
        assertThat(ratio.series().getLast().marks().getFirst().at().up()).isEqualTo(0.5);
    }

    @Test
    void shouldDrawTheBareSocketAsALine() {
        // given
        var run = RunSamples.limited(RunSamples.exactRun("4.3", TIMES), 1_024, 1_000);

        // when
        var line = charts(run).get(1).series().getLast();

        // then: 40 + 1,024 + 90 bytes
        assertThat(line.label()).isEqualTo("bare socket, one way");
        assertThat(line.curve()).containsExactly(new Chart.Place(1_024, 1_000 * 1_154 * 8e-6));
    }

    @Test
    void shouldShowBothWaysOfMatchingOnTheSameAxes() throws IOException {
        // given
        var linear = RunSamples.exactRun("4.6", TIMES);
        var indexed =
                RunSamples.matched(
                        RunSamples.exactRun("4.6", new ServiceTimes(1e-7, 0, 1e-8)), "indexed");

        // when
        var page =
                Jsoup.parse(
                        HtmlReport.render(
                                List.of(RunAnalysis.of(linear), RunAnalysis.of(indexed)),
                                null,
                                List.of()));

        // then
        assertThat(page.select(".pair article h3").eachText())
                .containsExactly("Matched: linear", "Matched: indexed");
        var drawings = page.select("article figure:first-of-type svg");
        assertThat(drawings.getFirst().select("line[stroke=var(--line)]").eachAttr("y1"))
                .isEqualTo(drawings.getLast().select("line[stroke=var(--line)]").eachAttr("y1"));
    }

    @Test
    void shouldMarkWhatDoesNotCount() {
        // given
        var run = RunSamples.unsaturated(RunSamples.exactRun("4.1", TIMES), 2);

        // when
        var series = new ArrayList<>(charts(run).getFirst().series());

        // then
        assertThat(series.removeLast().marks())
                .singleElement()
                .satisfies(mark ->
                        assertThat(mark.note()).startsWith("r=1 publishers=4: not saturated"));
        assertThat(series)
                .isNotEmpty()
                .allSatisfy(one -> assertThat(one.marks()).hasSize(run.points() - 1));
    }

    @Test
    void shouldShowTheCourseOfAPoint() throws IOException {
        // when
        var details =
                Objects.requireNonNull(
                        page(RunSamples.exactRun("4.1", TIMES)).selectFirst("details.card"));

        // then: the sample does not know the broker's CPU time in one of two moments
        assertThat(details.select("figcaption").eachText())
                .hasSize(2)
                .first()
                .asString()
                .startsWith("Processors in use while r=1 publishers=");
        assertThat(details.select("svg").getFirst().select("g > title").eachText())
                .containsExactly("broker", "clients", "clients");
        assertThat(details.select("dd").eachText())
                .contains("3 % (paper: at most 2 %)", "0.3 s (paper: 90 s)");
    }

    private static List<Chart> charts(Run run) {
        var data = ReportData.of(List.of(RunAnalysis.of(run))).runs();
        return FigureCharts.of(data.getFirst(), data);
    }

    private static Document page(Run run) throws IOException {
        return Objects.requireNonNull(
                Jsoup.parse(HtmlReport.render(List.of(RunAnalysis.of(run)), null, List.of())));
    }

    static List<String> names() {
        return Scenarios.names();
    }
}

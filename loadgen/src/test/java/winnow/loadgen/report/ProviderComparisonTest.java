package winnow.loadgen.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Objects;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.Test;
import winnow.loadgen.model.PaperTable;
import winnow.loadgen.provider.ProviderFile;
import winnow.loadgen.run.Run;
import winnow.loadgen.run.RunSamples;

class ProviderComparisonTest {

    private static final Run FIRST = RunSamples.exactRun(PaperTable.PROPERTY);

    private static ComparedProvider provider(String name, List<Run> runs, String... problems)
            throws Exception {
        return new ComparedProvider(ProviderFile.of(name), runs, List.of(problems));
    }

    private static ProviderComparison of(Run other) throws Exception {
        return ProviderComparison.of(
                List.of(
                        provider("winnow", List.of(RunSamples.repeated(FIRST, 2, 1))),
                        provider("artemis", List.of(other))));
    }

    @Test
    void shouldTakeTheGeometricMeanOfPairs() throws Exception {
        // given two repetitions with half and an eighth of the rate
        var half = RunSamples.faster(FIRST, 1, 0.5);
        var other = RunSamples.faster(RunSamples.repeated(half, 2, 1), 2, 0.25);

        // when
        var scenario = of(other).scenarios().getFirst();

        // then
        var mean = scenario.means().getFirst();
        var ratio = Objects.requireNonNull(mean.rateRatio());
        assertThat(mean.provider()).isEqualTo("artemis");
        assertThat(mean.points()).isEqualTo(FIRST.measurements().size());
        assertThat(ratio.ratio()).isCloseTo(0.25, within(1e-9));
        assertThat(ratio.pairs()).isEqualTo(2);
        // The logarithms differ by ln 4: 0.25 exp(± 12.706 ln 2) with one degree of freedom.
        assertThat(Math.log(Objects.requireNonNull(ratio.high()) / 0.25))
                .isCloseTo(12.7062 * Math.log(2), within(1e-3));
        assertThat(Math.log(Objects.requireNonNull(ratio.low()) / 0.25))
                .isCloseTo(-12.7062 * Math.log(2), within(1e-3));
    }

    @Test
    void shouldCompareCpuTimes() throws Exception {
        // given three times the time in both repetitions
        var other = new Run(FIRST.header(), RunSamples.repeated(FIRST, 2, 3).measurements());

        // when
        var points = of(other).scenarios().getFirst().points();

        // then
        assertThat(points)
                .allSatisfy(point -> {
                    var ratio = Objects.requireNonNull(point.providers().get(1).cpuRatio());
                    assertThat(ratio.ratio()).isCloseTo(Math.sqrt(3), within(1e-9));
                    assertThat(point.providers().getFirst().cpuRatio()).isNull();
                });
    }

    @Test
    void shouldHaveNoIntervalOfOneRepetition() throws Exception {
        // when
        var ratio =
                Objects.requireNonNull(
                        of(FIRST).scenarios().getFirst().means().getFirst().rateRatio());

        // then
        assertThat(ratio).isEqualTo(new PairedRatio(1, null, null, 1));
        assertThat(ratio.text()).isEqualTo("1");
        assertThat(new PairedRatio(0.01234, 0.0099, 123.4, 3).text())
                .isEqualTo("0.012 (0.0099 to 123)");
    }

    @Test
    void shouldLeaveOutWhatFailed() throws Exception {
        // given
        var failed = RunSamples.failed(FIRST, "java.lang.UnsupportedOperationException: no");

        // when
        var comparison = of(failed);

        // then
        var scenario = comparison.scenarios().getFirst();
        assertThat(scenario.points())
                .allSatisfy(point -> {
                    assertThat(point.providers().get(1).overallPerSecond()).isNull();
                    assertThat(point.providers().get(1).note())
                            .isEqualTo("the provider does not support it");
                });
        assertThat(scenario.means().getFirst().rateRatio()).isNull();
    }

    @Test
    void shouldPrintATable() throws Exception {
        // given
        var comparison =
                ProviderComparison.of(
                        List.of(
                                provider("winnow", List.of(FIRST)),
                                provider("qpid", List.of(), "it did not start")));

        // then
        assertThat(ComparisonText.text(comparison))
                .contains("to winnow")
                .containsPattern("mean, points: 0 +qpid +- +-")
                .containsPattern("qpid +- +- +- +- +not measured")
                .contains("qpid: it did not start");
    }

    @Test
    void shouldDrawALineForEachProviderWithoutScripts() throws Exception {
        // given
        var comparison = of(RunSamples.faster(FIRST, 1, 0.5));

        // when
        var page = Jsoup.parse(ComparisonPage.render(comparison, List.of("artemis/points.csv")));

        // then
        assertThat(page.select("script, link, img")).isEmpty();
        assertThat(page.select("svg").eachText().getFirst()).contains("winnow").contains("artemis");
        assertThat(page.select("details summary").eachText()).contains("winnow", "artemis");
        assertThat(page.text())
                .contains("org.apache.artemis:artemis-server:2.56.0")
                .contains("<address-full-policy>BLOCK</address-full-policy>")
                .contains("0.5");
        assertThat(page.select("a").attr("href")).isEqualTo("./artemis/points.csv");
    }
}

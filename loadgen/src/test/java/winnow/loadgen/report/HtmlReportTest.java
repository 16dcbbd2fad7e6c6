package winnow.loadgen.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
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
    void shouldNeedNothingButItself() throws IOException {
        // given
        var analysis = RunAnalysis.of(RunSamples.exactRun(TIMES));

        // when
        var page = HtmlReport.render(List.of(analysis));

        // then
        var scripts = page.split("<script>", -1);
        var ours = scripts[0] + scripts[2] + scripts[3];
        assertThat(scripts).hasSize(4);
        assertThat(scripts[1].length()).as("plot library").isGreaterThan(500_000);
        assertThat(ours).doesNotContainPattern("<(script|link|img|iframe)[^>]*(src|href)=");
        assertThat(ours).doesNotContain("/*DATA*/", "/*STYLE*/", "http://");
        assertThat(ours).contains("\"symbol\":\"t_fltr\"");
    }

    @Test
    void shouldNotLetDataEndAScript() throws IOException {
        // given: the command of the sample contains a closing script tag and a placeholder
        var analysis = RunAnalysis.of(RunSamples.exactRun(TIMES));

        // when
        var page = HtmlReport.render(List.of(analysis));

        // then
        var ends = page.split("</script>", -1).length - 1;
        assertThat(ends).isEqualTo(3);
        assertThat(page.contains("\\u003c/script> /*SCRIPT*/\"")).isTrue();
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

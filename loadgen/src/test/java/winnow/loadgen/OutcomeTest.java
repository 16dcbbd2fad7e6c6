package winnow.loadgen;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import winnow.loadgen.model.PaperTable;
import winnow.loadgen.report.RunAnalysis;
import winnow.loadgen.run.RunSamples;

class OutcomeTest {

    @Test
    void shouldEndWithAnotherCodeIfMostPointsWereDisturbed() {
        // given
        var err = new StringWriter();
        var run = RunSamples.exactRun(PaperTable.PROPERTY);
        for (var index = 0; index < 7; index++) {
            run = RunSamples.disturbed(run, index, 0.9, 0.8);
        }
        var few = List.of(RunAnalysis.of(run));
        var most = List.of(RunAnalysis.of(RunSamples.disturbed(run, 7, 0.9, 0.8)));

        // then
        assertThat(Outcome.exitCode(few, new PrintWriter(err))).isZero();
        assertThat(err.toString()).isEmpty();
        assertThat(Outcome.exitCode(most, new PrintWriter(err))).isEqualTo(3);
        assertThat(err.toString().lines())
                .containsExactly(
                        "winnow: Too disturbed to conclude anything: 7 of 15 points are valid. Run"
                                + " it again on a quiet machine.");
    }
}

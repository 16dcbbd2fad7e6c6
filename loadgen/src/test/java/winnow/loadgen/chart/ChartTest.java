package winnow.loadgen.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import winnow.loadgen.chart.Chart.Kind;
import winnow.loadgen.chart.Chart.Mark;
import winnow.loadgen.chart.Chart.Place;
import winnow.loadgen.chart.Chart.Series;
import winnow.loadgen.workload.AxisScale;

class ChartTest {

    @Test
    void shouldDrawZeroOnLinearAxes() {
        // when
        var chart = chart(AxisScale.LINEAR, new Place(0, 0), new Place(3, 6), new Place(4, -1));

        // then
        assertThat(drawn(chart)).containsExactly(new Place(0, 0), new Place(3, 6));
        assertThat(ChartSvg.file(chart, 400, 300)).contains(">0 is here<").doesNotContain("NaN");
    }

    @Test
    void shouldLeaveOutZeroOnLogarithmicAxes() {
        // when
        var chart = chart(AxisScale.LOG, new Place(0, 1), new Place(1, 0), new Place(3, 6));

        // then
        assertThat(drawn(chart)).containsExactly(new Place(3, 6));
    }

    @Test
    void shouldHaveAnAxisWhereAllIsZero() {
        // when
        var chart = chart(AxisScale.LINEAR, new Place(0, 0));

        // then
        assertThat(ChartSvg.file(chart, 400, 300)).contains(">1</text>").doesNotContain("NaN");
    }

    @Test
    void shouldEscapeItsId() {
        // when
        var chart = chart(AxisScale.LINEAR, new Place(1, 1));

        // then: files of results are not always one's own
        assertThat(ChartSvg.element(chart, "a\"><script>", 400, 300))
                .contains("a&quot;&gt;&lt;script&gt;")
                .doesNotContain("<script>");
    }

    private static Chart chart(AxisScale scale, Place... places) {
        var marks =
                List.of(places).stream()
                        .map(place ->
                                new Mark(
                                        place,
                                        place.up(),
                                        place.up(),
                                        Kind.MEASURED,
                                        "%.0f is here".formatted(place.up())))
                        .toList();
        return new Chart(
                "title",
                "description",
                "across",
                "up",
                scale,
                scale,
                List.of(new Series("label", 1, marks, List.of(), false)),
                List.of());
    }

    private static List<Place> drawn(Chart chart) {
        return chart.series().getFirst().marks().stream().map(Mark::at).toList();
    }
}

package winnow.loadgen.forecast;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import winnow.loadgen.chart.Chart;
import winnow.loadgen.chart.Chart.Kind;
import winnow.loadgen.chart.Chart.Mark;
import winnow.loadgen.chart.Chart.Place;
import winnow.loadgen.chart.Chart.Series;
import winnow.loadgen.chart.Digits;
import winnow.loadgen.forecast.CapacityPlan.Forecast;

/// Waiting times of one broker over its load.
public final class ForecastChart {

    private static final double MICROS = 1e6;
    private static final double PERCENT = 100;
    private static final double LEAST = 0.01;
    private static final double MOST = 0.98;
    private static final int POINTS = 48;

    private static final List<Line> LINES =
            List.of(
                    new Line(
                            "p99.99",
                            5,
                            wait -> wait.quantileSeconds(0.9999),
                            Forecast::p9999Seconds),
                    new Line("p99", 1, wait -> wait.quantileSeconds(0.99), Forecast::p99Seconds),
                    new Line("mean", 3, Waiting::meanSeconds, Forecast::meanSeconds));

    private ForecastChart() {}

    /// A curve of the chart.
    ///
    /// @param style number of its color and marker
    private record Line(
            String name,
            int style,
            ToDoubleFunction<Waiting> seconds,
            ToDoubleFunction<Forecast> planned) {

        Series series(CapacityPlan plan, double[] loads, List<Waiting> waits) {
            var curve = new ArrayList<Place>();
            for (var i = 0; i < loads.length; i++) {
                curve.add(
                        new Place(
                                loads[i] * PERCENT, seconds.applyAsDouble(waits.get(i)) * MICROS));
            }
            return new Series(name, style, marks(plan.planned()), curve, false);
        }

        private List<Mark> marks(@Nullable Forecast forecast) {
            if (forecast == null) {
                return List.of();
            }
            var micros = planned.applyAsDouble(forecast) * MICROS;
            var note =
                    String.format(
                            Locale.ROOT,
                            "%,.0f messages/s, %s: %s µs",
                            forecast.perSecond(),
                            name,
                            Digits.three(micros));
            var place = new Place(forecast.load() * PERCENT, micros);
            return List.of(new Mark(place, micros, micros, Kind.MEASURED, note));
        }
    }

    /// With a mark where the plan has the broker.
    public static Chart of(CapacityPlan plan) {
        var server = Planner.server(plan);
        var loads = new double[POINTS];
        var waits = new ArrayList<Waiting>();
        for (var i = 0; i < POINTS; i++) {
            loads[i] = LEAST * Math.pow(MOST / LEAST, i / (POINTS - 1.0));
            waits.add(server.waiting(loads[i] * server.capacityPerSecond()));
        }
        var series = LINES.stream().map(line -> line.series(plan, loads, waits)).toList();
        return new Chart(
                "Waiting time of one broker over its load",
                String.format(
                        Locale.ROOT,
                        "Model: %s; capacity %,.0f messages/s.",
                        plan.model(),
                        plan.capacityPerSecond()),
                String.format(
                        Locale.ROOT, "load in %% of %,.0f messages/s", plan.capacityPerSecond()),
                "waiting time, µs",
                series);
    }
}

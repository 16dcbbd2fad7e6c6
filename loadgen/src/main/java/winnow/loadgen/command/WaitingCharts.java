package winnow.loadgen.command;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import winnow.loadgen.chart.Chart;
import winnow.loadgen.chart.Chart.Kind;
import winnow.loadgen.chart.Chart.Mark;
import winnow.loadgen.chart.Chart.Place;
import winnow.loadgen.chart.Chart.Series;
import winnow.loadgen.forecast.Costs;
import winnow.loadgen.forecast.Load;
import winnow.loadgen.forecast.Planner;
import winnow.loadgen.forecast.ReplicationGrade;
import winnow.loadgen.forecast.Targets;
import winnow.loadgen.rate.LatencyFigures;
import winnow.loadgen.rate.RateResult;

/// Waiting times over the load: the outlook of the FioranoMQ paper, a forecast for this broker, and
/// latencies that were measured.
final class WaitingCharts {

    private static final double MICROS = 1e6;
    private static final double MILLIS = 1e3;
    private static final double PERCENT = 100;
    private static final double P99 = 0.99;
    private static final int POINTS = 40;
    private static final double LEAST_LOAD = 0.05;
    private static final double MOST_LOAD = 0.95;
    private static final String LOAD = "load in % of the capacity";

    private static final int FILTERS = 200;
    private static final int COPIES = 5;

    private WaitingCharts() {}

    /// 99 % of the messages at the paper's server, with copies spread in three ways.
    static Chart paper() {
        var match = (double) COPIES / FILTERS;
        var grades = new LinkedHashMap<String, ReplicationGrade>();
        grades.put("Bernoulli", new ReplicationGrade.Bernoulli(FILTERS, match));
        grades.put("binomial", new ReplicationGrade.Binomial(FILTERS, match));
        grades.put("constant", new ReplicationGrade.Constant(COPIES));
        var styles = new int[] {5, 3, 1};
        var series = new ArrayList<Series>();
        grades.forEach((name, grade) -> {
            var load = new Load(FILTERS, grade, 0, 1);
            series.add(
                    new Series(
                            name,
                            styles[series.size()],
                            List.of(),
                            curve(Costs.PAPER_CORRELATION, load, P99),
                            false));
        });
        return new Chart(
                "Waiting times of the paper's server, forecast",
                "What 99 %% of the messages wait at most over the load, with %d filters, a mean"
                                .formatted(FILTERS)
                        + " of %d copies that are constant, binomial or Bernoulli distributed."
                                .formatted(COPIES),
                LOAD,
                "99 % wait at most, ms",
                series);
    }

    /// Waiting times of messages of one publisher for one loop of this broker.
    ///
    /// @param bodyBytes of each message
    /// @param clump mean number of messages that arrive at the same time
    static Chart forecast(int bodyBytes, double clump) {
        var load = new Load(1, new ReplicationGrade.Constant(1), bodyBytes, 1, clump);
        return new Chart(
                "Waiting times of Winnow, forecast",
                "Half and 99 % of the messages wait at most so long for the loop that serves them"
                        + (clump == 1 ? "." : ", in clumps of %.0f on average.".formatted(clump)),
                LOAD,
                "waiting time, ms",
                List.of(
                        new Series(
                                "p99", 1, List.of(), curve(Costs.WINNOW_INDEXED, load, P99), false),
                        new Series(
                                "p50",
                                3,
                                List.of(),
                                curve(Costs.WINNOW_INDEXED, load, 0.5),
                                false)));
    }

    private static List<Place> curve(Costs costs, Load load, double quantile) {
        var plan = Planner.plan(costs, load, new Targets(0.9, null, null, 1, 1e18), null);
        var server = Planner.server(plan);
        var places = new ArrayList<Place>();
        for (var i = 0; i < POINTS; i++) {
            var share = LEAST_LOAD * Math.pow(MOST_LOAD / LEAST_LOAD, i / (POINTS - 1.0));
            var waiting = server.waiting(share * server.capacityPerSecond());
            places.add(new Place(share * PERCENT, waiting.quantileSeconds(quantile) * MILLIS));
        }
        return places;
    }

    /// Latencies of runs at parts of the capacity; void runs are left out.
    ///
    /// @param capacity messages per second
    static Chart measured(List<RateResult> runs, double capacity) {
        return new Chart(
                "Latencies, measured",
                "From the time at which a message was due to its arrival.",
                LOAD,
                "latency, ms",
                List.of(
                        series(runs, capacity, "p99.9", 5, LatencyFigures::p999Micros),
                        series(runs, capacity, "p99", 1, LatencyFigures::p99Micros),
                        series(runs, capacity, "p50", 3, LatencyFigures::p50Micros)));
    }

    private static Series series(
            List<RateResult> runs,
            double capacity,
            String name,
            int style,
            ToDoubleFunction<LatencyFigures> micros) {
        var marks =
                runs.stream()
                        .filter(run -> run.voidReason().isEmpty())
                        .map(run -> mark(run, capacity, name, micros.applyAsDouble(run.latency())))
                        .toList();
        return new Series(name, style, marks, List.of(), true);
    }

    private static Mark mark(RateResult run, double capacity, String name, double micros) {
        var millis = micros * MILLIS / MICROS;
        return new Mark(
                new Place(run.ratePerSecond() / capacity * PERCENT, millis),
                millis,
                millis,
                Kind.MEASURED,
                String.format(
                        Locale.ROOT,
                        "%,.0f messages/s, %s: %s ms",
                        run.ratePerSecond(),
                        name,
                        RateText.millis(micros)));
    }
}

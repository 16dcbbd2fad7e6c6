package winnow.loadgen.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import winnow.loadgen.chart.Chart;
import winnow.loadgen.chart.Chart.Kind;
import winnow.loadgen.chart.Chart.Mark;
import winnow.loadgen.chart.Chart.Place;
import winnow.loadgen.chart.Chart.Series;
import winnow.loadgen.run.Measurement;
import winnow.loadgen.run.Moment;
import winnow.loadgen.workload.AxisScale;

/// The course of one point: processors in use, as in the paper's figure 4, and rates.
final class CourseCharts {

    private static final int BLUE = 1;
    private static final int RED = 5;

    private CourseCharts() {}

    static List<Chart> of(Measurement measurement) {
        var moments = measurement.moments();
        var broker =
                series(
                        "broker",
                        RED,
                        moments,
                        moment -> {
                            var used = moment.brokerProcessors();
                            return used == null ? Double.NaN : used;
                        });
        var label = measurement.point().label();
        var charts = new ArrayList<Chart>();
        charts.add(
                chart(
                        "Processors in use while " + label + " was measured",
                        "processors",
                        broker,
                        series("clients", BLUE, moments, Moment::clientProcessors)));
        charts.add(
                chart(
                        "Rates while " + label + " was measured",
                        "messages/s",
                        series("dispatched", RED, moments, Moment::dispatchedPerSecond),
                        series("received", BLUE, moments, Moment::receivedPerSecond)));
        var machines = measurement.machines();
        if (!machines.isEmpty()) {
            charts.add(
                    chart(
                            "Machines of the load while " + label + " was measured",
                            "share of processors",
                            IntStream.range(0, machines.size())
                                    .mapToObj(number ->
                                            series(
                                                    machines.get(number).worker(),
                                                    number,
                                                    moments,
                                                    moment ->
                                                            moment.machines()
                                                                    .get(number)
                                                                    .busyShare()))
                                    .toArray(Series[]::new)));
        }
        return charts;
    }

    private static Chart chart(String title, String up, Series... all) {
        var series = Arrays.stream(all).filter(any -> !any.marks().isEmpty()).toList();
        return new Chart(
                title,
                "%s over seconds: %s.".formatted(up, ReportCharts.ends(series)),
                "seconds since the publishers began",
                up,
                AxisScale.LINEAR,
                AxisScale.LINEAR,
                series,
                List.of());
    }

    private static Series series(
            String name, int style, List<Moment> moments, ToDoubleFunction<Moment> value) {
        var marks =
                moments.stream()
                        .map(moment -> {
                            var up = value.applyAsDouble(moment);
                            return new Mark(
                                    new Place(moment.seconds(), up), up, up, Kind.MEASURED, name);
                        })
                        .toList();
        return new Series(name, style, marks, List.of(), true);
    }
}

package winnow.loadgen.command;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import winnow.loadgen.chart.Chart;
import winnow.loadgen.chart.Chart.Kind;
import winnow.loadgen.chart.Chart.Mark;
import winnow.loadgen.chart.Chart.Place;
import winnow.loadgen.chart.Chart.Series;
import winnow.loadgen.peer.PeerResult;

/// Times until all receivers have acknowledged, as a drawing and as lines.
final class PeerChart {

    private static final int[] STYLES = {1, 5, 3, 7, 2, 8, 4, 6, 9};

    private PeerChart() {}

    /// Over the size of the message, a curve for each number of receivers and way.
    static Chart of(List<PeerResult> results) {
        var marks = new LinkedHashMap<String, List<Mark>>();
        for (var result : results) {
            var load = result.load();
            var millis = result.p50Micros() / 1e3;
            marks.computeIfAbsent(load.receivers() + " by " + load.way(), _ -> new ArrayList<>())
                    .add(
                            new Mark(
                                    new Place(Math.max(1, load.bodyBytes()), millis),
                                    result.minMicros() / 1e3,
                                    result.p99Micros() / 1e3,
                                    Kind.MEASURED,
                                    text(result).strip()));
        }
        var series = new ArrayList<Series>();
        marks.forEach((name, its) ->
                series.add(
                        new Series(
                                name,
                                STYLES[series.size() % STYLES.length],
                                its,
                                List.of(),
                                true)));
        var burst = results.isEmpty() ? 1 : results.getFirst().load().burst();
        return new Chart(
                "Time until all receivers have acknowledged",
                "The round in the middle, with bars from the quickest to the 99th percentile, over"
                        + " the size of the message.",
                "bytes of a message",
                burst == 1 ? "ms" : "ms for %,d messages each".formatted(burst),
                series);
    }

    /// One line.
    static String text(PeerResult result) {
        var load = result.load();
        return String.format(
                Locale.ROOT,
                "%,4d receivers by %-6s %,9d B  p50 %,.3f ms  p99 %,.3f ms  %,.0f messages a"
                        + " second",
                load.receivers(),
                load.way(),
                load.bodyBytes(),
                result.p50Micros() / 1e3,
                result.p99Micros() / 1e3,
                result.messagesPerSecond());
    }
}

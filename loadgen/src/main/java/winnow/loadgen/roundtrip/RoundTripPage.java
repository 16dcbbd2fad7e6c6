package winnow.loadgen.roundtrip;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import winnow.loadgen.chart.Chart;
import winnow.loadgen.chart.Chart.Kind;
import winnow.loadgen.chart.Chart.Mark;
import winnow.loadgen.chart.Chart.Place;
import winnow.loadgen.chart.Chart.Series;
import winnow.loadgen.chart.ChartSvg;
import winnow.loadgen.chart.Digits;
import winnow.loadgen.report.HtmlReport;
import winnow.loadgen.report.TimeText;

/// The results as one HTML file that needs no script and loads nothing.
final class RoundTripPage {

    private static final int WIDTH = 620;
    private static final int HEIGHT = 400;
    private static final double MICROS = 1e6;

    private static final int PAPER_STYLE = 9;

    private RoundTripPage() {}

    static String of(RoundTripRun run) throws IOException {
        return HtmlReport.page(
                "Winnow round trips",
                header(run) + charts(run, "", Set.of()) + tables(run) + papers() + details(run));
    }

    private static String header(RoundTripRun run) {
        var machine = run.machine();
        return """
        <header><h1>Round trips</h1>
        <p class="soft">%s UTC<br>%s, %s; %s; %s</p></header>
        <section class="card verdict" aria-label="Finding">
        %s</section>
        """
                .formatted(
                        escaped(run.started().replace('T', ' ').replace("Z", "")),
                        escaped(machine.processor()),
                        machine.processorsText(),
                        escaped(machine.system()),
                        escaped(machine.jvm()),
                        finding(run));
    }

    /// The smallest message of each layer, and its bytes on the wire.
    private static String finding(RoundTripRun run) {
        var out = new StringBuilder();
        for (var layer : run.settings().layers()) {
            var results = run.of(layer);
            if (results.isEmpty()) {
                continue;
            }
            var first = results.getFirst();
            out.append(
                    "<p><strong>%s</strong>: %s for a round trip of %s each way%s.</p>%n"
                            .formatted(
                                    escaped(layer.toString()),
                                    TimeText.of(first.p50Micros() / MICROS),
                                    size(first.bytes()),
                                    first.wireBytes() == null
                                            ? ""
                                            : String.format(
                                                    Locale.ROOT,
                                                    "; %.0f B on the wire",
                                                    first.wireBytes())));
        }
        return out.toString();
    }

    /// A drawing of each figure that was measured.
    ///
    /// @param prefix of their ids
    /// @param ids of those that are wanted; empty for all
    static String charts(RoundTripRun run, String prefix, Set<String> ids) {
        var drawings =
                List.of(
                        new Drawing(
                                "Latency",
                                "Half of the round trips took at most so long.",
                                "latency",
                                chart(run, "Latency", "round trip, µs", LayerResult::p50Micros)),
                        new Drawing(
                                "Latency, 99 %",
                                "99 % of the round trips took at most so long.",
                                "slowest",
                                chart(
                                        run,
                                        "Latency, 99 %",
                                        "round trip, µs",
                                        LayerResult::p99Micros)),
                        new Drawing(
                                "Bandwidth",
                                "Payload of both directions over the mean time of a round trip.",
                                "bandwidth",
                                chart(
                                        run,
                                        "Bandwidth of round trips",
                                        "payload, MB/s",
                                        LayerResult::megabytesPerSecond)),
                        new Drawing(
                                "One-way stream",
                                "Messages sent without waiting for answers, until the last one is"
                                        + " answered.",
                                "stream",
                                chart(
                                        run,
                                        "One-way stream",
                                        "payload, MB/s",
                                        LayerResult::streamMegabytesPerSecond)),
                        new Drawing(
                                "Bytes on the wire",
                                "Bytes on each TCP connection that are not payload; the papers"
                                        + " state those of one byte.",
                                "overhead",
                                overhead(run)));
        return drawings.stream()
                .filter(Drawing::hasMarks)
                .filter(drawing -> ids.isEmpty() || ids.contains(drawing.id()))
                .map(drawing -> drawing.html(prefix))
                .collect(Collectors.joining("", "<div class=\"pair\">\n", "</div>\n"));
    }

    /// A chart with its words.
    private record Drawing(String title, String caption, String id, Chart chart) {

        boolean hasMarks() {
            return chart.series().stream().anyMatch(one -> !one.marks().isEmpty());
        }

        String html(String prefix) {
            return """
            <article class="card"><h3>%s</h3>
            <figure>%s<figcaption class="soft small">%s</figcaption></figure></article>
            """
                    .formatted(title, ChartSvg.element(chart, prefix + id, WIDTH, HEIGHT), caption);
        }
    }

    private static Chart chart(
            RoundTripRun run,
            String title,
            String up,
            Function<LayerResult, @Nullable Double> figure) {
        var series = new ArrayList<Series>();
        for (var layer : run.settings().layers()) {
            var marks = new ArrayList<Mark>();
            for (var one : run.of(layer)) {
                var value = figure.apply(one);
                if (value != null) {
                    marks.add(mark(layer.toString(), one.bytes(), value, up));
                }
            }
            if (!marks.isEmpty()) {
                series.add(new Series(layer.toString(), style(layer), marks, List.of(), true));
            }
        }
        return new Chart(title, title + " by layer and size.", "bytes of a message", up, series);
    }

    private static Mark mark(String name, double bytes, double value, String up) {
        return new Mark(
                new Place(bytes, value),
                value,
                value,
                Kind.MEASURED,
                String.format(
                        Locale.ROOT,
                        "%s, %,.0f bytes: %s (%s)",
                        name,
                        bytes,
                        Digits.three(value),
                        up));
    }

    private static Chart overhead(RoundTripRun run) {
        var measured =
                chart(
                        run,
                        "Bytes on the wire that are not payload",
                        "bytes",
                        LayerResult::overheadBytes);
        var series = new ArrayList<>(measured.series());
        if (series.stream().allMatch(one -> one.marks().isEmpty())) {
            return measured;
        }
        for (var paper : PaperRoundTrips.EFFICIENCIES) {
            var mark = mark(paper.what(), 1, paper.wireBytes() - 1.0, "bytes");
            series.add(new Series(paper.what(), PAPER_STYLE, List.of(mark), List.of(), false));
        }
        return new Chart(
                measured.title(), measured.description(), measured.across(), measured.up(), series);
    }

    /// Number of its color and marker.
    private static int style(Layer layer) {
        return switch (layer) {
            case SOCKET -> 0;
            case ECHO -> 8;
            case FRAMES -> 2;
            case TOPIC -> 1;
            case QUEUE -> 3;
            case STORED -> 5;
            case REQUEST -> 7;
        };
    }

    private static String tables(RoundTripRun run) {
        var out = new StringBuilder("<section class=\"run\"><h2>All figures</h2>\n");
        for (var layer : run.settings().layers()) {
            var rows = new ArrayList<List<String>>();
            for (var one : run.of(layer)) {
                rows.add(
                        List.of(
                                String.format(Locale.ROOT, "%,d", one.bytes()),
                                TimeText.of(one.p50Micros() / MICROS),
                                TimeText.of(one.p99Micros() / MICROS),
                                TimeText.of(one.bestMicros() / MICROS)
                                        + " to "
                                        + TimeText.of(one.worstMicros() / MICROS),
                                Digits.three(one.megabytesPerSecond()),
                                figure("%,.0f", one.streamPerSecond()),
                                three(one.streamMegabytesPerSecond()),
                                figure("%,.1f", one.wireBytes())));
            }
            out.append(
                    "<article class=\"card\"><h3>%s</h3>%n%s</article>%n"
                            .formatted(
                                    escaped(layer.toString()),
                                    table(
                                            0,
                                            List.of(
                                                    "bytes",
                                                    "p50",
                                                    "p99",
                                                    "mean of each series",
                                                    "MB/s",
                                                    "stream msg/s",
                                                    "stream MB/s",
                                                    "bytes on the wire"),
                                            rows)));
        }
        return out.append("</section>\n").toString();
    }

    /// A table of what the papers state.
    static String papers() {
        var rows = new ArrayList<List<String>>();
        for (var one : PaperRoundTrips.EFFICIENCIES) {
            rows.add(
                    List.of(
                            "Bytes of a message with one byte of payload, " + one.what(),
                            Integer.toString(one.wireBytes()),
                            "JXTA communication layers, section 5"));
        }
        PaperRoundTrips.STATEMENTS.forEach(
                one -> rows.add(List.of(one.what(), one.value(), one.source())));
        return "<section class=\"run stated\"><h2>Found by the papers</h2>\n"
                + "<article class=\"card\">"
                + table(3, List.of("what", "value", "source"), rows)
                + "</article></section>\n";
    }

    private static String details(RoundTripRun run) {
        var settings = run.settings();
        return """
        <section class="run"><details class="card"><summary>How it was measured</summary>
        <p>%,d round trips to warm up, then %d series of %,d for each size, one message at a time.
        Producer and reflector are threads of one process; the reflector sends back what it
        receives. TCP_NODELAY %s, socket buffers %s. %s</p>
        <p><code>%s</code></p></details></section>
        """
                .formatted(
                        settings.warmUp(),
                        settings.series(),
                        settings.trips(),
                        settings.sockets().noDelay() ? "on" : "off",
                        settings.sockets().bufferBytes() == 0
                                ? "as the kernel chooses"
                                : String.format(
                                        Locale.ROOT,
                                        "of %,d bytes",
                                        settings.sockets().bufferBytes()),
                        network(settings.wan()),
                        escaped(run.command()));
    }

    private static String network(@Nullable Wan wan) {
        return wan == null
                ? "No delay was added."
                : String.format(
                        Locale.ROOT,
                        "A relay before the reflector adds %s ms to a round trip, passes %,.0f"
                                + " Mbit/s, and holds %,d bytes that are not confirmed.",
                        Digits.three(wan.roundTripNanos() / 1e6),
                        wan.bitsPerSecond() / 1e6,
                        wan.windowBytes());
    }

    /// @param textColumns how many columns from the left are text
    private static String table(int textColumns, List<String> titles, List<List<String>> rows) {
        var out = new StringBuilder("<div class=\"scroll\" tabindex=\"0\"><table>\n<thead>");
        row(out, "th scope=\"col\"", "th", textColumns, titles);
        out.append("</thead>\n<tbody>\n");
        rows.forEach(cells -> row(out, "td", "td", textColumns, cells));
        return out.append("</tbody></table></div>\n").toString();
    }

    private static void row(
            StringBuilder out, String open, String close, int textColumns, List<String> cells) {
        out.append("<tr>");
        for (var i = 0; i < cells.size(); i++) {
            out.append(
                    "<%s%s>%s</%s>"
                            .formatted(
                                    open,
                                    i < textColumns ? " class=\"text\"" : "",
                                    escaped(cells.get(i)),
                                    close));
        }
        out.append("</tr>\n");
    }

    private static String size(int bytes) {
        return bytes == 1 ? "1 byte" : String.format(Locale.ROOT, "%,d bytes", bytes);
    }

    private static String three(@Nullable Double value) {
        return value == null ? "–" : Digits.three(value);
    }

    private static String figure(String format, @Nullable Double value) {
        return value == null ? "–" : String.format(Locale.ROOT, format, value);
    }

    private static String escaped(String text) {
        return ChartSvg.escaped(text);
    }
}

package winnow.loadgen.ageing;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import winnow.loadgen.ageing.AgeingResult.WatchedFigure;
import winnow.loadgen.chart.Chart;
import winnow.loadgen.chart.Chart.Kind;
import winnow.loadgen.chart.Chart.Mark;
import winnow.loadgen.chart.Chart.Place;
import winnow.loadgen.chart.Chart.Series;
import winnow.loadgen.chart.ChartSvg;
import winnow.loadgen.machine.BrokerUsage;
import winnow.loadgen.report.HtmlReport;
import winnow.loadgen.report.OutputFile;
import winnow.loadgen.workload.AxisScale;

/// Draws the rounds: `ageing.svg` with everything that may drift, and the page `report.html`.
public final class AgeingPage {

    private static final int WIDTH = 980;
    private static final int HEIGHT = 460;
    private static final int SMALL_WIDTH = 620;
    private static final int SMALL_HEIGHT = 360;

    /// Marks of one series; of more rounds, every so many one is shown.
    private static final int MOST_MARKS = 250;

    private static final double MEBI = 1 << 20;

    private final AgeingResult result;
    private final SpanUnit unit;

    private AgeingPage(AgeingResult result) {
        this.result = result;
        unit = SpanUnit.of(result.days(result.rounds().getLast()));
    }

    /// Writes both, of at least one round.
    ///
    /// @param command as it was typed
    /// @return the page
    public static Path write(AgeingResult result, String command, Path directory)
            throws IOException {
        var drawn = new AgeingPage(result);
        var page = directory.resolve("report.html");
        OutputFile.write(
                directory.resolve("ageing.svg"), ChartSvg.file(drawn.relative(), WIDTH, HEIGHT));
        OutputFile.write(page, drawn.html(command));
        return page;
    }

    /// Of the horizontal axis.
    private enum SpanUnit {
        MINUTES("minutes", 24 * 60),
        HOURS("hours", 24),
        DAYS("days", 1);

        private final String label;
        private final double perDay;

        SpanUnit(String label, double perDay) {
            this.label = label;
            this.perDay = perDay;
        }

        static SpanUnit of(double days) {
            if (days * MINUTES.perDay < 180) {
                return MINUTES;
            }
            return days < 4 ? HOURS : DAYS;
        }
    }

    private String html(String command) throws IOException {
        var verdicts =
                result.verdicts().stream()
                        .map(text -> "<p>" + HtmlReport.escaped(text) + "</p>\n")
                        .collect(Collectors.joining());
        var charts = new StringBuilder();
        for (var watched : WatchedFigure.values()) {
            if (result.rounds().stream().anyMatch(round -> watched.of(round) != null)) {
                charts.append(article(absolute(watched), watched.name()));
            }
        }
        for (var chart : brokerCharts()) {
            charts.append(article(chart, chart.up().replaceAll("\\W", "-")));
        }
        var first = result.rounds().getFirst();
        var last = result.rounds().getLast();
        return HtmlReport.page(
                "Winnow ageing",
                """
                <header><h1>Ageing</h1>
                <p class="soft">%,d rounds from %s to %s UTC<br>%s</p></header>
                <section class="card verdict" aria-label="Finding">
                %s</section>
                <article class="card"><h3>Drift</h3>
                <figure>%s<figcaption class="soft small">%s</figcaption></figure></article>
                <div class="pair">
                %s</div>
                """
                        .formatted(
                                result.rounds().size(),
                                first.at(),
                                last.at(),
                                HtmlReport.escaped(command),
                                verdicts,
                                ChartSvg.element(relative(), "drift", WIDTH, HEIGHT),
                                "Each figure over its mean in the first rounds, without those that"
                                        + " may be zero. FioranoMQ lost 30 % of its"
                                        + " throughput in four weeks (section 4.10 of the paper).",
                                charts));
    }

    private static String article(Chart chart, String id) {
        return """
        <article class="card"><h3>%s</h3>
        <figure>%s<figcaption class="soft small">%s</figcaption></figure></article>
        """
                .formatted(
                        HtmlReport.escaped(chart.title()),
                        ChartSvg.element(chart, id, SMALL_WIDTH, SMALL_HEIGHT),
                        HtmlReport.escaped(chart.description()));
    }

    /// All figures over what they were in the first rounds.
    private Chart relative() {
        var series = new ArrayList<Series>();
        for (var watched : WatchedFigure.values()) {
            var first = first(watched);
            if (first > 0 && isAboveZero(watched)) {
                series.add(
                        new Series(
                                watched.label().replace(" without", ", without"),
                                watched.style(),
                                withoutBars(marks(watched, first)),
                                List.of(),
                                true));
            }
        }
        var end = across(result.rounds().getLast());
        var paper =
                1 - Drift.PAPER_LOSS / Drift.PAPER_DAYS * result.days(result.rounds().getLast());
        series.add(
                new Series(
                        "paper: -30 % of throughput, in 28 days",
                        Series.PAPER,
                        List.of(),
                        List.of(new Place(0, 1), new Place(end, Math.max(0, paper))),
                        false));
        return chart(
                "Drift of the broker",
                "Figures over those of the first rounds",
                "share of the first rounds",
                series);
    }

    /// True if most rounds are sure that it is not zero: over next to nothing all is much.
    private boolean isAboveZero(WatchedFigure watched) {
        var sure = 0;
        var all = 0;
        for (var round : result.rounds()) {
            var figure = watched.of(round);
            if (figure != null) {
                var low = figure.low();
                sure += figure.value() > 0 && (low == null || low > 0) ? 1 : 0;
                all++;
            }
        }
        return 2 * sure > all;
    }

    private static List<Mark> withoutBars(List<Mark> marks) {
        return marks.stream()
                .map(mark ->
                        new Mark(
                                mark.at(),
                                mark.at().up(),
                                mark.at().up(),
                                mark.kind(),
                                mark.note()))
                .toList();
    }

    private Chart absolute(WatchedFigure watched) {
        var scale =
                switch (watched) {
                    case THROUGHPUT -> 1;
                    // Of microseconds.
                    case MACHINE -> 1e3;
                    case RECEIVE, FILTER, TRANSMIT -> 1e-9;
                };
        return chart(
                watched.label(),
                watched == WatchedFigure.MACHINE
                        ? "Median over the points of each round."
                        : "Mean of each round, with its 95 % interval.",
                switch (watched) {
                    case THROUGHPUT -> "msg/s";
                    case MACHINE -> "ms";
                    case RECEIVE, FILTER, TRANSMIT -> "ns";
                },
                List.of(new Series("", watched.style(), marks(watched, scale), List.of(), true)));
    }

    private List<Chart> brokerCharts() {
        return List.of(
                        usage(
                                "Memory of the broker",
                                "MiB",
                                List.of(
                                        new Course("process", round -> mebi(round.residentBytes())),
                                        new Course("heap", round -> mebi(round.heapBytes())),
                                        new Course("direct", round -> mebi(round.directBytes())))),
                        usage(
                                "Threads and files of the broker",
                                "open, alive",
                                List.of(
                                        new Course("threads", BrokerUsage::threads),
                                        new Course("files", BrokerUsage::openFiles))),
                        usage(
                                "Collections of garbage since its start",
                                "s",
                                List.of(new Course("collections", BrokerUsage::collectionSeconds))))
                .stream()
                .filter(chart ->
                        chart.series().stream()
                                .anyMatch(one -> !one.marks().isEmpty() && one.isJoined()))
                .toList();
    }

    /// One course of what the broker uses.
    private record Course(String label, Function<BrokerUsage, @Nullable Double> value) {}

    private static @Nullable Double mebi(@Nullable Double bytes) {
        return bytes == null ? null : Double.valueOf(bytes / MEBI);
    }

    private Chart usage(String title, String up, List<Course> lines) {
        var series = new ArrayList<Series>();
        for (var line : lines) {
            var marks = new ArrayList<Mark>();
            for (var round : thinned()) {
                var value = line.value().apply(round.broker());
                if (value != null) {
                    var place = new Place(across(round), value);
                    marks.add(mark(round, place, value, value));
                }
            }
            if (!marks.isEmpty()) {
                series.add(new Series(line.label(), series.size() + 1, marks, List.of(), true));
            }
        }
        return chart(title, "At the end of each round.", up, series);
    }

    /// With a line at each restart.
    private Chart chart(String title, String description, String up, List<Series> series) {
        var top =
                series.stream()
                        .flatMap(one -> one.marks().stream())
                        .mapToDouble(mark -> mark.at().up())
                        .max()
                        .orElse(1);
        var all = new ArrayList<>(series);
        for (var restart : result.restarts()) {
            var at = across(restart);
            all.add(
                    new Series(
                            all.size() == series.size() ? "restart" : "",
                            0,
                            List.of(),
                            List.of(new Place(at, 0), new Place(at, top)),
                            false));
        }
        return new Chart(
                title,
                description,
                unit.label + " since the first round",
                up,
                AxisScale.LINEAR,
                AxisScale.LINEAR,
                all,
                List.of());
    }

    /// Mean of a figure in the first tenth of the rounds, of three at least; 0 if it is in none.
    private double first(WatchedFigure watched) {
        return result.rounds().stream()
                .map(watched::of)
                .filter(Objects::nonNull)
                .limit(Math.max(3, result.rounds().size() / 10))
                .mapToDouble(AgeingRound.RoundValue::value)
                .average()
                .orElse(0);
    }

    private List<Mark> marks(WatchedFigure watched, double scale) {
        var marks = new ArrayList<Mark>();
        for (var round : thinned()) {
            var figure = watched.of(round);
            if (figure == null) {
                continue;
            }
            var place = new Place(across(round), figure.value() / scale);
            var low = figure.low();
            var high = figure.high();
            marks.add(
                    mark(
                            round,
                            place,
                            low == null ? place.up() : low / scale,
                            high == null ? place.up() : high / scale));
        }
        return marks;
    }

    private static Mark mark(AgeingRound round, Place place, double low, double high) {
        var note =
                String.format(
                        Locale.ROOT, "round %d, %s: %.4g", round.number(), round.at(), place.up());
        return new Mark(place, low, high, Kind.MEASURED, note);
    }

    /// Every round, or of very many every so many one.
    private List<AgeingRound> thinned() {
        var rounds = result.rounds();
        var step = (rounds.size() + MOST_MARKS - 1) / MOST_MARKS;
        var some = new ArrayList<AgeingRound>();
        for (var index = 0; index < rounds.size(); index += step) {
            some.add(rounds.get(index));
        }
        return some;
    }

    private double across(AgeingRound round) {
        return result.days(round) * unit.perDay;
    }
}

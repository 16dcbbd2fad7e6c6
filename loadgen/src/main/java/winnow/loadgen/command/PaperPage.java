package winnow.loadgen.command;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import winnow.loadgen.chart.Chart;
import winnow.loadgen.chart.ChartSvg;
import winnow.loadgen.command.PaperStep.PagePart;
import winnow.loadgen.machine.Machine;
import winnow.loadgen.peer.PeerResult;
import winnow.loadgen.rate.RateResult;
import winnow.loadgen.rate.Spacing;
import winnow.loadgen.report.HtmlReport;
import winnow.loadgen.report.OutputFile;
import winnow.loadgen.report.RunAnalysis;
import winnow.loadgen.roundtrip.Layer;
import winnow.loadgen.roundtrip.RoundTripFiles;
import winnow.loadgen.run.LoadException;
import winnow.loadgen.run.ResultFiles;

/// The page with the figures of all five papers, from the results of the steps that are there. It
/// needs no script and loads nothing when it is viewed.
final class PaperPage {

    private static final String THROUGHPUT = "FioranoMQ: throughput";
    private static final String WAITING = "FioranoMQ: waiting times";
    private static final String ROUND_TRIPS = "JXTA, jGMA, NaradaBrokering: round trips";
    private static final String PEERS = "PAWN: receivers that acknowledge";
    private static final int WIDTH = 620;
    private static final int HEIGHT = 400;
    private static final int FILE_WIDTH = 760;
    private static final int BODY_BYTES = 100;

    private static final ObjectMapper JSON =
            new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    private final Path directory;
    private final boolean isFull;

    /// Steps whose results are there, in their order.
    private final Map<PaperStep, PaperRecord> done;

    private PaperPage(Path directory, boolean isFull, Map<PaperStep, PaperRecord> done) {
        this.directory = directory;
        this.isFull = isFull;
        this.done = done;
    }

    /// Writes `paper.html`, and `figure-14.svg` once what it needs is there.
    ///
    /// @param directory of all steps
    /// @param done how the steps ended whose results are there
    /// @return the page
    static Path write(Path directory, boolean isFull, Map<PaperStep, PaperRecord> done)
            throws IOException, LoadException {
        var file = directory.resolve("paper.html");
        var page = new PaperPage(directory, isFull, done);
        var analyses = page.analyses();
        OutputFile.write(file, page.html(analyses));
        var chart = HtmlReport.paperChart(analyses);
        if (chart.isPresent()) {
            OutputFile.write(
                    directory.resolve("figure-14.svg"),
                    ChartSvg.file(chart.get(), FILE_WIDTH, HEIGHT));
        }
        return file;
    }

    private String html(List<RunAnalysis> analyses) throws IOException, LoadException {
        var parts = new LinkedHashMap<String, String>();
        parts.put("throughput", throughput(analyses));
        parts.put("waiting", waiting());
        parts.put("round-trips", roundTrips());
        parts.put("peers", peers());
        parts.put("steps", steps());
        return HtmlReport.page(
                "The papers, redrawn", header() + links(parts) + String.join("", parts.values()));
    }

    private String header() throws IOException {
        var all = PaperStep.all().size();
        var machine = Machine.current();
        return """
        <header><h1>The papers, redrawn</h1>
        <p class="soft">%s UTC, %s form<br>%s, %s; %s; %s</p></header>
        <section class="card verdict"><p>%s, measured
        on this machine by <code>winnow load paper</code>. Broker, publishers and subscribers share
        its processors, so rates per processor of the broker are compared with those of the paper's
        server where that is possible. Stars are values that a paper states.</p></section>
        """
                .formatted(
                        Instant.now()
                                .truncatedTo(ChronoUnit.MINUTES)
                                .toString()
                                .replace('T', ' ')
                                .replace(":00Z", ""),
                        isFull ? "full" : "quick",
                        escaped(machine.processor()),
                        machine.processorsText(),
                        escaped(machine.system()),
                        escaped(machine.jvm()),
                        done.size() == all
                                ? "Every figure of the papers that Winnow can repeat"
                                : "Figures of the papers, %d of %d steps"
                                        .formatted(done.size(), all));
    }

    /// Links to the parts that are there.
    private static String links(Map<String, String> parts) {
        var out = new StringBuilder("<nav class=\"card\">");
        var between = "";
        for (var part : parts.entrySet()) {
            if (!part.getValue().isEmpty()) {
                out.append(between).append(link(part.getKey()));
                between = " &middot;\n";
            }
        }
        return out.append("</nav>\n").toString();
    }

    private static String link(String id) {
        return "<a href=\"#%s\">%s</a>"
                .formatted(
                        id,
                        switch (id) {
                            case "throughput" -> THROUGHPUT;
                            case "waiting" -> WAITING;
                            case "round-trips" -> ROUND_TRIPS;
                            case "peers" -> PEERS;
                            default -> "Commands";
                        });
    }

    private List<PaperStep> of(PagePart part) {
        return done.keySet().stream().filter(step -> step.part() == part).toList();
    }

    /// The last run of each scenario: a step that was stopped has measured some points before.
    private List<RunAnalysis> analyses() throws LoadException {
        var analyses = new ArrayList<RunAnalysis>();
        for (var step : of(PagePart.THROUGHPUT)) {
            var runs =
                    ResultFiles.read(step.results(directory), _ -> {}).stream()
                            .filter(run -> run.points() > 0)
                            .toList();
            if (!runs.isEmpty()) {
                analyses.add(RunAnalysis.of(runs.getLast()));
            }
        }
        return analyses;
    }

    private static String throughput(List<RunAnalysis> analyses) {
        return analyses.isEmpty()
                ? ""
                : part(
                        "throughput",
                        THROUGHPUT,
                        "Sections 4.1 to 4.9 with figures 4 to 14 and table 1.",
                        hero(analyses) + HtmlReport.sections(analyses));
    }

    private static String hero(List<RunAnalysis> analyses) {
        return HtmlReport.paperChart(analyses)
                .map(chart ->
                        article(
                                "Figure 14 at r = 1: the paper's server and Winnow",
                                "Marks: measured; dashed: the model fitted to them; FioranoMQ:"
                                        + " the model with the paper's table 1.",
                                chart,
                                "figure-14"))
                .orElse("");
    }

    private String waiting() throws IOException {
        var steps = of(PagePart.WAITING);
        if (steps.isEmpty()) {
            return "";
        }
        var out = new StringBuilder("<div class=\"pair\">\n");
        out.append(
                article(
                        "The paper's server, forecast",
                        "M/GI/1 with the times of table 1. For a mean of five copies messages wait"
                                + " longest where all filters match or none does.",
                        WaitingCharts.paper(),
                        "waiting-paper"));
        out.append(
                article(
                        "Winnow, forecast",
                        "The gated batch queue: a loop serves all that waits at a time. Times as in"
                                + " <code>winnow load plan --costs winnow-indexed</code>.",
                        WaitingCharts.forecast(BODY_BYTES, 1),
                        "waiting-forecast"));
        for (var step : steps) {
            var json = JSON.readTree(step.results(directory).toFile());
            var spacing = json.at("/load/spacing").asText();
            if (spacing.startsWith("clumped:")) {
                out.append(
                        article(
                                "Winnow, forecast for messages in clumps",
                                "The same queue with messages that arrive together, as in"
                                        + " <code>winnow load plan --clump</code>.",
                                WaitingCharts.forecast(BODY_BYTES, Spacing.of(spacing).clump()),
                                step.name() + "-forecast"));
            }
            out.append(
                    article(
                            step.title(),
                            "Measured from the time at which each message was due, with the way"
                                    + " through the network and the client, which the forecast does"
                                    + " not have. Void runs are left out.",
                            WaitingCharts.measured(
                                    rates(json), json.path("capacityPerSecond").asDouble()),
                            step.name()));
        }
        return part(
                "waiting",
                WAITING,
                "The paper's outlook (section 5): the time that a message waits, with a variable"
                        + " number of copies.",
                out.append("</div>\n").toString());
    }

    private static List<RateResult> rates(JsonNode json) throws IOException {
        return List.of(JSON.treeToValue(json.path("runs"), RateResult[].class));
    }

    private String roundTrips() throws LoadException {
        var steps = of(PagePart.ROUND_TRIPS);
        if (steps.isEmpty()) {
            return "";
        }
        var out = new StringBuilder();
        for (var step : steps) {
            var run = RoundTripFiles.read(step.results(directory));
            var prefix = step.name() + "-";
            out.append("<h3>" + escaped(step.title()) + "</h3>\n")
                    .append(
                            run.settings().layers().size() == Layer.values().length
                                    ? RoundTripFiles.drawings(run, prefix)
                                    : RoundTripFiles.mainDrawings(run, prefix));
        }
        return part(
                "round-trips",
                ROUND_TRIPS,
                "A producer sends a message, a reflector sends it back, and the next one follows.",
                out + RoundTripFiles.papers());
    }

    private String peers() throws IOException {
        var out = new StringBuilder("<div class=\"pair\">\n");
        for (var step : of(PagePart.PEERS)) {
            var json = JSON.readTree(step.results(directory).toFile());
            var results = List.of(JSON.treeToValue(json.path("peers"), PeerResult[].class));
            out.append(
                    article(
                            step.title(),
                            "Marks: the round in the middle; bars: from the quickest to the 99th"
                                    + " percentile.",
                            PeerChart.of(results),
                            step.name()));
        }
        for (var step : of(PagePart.INTERVALS)) {
            var runs = rates(JSON.readTree(step.results(directory).toFile()));
            out.append(
                    article(
                            step.title(),
                            "The paper's relay lost messages from 300 ms down. Here %s."
                                    .formatted(lost(runs)),
                            RateCharts.rates(runs, null),
                            step.name()));
        }
        var isThere = !of(PagePart.PEERS).isEmpty() || !of(PagePart.INTERVALS).isEmpty();
        return isThere
                ? part(
                        "peers",
                        PEERS,
                        "One sender, 2 and 20 peers; rising rates until messages are lost.",
                        out.append("</div>\n").toString())
                : "";
    }

    private static String lost(List<RateResult> runs) {
        var lost = runs.stream().mapToLong(run -> run.missing() + run.refused()).sum();
        var sent = runs.stream().mapToLong(RateResult::sent).sum();
        return lost == 0
                ? "none of %,d messages was lost or refused".formatted(sent)
                : "%,d of %,d messages were lost or refused".formatted(lost, sent);
    }

    private String steps() {
        var out =
                new StringBuilder(
                        """
                        <section class="run" id="steps"><details class="card"><summary>Commands,
                        for those who want to repeat a part</summary>
                        <p>Throughput, waiting times and receivers were measured with a broker of
                        <code>%s</code>; <code>--url</code>, <code>--broker-pid</code> and
                        <code>--metrics-url</code> name such a one.</p>
                        <div class="scroll" tabindex="0"><table><thead><tr>
                        <th scope="col" class="text">command</th><th scope="col">took</th>
                        <th scope="col" class="text">outcome</th></tr></thead><tbody>
                        """
                                .formatted(escaped(PaperCommand.BROKER)));
        done.forEach((step, record) ->
                out.append(
                        """
                        <tr><td class="text"><a href="./%s/">%s</a> <code>%s</code></td>
                        <td>%s</td><td class="text">%s</td></tr>
                        """
                                .formatted(
                                        step.name(),
                                        step.name(),
                                        escaped(record.command()),
                                        took(record),
                                        record.exitCode() == 0
                                                ? "done"
                                                : "ended with " + record.exitCode())));
        return out.append("</tbody></table></div></details></section>\n").toString();
    }

    private static String took(PaperRecord record) {
        return String.format(
                Locale.ROOT, "%.0f s", Duration.ofMillis(record.millis()).toMillis() / 1e3);
    }

    private static String part(String id, String title, String text, String body) {
        return """
        <section class="run" id="%s"><h2>%s</h2><p class="soft">%s</p>
        %s</section>
        """
                .formatted(id, title, text, body);
    }

    private static String article(String title, String caption, Chart chart, String id) {
        return """
        <article class="card"><h3>%s</h3>
        <figure>%s<figcaption class="soft small">%s</figcaption></figure></article>
        """
                .formatted(escaped(title), ChartSvg.element(chart, id, WIDTH, HEIGHT), caption);
    }

    private static String escaped(String text) {
        return ChartSvg.escaped(text);
    }

    /// True if a step has measured something that the page shows.
    ///
    /// @throws LoadException if its results cannot be read
    static boolean hasResults(PaperStep step, Path directory) throws LoadException {
        var results = step.results(directory);
        if (!Files.exists(results) || step.part() != PagePart.THROUGHPUT) {
            return Files.exists(results);
        }
        return ResultFiles.read(results, _ -> {}).stream()
                .anyMatch(run -> !run.measurements().isEmpty());
    }
}

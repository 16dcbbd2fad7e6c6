package winnow.loadgen.report;

import java.io.File;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import winnow.loadgen.chart.Chart;
import winnow.loadgen.chart.ChartSvg;
import winnow.loadgen.model.PaperTable;
import winnow.loadgen.report.ReportData.RunData;
import winnow.loadgen.run.LoadException;
import winnow.loadgen.workload.FilterKind;

/// One HTML file with everything in it but the data, to which it links: style and drawings. It
/// needs no script and loads nothing when it is viewed.
public final class HtmlReport {

    private HtmlReport() {}

    /// Writes the page.
    ///
    /// @param data files with the points, which the page links to
    public static void write(
            List<RunAnalysis> analyses, @Nullable LightLoad light, Path file, List<Path> data)
            throws LoadException {
        try {
            OutputFile.write(file, render(analyses, light, links(file, data)));
        } catch (IOException failed) {
            throw new LoadException("cannot write the report to " + file, failed);
        }
    }

    static List<String> links(Path page, List<Path> data) {
        var folder = page.toAbsolutePath().normalize().getParent();
        return data.stream()
                .filter(Files::exists)
                .map(file -> file.toAbsolutePath().normalize())
                .map(file -> folder == null ? file : folder.relativize(file))
                .map(file -> file.toString().replace(File.separatorChar, '/'))
                .distinct()
                .toList();
    }

    static String render(List<RunAnalysis> analyses, @Nullable LightLoad light, List<String> links)
            throws IOException {
        var runs = ReportData.of(analyses).runs();
        return page(
                "Winnow load report",
                header(runs)
                        + verdict(Finding.of(analyses, light), links)
                        + compared(MatchingComparison.of(analyses))
                        + hero(MatchingComparison.of(analyses))
                        + groups(runs));
    }

    /// A page in the style of the report.
    ///
    /// @param title plain text
    /// @param body HTML
    public static String page(String title, String body) throws IOException {
        // What users wrote comes last: it may look like a placeholder.
        return resource("report.html")
                .replace("<!--TITLE-->", escaped(title))
                .replace("/*STYLE*/", resource("report.css"))
                .replace("<!--REPORT-->", body);
    }

    /// The tables of both ways of matching, and the section of each scenario.
    public static String sections(List<RunAnalysis> analyses) {
        return compared(MatchingComparison.of(analyses)) + groups(ReportData.of(analyses).runs());
    }

    /// One message in, one copy out, more and more property filters that do not match: linear and
    /// indexed matching, and the paper's server by its table 1 (figure 14).
    ///
    /// @return empty if property filters were not measured in both ways
    public static Optional<Chart> paperChart(List<RunAnalysis> analyses) {
        return MatchingComparison.of(analyses).stream()
                .filter(one -> one.filter().equals(FilterKind.PROPERTY.label()))
                .map(one ->
                        ReportCharts.paperEffect(
                                ReportData.of(List.of(one.linear(), one.indexed())).runs(),
                                PaperTable.PROPERTY))
                .findFirst();
    }

    private static String header(List<RunData> runs) {
        var first = runs.getFirst();
        var machine = first.machine();
        return """
        <header><h1>Winnow load report</h1>
        <p class="soft">%s UTC<br>%s, %s, %.1f GB; %s; %s</p></header>
        """
                .formatted(
                        escaped(first.started().replace('T', ' ').replace("Z", "")),
                        escaped(machine.processor()),
                        machine.processorsText(),
                        machine.memoryBytes() / 1e9,
                        escaped(machine.system()),
                        escaped(machine.jvm()));
    }

    private static String verdict(Finding finding, List<String> links) {
        var gains =
                finding.gains().stream()
                        .map(gain -> "<p class=\"finding\">" + escaped(gain) + "</p>\n")
                        .collect(Collectors.joining());
        return """
        <section class="card verdict" aria-label="Verdict">
        %s%s<p>%s %s %s</p>
        %s</section>
        """
                .formatted(
                        gains,
                        finding.latency().isEmpty()
                                ? ""
                                : "<p class=\"finding\">" + escaped(finding.latency()) + "</p>\n",
                        escaped(finding.disturbance()),
                        escaped(finding.delivery()),
                        escaped(finding.validity()),
                        files(links));
    }

    /// Links to the files with the points; empty if there are none.
    static String files(List<String> links) {
        var files =
                links.stream()
                        .map(link ->
                                "<a href=\"%s\">%s</a>".formatted(address(link), escaped(link)))
                        .collect(Collectors.joining(", "));
        return files.isEmpty() ? "" : "<p class=\"small\">All measured points: " + files + "</p>\n";
    }

    /// Relative, whatever the names of its folders look like.
    private static String address(String link) {
        return Arrays.stream(link.split("/", -1))
                .map(name -> URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20"))
                .collect(Collectors.joining("/", "./", ""));
    }

    /// A table for each kind of filter, both ways of matching side by side.
    private static String compared(List<MatchingComparison> comparisons) {
        var out = new StringBuilder();
        for (var comparison : comparisons) {
            var table =
                    new HtmlTable(
                            "Broker's time per message, %s filters, with 95 %% intervals"
                                    .formatted(comparison.filter()),
                            1,
                            "time to",
                            MatchingComparison.LINEAR,
                            MatchingComparison.INDEXED,
                            "paper");
            for (var row : comparison.rows()) {
                table.row(
                        "",
                        row.symbol() + ", " + row.meaning(),
                        whole(row.linear()),
                        whole(row.indexed()),
                        whole(row.paper()));
            }
            out.append("<section class=\"card\">\n").append(table.html());
            comparison
                    .qualities()
                    .forEach(quality ->
                            out.append("<p class=\"small soft\">" + escaped(quality) + "</p>\n"));
            out.append("</section>\n");
        }
        return out.isEmpty() ? "" : "<div class=\"compared pair\">\n" + out + "</div>\n";
    }

    /// A figure that is broken before its interval only.
    private static String whole(String figure) {
        return figure.replace(' ', '\u00a0').replace("\u00a0(", " (");
    }

    /// The last kind of filter that was matched in both ways.
    private static String hero(List<MatchingComparison> comparisons) {
        if (comparisons.isEmpty()) {
            return "";
        }
        var last = comparisons.getLast();
        var pair = ReportData.of(List.of(last.linear(), last.indexed())).runs();
        var chart = ReportCharts.effect(pair);
        return figure(
                "hero",
                ChartSvg.element(chart, "effect", 620, 390),
                "One message in, one copy out, more and more %s filters that do not match. "
                                .formatted(escaped(pair.getFirst().filter()))
                        + "Marks: measured; dashed: the model; "
                        + RunSection.bars(pair.getFirst()));
    }

    private static String groups(List<RunData> runs) {
        var out = new StringBuilder();
        var number = 0;
        for (var group : byFilter(runs)) {
            var first = group.getFirst();
            out.append(
                    "<section class=\"run\"><h2>%s</h2>\n<p class=\"soft\">%s</p>\n%s"
                            .formatted(
                                    escaped(first.title()),
                                    escaped(first.source()),
                                    says(first.figure().says())));
            out.append("<div class=\"pair\">\n");
            for (var run : group) {
                out.append(RunSection.panel(run, group, "run" + ++number));
            }
            out.append("</div>\n");
            group.forEach(run -> out.append(RunDetails.of(run)));
            out.append("</section>\n");
        }
        return out.toString();
    }

    private static String says(List<String> sentences) {
        return sentences.isEmpty()
                ? ""
                : "<p class=\"small\">The paper: %s</p>%n"
                        .formatted(escaped(String.join(" ", sentences)));
    }

    private static List<List<RunData>> byFilter(List<RunData> runs) {
        var groups = new LinkedHashMap<String, List<RunData>>();
        for (var run : runs) {
            groups.computeIfAbsent(run.scenario() + run.filter(), _ -> new ArrayList<>()).add(run);
        }
        return List.copyOf(groups.values());
    }

    static String figure(String css, String drawing, String caption) {
        return """
        <figure class="card %s">
        %s<figcaption class="soft small">%s</figcaption></figure>
        """
                .formatted(css, drawing, caption);
    }

    /// Text as it may stand in an element or an attribute.
    public static String escaped(String text) {
        return ChartSvg.escaped(text);
    }

    private static String resource(String name) throws IOException {
        try (var stream = HtmlReport.class.getResourceAsStream(name)) {
            if (stream == null) {
                throw new IllegalStateException("resource missing: " + name);
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}

package winnow.loadgen.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import winnow.loadgen.chart.ChartSvg;
import winnow.loadgen.report.ProviderComparison.ScenarioRatios;
import winnow.loadgen.run.LoadException;
import winnow.loadgen.run.Run;

/// One HTML file that shows several providers side by side, and how each was run. It needs no
/// script and loads nothing when it is viewed.
public final class ComparisonPage {

    private static final int WIDTH = 560;
    private static final int HEIGHT = 360;

    private ComparisonPage() {}

    /// Writes the page.
    ///
    /// @param data files with the points, which the page links to
    public static void write(ProviderComparison comparison, Path file, List<Path> data)
            throws LoadException {
        try {
            OutputFile.write(file, render(comparison, HtmlReport.links(file, data)));
        } catch (IOException failed) {
            throw new LoadException("cannot write the report to " + file, failed);
        }
    }

    static String render(ProviderComparison comparison, List<String> links) throws IOException {
        return HtmlReport.page(
                "Brokers side by side",
                header(comparison)
                        + means(comparison, links)
                        + scenarios(comparison)
                        + setups(comparison));
    }

    private static String header(ProviderComparison comparison) {
        var run = comparison.providers().stream().flatMap(one -> one.runs().stream()).findFirst();
        return "<header><h1>Brokers side by side</h1>\n<p class=\"soft\">%s</p></header>\n"
                .formatted(HtmlReport.escaped(run.map(ComparisonPage::conditions).orElse("")));
    }

    private static String conditions(Run run) {
        var machine = run.header().machine();
        var settings = run.header().settings();
        return ("%s UTC; %s, %d processors, %.1f GB; %s; %s. %s; each point %.1f s,"
                        + " repetitions: %d; at most %s copies under way; seed %d")
                .formatted(
                        run.header().started().replace('T', ' ').replace("Z", ""),
                        machine.processor(),
                        machine.processors(),
                        machine.memoryBytes() / 1e9,
                        machine.system(),
                        machine.jvm(),
                        run.header().command(),
                        settings.duration().toMillis() / 1e3,
                        settings.repetitions(),
                        settings.maxInFlight() == 0
                                ? "as the brokers allow"
                                : "%,d".formatted(settings.maxInFlight()),
                        run.header().seed());
    }

    /// Ratios over all points of a scenario, and what went wrong.
    private static String means(ProviderComparison comparison, List<String> links) {
        var first = comparison.providers().getFirst().name();
        var table =
                new HtmlTable(
                        ("Geometric means over the points of a scenario, %s: the rate, and the"
                                        + " broker's CPU time per message, as multiples of those of"
                                        + " %s")
                                .formatted(intervals(comparison), first),
                        2,
                        "scenario",
                        "provider",
                        "rate",
                        "CPU time",
                        "points");
        for (var scenario : comparison.scenarios()) {
            for (var mean : scenario.means()) {
                table.row(
                        "",
                        scenario.scenario(),
                        mean.provider(),
                        ComparisonText.ratio(mean.rateRatio()),
                        ComparisonText.ratio(mean.cpuRatio()),
                        Integer.toString(mean.points()));
            }
        }
        var problems =
                comparison.providers().stream()
                        .flatMap(provider ->
                                provider.problems().stream()
                                        .map(problem -> provider.name() + ": " + problem))
                        .map(problem ->
                                "<p class=\"small\">" + HtmlReport.escaped(problem) + "</p>\n")
                        .collect(Collectors.joining());
        return "<section class=\"card verdict\" aria-label=\"Ratios\">\n%s%s%s</section>\n"
                .formatted(table.html(), problems, HtmlReport.files(links));
    }

    private static String intervals(ProviderComparison comparison) {
        var isOnce =
                comparison.providers().stream()
                        .flatMap(one -> one.runs().stream())
                        .allMatch(run -> run.header().settings().repetitions() == 1);
        return isOnce
                ? "without intervals, since each was measured once"
                : "with 95 % intervals over the repetitions";
    }

    private static String scenarios(ProviderComparison comparison) {
        var out = new StringBuilder();
        var number = 0;
        for (var scenario : comparison.scenarios()) {
            out.append(
                    "<section class=\"run\"><h2>%s %s</h2>\n<div class=\"figures\">\n"
                            .formatted(
                                    HtmlReport.escaped(scenario.scenario()),
                                    HtmlReport.escaped(scenario.title())));
            for (var one : ComparisonCharts.of(comparison, scenario)) {
                out.append(
                        HtmlReport.figure(
                                "",
                                ChartSvg.element(one.chart(), "chart" + ++number, WIDTH, HEIGHT),
                                HtmlReport.escaped(one.caption())));
            }
            out.append("</div>\n").append(points(comparison, scenario)).append("</section>\n");
        }
        return out.toString();
    }

    private static String points(ProviderComparison comparison, ScenarioRatios scenario) {
        var table =
                new HtmlTable(
                        "Every point, %s; ratios are of measurements of the same repetition"
                                .formatted(intervals(comparison)),
                        2,
                        ComparisonText.titles(comparison).toArray(String[]::new));
        for (var row : ComparisonText.rows(scenario)) {
            table.row("", row.toArray(String[]::new));
        }
        return "<details class=\"card\"><summary>All points</summary>\n"
                + table.html()
                + "</details>\n";
    }

    private static String setups(ProviderComparison comparison) {
        var out = new StringBuilder("<section class=\"run\"><h2>How each was run</h2>\n");
        for (var provider : comparison.providers()) {
            out.append(setup(provider));
        }
        return out.append("</section>\n").toString();
    }

    private static String setup(ComparedProvider provider) {
        var file = provider.file();
        var out = new StringBuilder();
        line(out, "broker", "%s %s".formatted(file.title(), file.version()));
        line(out, "licence", file.licence());
        file.notes().forEach(note -> line(out, "note", note));
        if (file.broker() != null) {
            var broker = Objects.requireNonNull(file.broker());
            line(out, "artifacts", String.join(", ", broker.artifacts()));
            line(out, "command", String.join(" ", broker.command()));
            broker.files().forEach((name, lines) -> line(out, name, String.join("\n", lines)));
        }
        line(out, "client", String.join(", ", file.client().artifacts()));
        line(out, "factory", file.client().factory());
        line(out, "URL", provider.file().isStarted() ? file.client().url() : "");
        return "<details class=\"card\"><summary>%s</summary><dl>\n%s</dl></details>\n"
                .formatted(HtmlReport.escaped(file.name()), out);
    }

    private static void line(StringBuilder out, String name, String value) {
        if (!value.isBlank()) {
            out.append(
                    "<dt>%s</dt><dd><code class=\"lines\">%s</code></dd>\n"
                            .formatted(HtmlReport.escaped(name), HtmlReport.escaped(value)));
        }
    }
}

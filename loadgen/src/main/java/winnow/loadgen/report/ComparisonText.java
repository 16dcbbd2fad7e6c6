package winnow.loadgen.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import winnow.loadgen.report.ProviderComparison.MeanRatios;
import winnow.loadgen.report.ProviderComparison.PointRatios;
import winnow.loadgen.report.ProviderComparison.ProviderRatios;
import winnow.loadgen.report.ProviderComparison.ScenarioRatios;

/// The tables of a comparison, for a terminal and for the page.
public final class ComparisonText {

    static final String NOTHING = "-";

    private ComparisonText() {}

    /// Titles of the columns.
    static List<String> titles(ProviderComparison comparison) {
        var first = comparison.providers().getFirst().name();
        return List.of(
                "point",
                "provider",
                "messages/s",
                "to " + first,
                "broker us/message",
                "to " + first,
                "note");
    }

    /// All tables, for a terminal.
    public static String text(ProviderComparison comparison) {
        var out = new StringBuilder();
        for (var scenario : comparison.scenarios()) {
            out.append(scenario.scenario()).append(' ').append(scenario.title()).append('\n');
            var rows = new ArrayList<List<String>>();
            rows.add(titles(comparison));
            rows.addAll(rows(scenario));
            out.append(aligned(rows)).append('\n');
        }
        for (var provider : comparison.providers()) {
            provider.problems()
                    .forEach(problem ->
                            out.append(provider.name()).append(": ").append(problem).append('\n'));
        }
        return out.toString();
    }

    /// The rows of a scenario, the means last.
    static List<List<String>> rows(ScenarioRatios scenario) {
        var rows = new ArrayList<List<String>>();
        for (var point : scenario.points()) {
            point.providers().forEach(one -> rows.add(row(point, one)));
        }
        scenario.means().forEach(mean -> rows.add(row(mean)));
        return rows;
    }

    private static List<String> row(PointRatios point, ProviderRatios one) {
        var isFirst = one.equals(point.providers().getFirst());
        return List.of(
                isFirst ? point.point().label() : "",
                one.provider(),
                rate(one.overallPerSecond()),
                ratio(one.rateRatio()),
                micros(one.brokerMicrosPerMessage()),
                ratio(one.cpuRatio()),
                one.note());
    }

    private static List<String> row(MeanRatios mean) {
        return List.of(
                "mean, points: " + mean.points(),
                mean.provider(),
                "",
                ratio(mean.rateRatio()),
                "",
                ratio(mean.cpuRatio()),
                "");
    }

    static String ratio(@Nullable PairedRatio ratio) {
        return ratio == null ? NOTHING : ratio.text();
    }

    private static String rate(@Nullable Estimate rate) {
        return rate == null ? NOTHING : withInterval(rate, "%,.0f");
    }

    private static String micros(@Nullable Estimate micros) {
        return micros == null ? NOTHING : withInterval(micros, "%.2f");
    }

    private static String withInterval(Estimate estimate, String format) {
        var mean = String.format(Locale.ROOT, format, estimate.mean());
        return estimate.count() == 1
                ? mean
                : mean
                        + String.format(
                                Locale.ROOT,
                                " ± %.0f %%",
                                estimate.halfWidth() / estimate.mean() * 100);
    }

    private static String aligned(List<List<String>> rows) {
        var widths = new int[rows.getFirst().size()];
        for (var row : rows) {
            for (var column = 0; column < widths.length; column++) {
                widths[column] = Math.max(widths[column], row.get(column).length());
            }
        }
        var out = new StringBuilder();
        for (var row : rows) {
            var line = new StringBuilder();
            for (var column = 0; column < widths.length; column++) {
                var cell = row.get(column);
                var pad = " ".repeat(widths[column] - cell.length());
                var isText = column < 2 || column == widths.length - 1;
                line.append(isText ? cell + pad : pad + cell).append("  ");
            }
            out.append(line.toString().stripTrailing()).append('\n');
        }
        return out.toString();
    }
}

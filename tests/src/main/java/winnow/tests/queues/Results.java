package winnow.tests.queues;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/// The rows of all tables. Used by one thread at a time; parts that were given up may still add
/// rows, so its methods are synchronized.
final class Results {
    private final List<Row> rows = new ArrayList<>();

    /// @param scenario the table
    /// @param point what was measured
    /// @param broker of which
    record Row(String scenario, String point, String broker, Figures figures) {}

    /// Adds a row, and says so.
    synchronized void add(String scenario, String point, String broker, Figures figures) {
        rows.add(new Row(scenario, point, broker, figures));
        System.err.printf("queues: %s, %s, %s: %s%n", scenario, point, broker, text(figures));
    }

    private static String text(Figures figures) {
        return figures.values().entrySet().stream()
                .map(entry -> entry.getKey() + " " + number(entry.getValue()))
                .collect(Collectors.joining(", "));
    }

    private static String number(double value) {
        if (!Double.isFinite(value)) {
            return "-";
        }
        double size = Math.abs(value);
        return String.format(Locale.ROOT, form(size), value);
    }

    private static String form(double size) {
        if (size == 0 || size >= 100) {
            return "%,.0f";
        }
        return size >= 1 ? "%.1f" : "%.3f";
    }

    /// All tables as Markdown.
    synchronized String tables() {
        Set<String> scenarios = new LinkedHashSet<>();
        rows.forEach(row -> scenarios.add(row.scenario));
        return scenarios.stream().map(this::table).collect(Collectors.joining("\n"));
    }

    private String table(String scenario) {
        List<Row> ours = rows.stream().filter(row -> row.scenario.equals(scenario)).toList();
        Set<String> columns = new LinkedHashSet<>();
        ours.forEach(row -> columns.addAll(row.figures.values().keySet()));
        List<String> lines = new ArrayList<>();
        lines.add("### " + scenario + "\n");
        lines.add("| point | broker | " + String.join(" | ", columns) + " |");
        lines.add("|---|---" + "|---".repeat(columns.size()) + "|");
        Set<String> points = new LinkedHashSet<>();
        ours.forEach(row -> points.add(row.point));
        for (String point : points) {
            ours.stream()
                    .filter(row -> row.point.equals(point))
                    .forEach(row -> lines.add(line(row, columns)));
        }
        return String.join("\n", lines) + "\n";
    }

    private static String line(Row row, Set<String> columns) {
        return columns.stream()
                .map(row.figures.values()::get)
                .map(value -> value == null ? "" : number(value))
                .collect(
                        Collectors.joining(
                                " | ", "| " + row.point + " | " + row.broker + " | ", " |"));
    }

    /// Writes all rows as JSON.
    synchronized void write(Path file) throws IOException {
        Files.writeString(
                file,
                rows.stream()
                        .map(Results::json)
                        .collect(Collectors.joining(",\n", "[\n", "\n]\n")));
    }

    private static String json(Row row) {
        String figures =
                row.figures.values().entrySet().stream()
                        .map(entry -> quoted(entry.getKey()) + ": " + json(entry.getValue()))
                        .collect(Collectors.joining(", "));
        return "{\"scenario\": %s, \"point\": %s, \"broker\": %s, \"figures\": {%s}}"
                .formatted(quoted(row.scenario), quoted(row.point), quoted(row.broker), figures);
    }

    private static String json(double value) {
        return Double.isFinite(value) ? Double.toString(value) : "null";
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    /// A figure of the last row of its kind, 0 if there is none.
    synchronized double figure(String scenario, String point, String broker, String column) {
        return rows.reversed().stream()
                .filter(row -> row.scenario.equals(scenario))
                .filter(row -> row.point.equals(point) && row.broker.equals(broker))
                .map(row -> row.figures.values().getOrDefault(column, 0.0))
                .findFirst()
                .orElse(0.0);
    }
}

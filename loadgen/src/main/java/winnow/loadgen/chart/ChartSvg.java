package winnow.loadgen.chart;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import winnow.loadgen.chart.Chart.Kind;
import winnow.loadgen.chart.Chart.Mark;
import winnow.loadgen.chart.Chart.Place;
import winnow.loadgen.chart.Chart.Series;

/// Draws a [Chart] as an SVG element. Immutable.
public final class ChartSvg {

    private static final int LEFT = 80;
    private static final int TOP = 16;
    private static final int BOTTOM = 58;

    /// Between two labels.
    private static final int LABEL_HEIGHT = 18;

    private static final double LABEL_LETTER = 9.5;

    private static final String COLORS =
            """
            svg{--card:#fff;--ink:#1b2430;--soft:#5b6777;--line:#dfe4ea;--off:#9aa4b0;
            --s0:#475569;--s1:#2563eb;--s2:#0e7490;--s3:#047857;--s4:#4d7c0f;--s5:#dc2626;
            --s6:#b45309;--s7:#9333ea;--s8:#be185d;--s9:#78350f;
            font-family:system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
            @media (prefers-color-scheme:dark){svg{--card:#171e26;--ink:#e4e9ef;--soft:#97a3b1;
            --line:#2a3440;--off:#6b7683;--s0:#94a3b8;--s1:#60a5fa;--s2:#22d3ee;--s3:#34d399;
            --s4:#a3e635;--s5:#f87171;--s6:#fbbf24;--s7:#c084fc;--s8:#f472b6;--s9:#d6a77a}}
            """;

    private final Chart chart;
    private final String id;
    private final int width;
    private final int height;
    private final ChartAxis across;
    private final ChartAxis up;
    private final StringBuilder out = new StringBuilder();

    /// @param id of the element, unlike any other of the page
    private ChartSvg(Chart chart, String id, int width, int height) {
        this.chart = chart;
        this.id = escaped(id);
        this.width = width;
        this.height = height;
        var places = chart.places().toList();
        across =
                ChartAxis.around(
                        chart.acrossScale(),
                        places.stream().mapToDouble(Place::across).summaryStatistics(),
                        LEFT,
                        width - labelWidth());
        up =
                ChartAxis.around(
                        chart.upScale(),
                        places.stream().mapToDouble(Place::up).summaryStatistics(),
                        height - BOTTOM,
                        TOP);
    }

    /// An element for a page that has the colors `--s0` to `--s9`, `--ink` and so on.
    public static String element(Chart chart, String id, int width, int height) {
        return new ChartSvg(chart, id, width, height).draw("", "");
    }

    /// A file with colors of its own, light or dark as the reader prefers.
    public static String file(Chart chart, int width, int height) {
        return new ChartSvg(chart, "chart", width, height)
                .draw(
                        " xmlns=\"http://www.w3.org/2000/svg\"",
                        "<style>"
                                + COLORS
                                + "</style><rect width=\"100%\" height=\"100%\" rx=\"12\""
                                + " fill=\"var(--card)\"/>\n");
    }

    private String draw(String namespace, String before) {
        out.append(
                "<svg%s id=\"%s\" role=\"img\" aria-labelledby=\"%s-title %s-desc\""
                                .formatted(namespace, id, id, id)
                        + " viewBox=\"0 0 %d %d\" font-size=\"15\">%n".formatted(width, height));
        out.append(
                "<title id=\"%s-title\">%s</title><desc id=\"%s-desc\">%s</desc>%n"
                        .formatted(id, escaped(chart.title()), id, escaped(chart.description())));
        out.append(before);
        axes();
        chart.series().forEach(this::curve);
        chart.series().forEach(series -> series.marks().forEach(mark -> mark(series, mark)));
        labels();
        return out.append("</svg>\n").toString();
    }

    private void axes() {
        for (var tick : across.ticks()) {
            var x = across.pixel(tick);
            line("var(--line)", x, TOP, x, height - BOTTOM);
            text(x, height - BOTTOM + 20, "middle", "var(--soft)", LogAxis.label(tick));
        }
        for (var tick : up.ticks()) {
            var y = up.pixel(tick);
            line("var(--line)", LEFT, y, across.toPixel(), y);
            text(LEFT - 8, y + 5, "end", "var(--soft)", LogAxis.label(tick));
        }
        line("var(--soft)", LEFT, height - BOTTOM, across.toPixel(), height - BOTTOM);
        line("var(--soft)", LEFT, TOP, LEFT, height - BOTTOM);
        var middle = (LEFT + across.toPixel()) / 2;
        text(middle, height - 12, "middle", "var(--soft)", chart.across());
        out.append(
                "<text transform=\"translate(18 %s) rotate(-90)\" text-anchor=\"middle\""
                                .formatted(number((TOP + height - BOTTOM) / 2.0))
                        + " fill=\"var(--soft)\">%s</text>%n".formatted(escaped(chart.up())));
    }

    private void curve(Series series) {
        line(series.curve(), series.style(), " stroke-dasharray=\"7 5\" stroke-width=\"1.8\"");
        if (series.isJoined()) {
            var marks =
                    series.marks().stream()
                            .filter(mark -> mark.kind() == Kind.MEASURED)
                            .map(Mark::at)
                            .sorted(Comparator.comparingDouble(Place::across))
                            .toList();
            line(marks, series.style(), " stroke-width=\"2.4\"");
        }
    }

    private void line(List<Place> places, int style, String more) {
        if (places.isEmpty()) {
            return;
        }
        var points =
                places.stream()
                        .map(place ->
                                number(across.pixel(place.across()))
                                        + ","
                                        + number(up.pixel(place.up())))
                        .collect(Collectors.joining(" "));
        out.append(
                "<polyline fill=\"none\" stroke=\"%s\"%s points=\"%s\"/>%n"
                        .formatted(color(style), more, points));
    }

    private void mark(Series series, Mark mark) {
        var x = across.pixel(mark.at().across());
        var y = up.pixel(mark.at().up());
        var color = mark.kind() == Kind.DISTURBED ? "var(--off)" : color(series.style());
        out.append("<g><title>%s</title>".formatted(escaped(mark.note())));
        if (mark.high() > mark.low() && mark.kind() != Kind.DISTURBED) {
            var low = up.pixelWithin(mark.low());
            var high = up.pixelWithin(mark.high());
            line(color, x, low, x, high);
            line(color, x - 4, low, x + 4, low);
            line(color, x - 4, high, x + 4, high);
        }
        var fill = mark.kind() == Kind.HELD_OUT ? "var(--card)" : color;
        var shape =
                mark.kind() == Kind.DISTURBED
                        ? "M-4,-4L4,4M-4,4L4,-4"
                        : Shape.of(series.style()).path;
        out.append(
                "<path transform=\"translate(%s %s)\" d=\"%s\" fill=\"%s\" stroke=\"%s\""
                                .formatted(number(x), number(y), shape, fill, color)
                        + " stroke-width=\"2\"/></g>%n".formatted());
    }

    /// One for each series in turn, so that colors are not all that tells them apart.
    private enum Shape {
        CIRCLE("M-4.5,0a4.5,4.5 0 1,0 9,0a4.5,4.5 0 1,0 -9,0z"),
        TRIANGLE("M0,-5.5L5,4L-5,4z"),
        SQUARE("M-4,-4H4V4H-4z"),
        DIAMOND("M0,-6L5.5,0L0,6L-5.5,0z"),
        TURNED_TRIANGLE("M0,5.5L5,-4L-5,-4z"),
        STAR("M0,-7L2,-2L7,0L2,2L0,7L-2,2L-7,0L-2,-2z");

        private final String path;

        Shape(String path) {
            this.path = path;
        }

        static Shape of(int style) {
            return style == Series.PAPER ? STAR : values()[style % (values().length - 1)];
        }
    }

    /// A label at the height it wants, or at that to which those above it have moved it down.
    private record Label(Series series, double y) {}

    private void labels() {
        var wanted = new ArrayList<Label>();
        for (var series : chart.series()) {
            if (series.label().isEmpty()) {
                continue;
            }
            end(series).ifPresent(place -> wanted.add(new Label(series, up.pixel(place.up()))));
        }
        wanted.sort(Comparator.comparingDouble(Label::y));
        var lowest = Double.NEGATIVE_INFINITY;
        var overflow = 0.0;
        var placed = new ArrayList<Label>();
        for (var label : wanted) {
            var first = Math.max(label.y(), lowest + LABEL_HEIGHT);
            placed.add(new Label(label.series(), first));
            lowest = first + (lines(label.series()).length - 1) * LABEL_HEIGHT;
            overflow = Math.max(0, lowest - (height - BOTTOM));
        }
        for (var label : placed) {
            var y = label.y() - overflow;
            var x = across.toPixel() + 14;
            out.append(
                    "<path transform=\"translate(%s %s)\" d=\"%s\" fill=\"%s\"/>"
                            .formatted(
                                    number(x),
                                    number(y),
                                    Shape.of(label.series().style()).path,
                                    color(label.series().style())));
            var line = y + 5;
            for (var text : lines(label.series())) {
                text(x + 10, line, "start", color(label.series().style()), text);
                line += LABEL_HEIGHT;
            }
        }
    }

    /// The last place of a series.
    private static Optional<Place> end(Series series) {
        var curve = series.curve();
        return curve.isEmpty()
                ? series.marks().stream()
                        .map(Mark::at)
                        .max(Comparator.comparingDouble(Place::across))
                : Optional.of(curve.getLast());
    }

    private double labelWidth() {
        var letters =
                chart.series().stream()
                        .flatMap(series -> Arrays.stream(lines(series)))
                        .mapToInt(String::length)
                        .max()
                        .orElse(0);
        return 34 + LABEL_LETTER * letters;
    }

    /// A long label is broken at its commas.
    private static String[] lines(Series series) {
        return series.label().split("(?<=,) ", -1);
    }

    private void line(String color, double x1, double y1, double x2, double y2) {
        out.append(
                "<line x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\" stroke=\"%s\"/>%n"
                        .formatted(number(x1), number(y1), number(x2), number(y2), color));
    }

    private void text(double x, double y, String anchor, String color, String text) {
        out.append(
                "<text x=\"%s\" y=\"%s\" text-anchor=\"%s\" fill=\"%s\">%s</text>%n"
                        .formatted(number(x), number(y), anchor, color, escaped(text)));
    }

    private static String color(int style) {
        return style == Series.PAPER ? "var(--ink)" : "var(--s" + style % 10 + ")";
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    /// Text as it may stand in an element or an attribute.
    public static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}

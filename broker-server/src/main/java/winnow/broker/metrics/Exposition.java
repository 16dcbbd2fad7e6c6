package winnow.broker.metrics;

import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Exemplars;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot.InfoDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.Quantiles;
import io.prometheus.metrics.model.snapshots.SummarySnapshot;
import io.prometheus.metrics.model.snapshots.SummarySnapshot.SummaryDataPointSnapshot;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The values of one scrape, to be written in the form that the scraper wants. Not thread-safe.
public final class Exposition {
    private static final ExpositionFormatWriter OPEN_METRICS = OpenMetricsTextFormatWriter.create();
    private static final ExpositionFormatWriter TEXT = PrometheusTextFormatWriter.create();

    /// Not known; scrapers take the time of the scrape.
    private static final long NO_TIME = 0;

    /// By their labels, so that a page stays valid if two things have the same name.
    private final Map<Metric, Map<Labels, DataPointSnapshot>> points = new LinkedHashMap<>();

    private final List<MetricSnapshot> others = new ArrayList<>();

    /// A scrape's text.
    ///
    /// @param contentType media type with its version
    public record Page(String contentType, String text) {}

    /// The value of a counter or gauge.
    ///
    /// @param labels of the metric's labels, in their order
    void value(Metric metric, double value, String... labels) {
        add(
                metric,
                switch (metric.kind()) {
                    case COUNTER ->
                            new CounterDataPointSnapshot(
                                    value, labels(metric, labels), null, NO_TIME);
                    case GAUGE -> new GaugeDataPointSnapshot(value, labels(metric, labels), null);
                    case INFO -> new InfoDataPointSnapshot(labels(metric, labels));
                    case HISTOGRAM, SUMMARY ->
                            throw new IllegalArgumentException(metric.name() + " is no value");
                });
    }

    /// The value of a counter or gauge.
    ///
    /// @param labels of the metric's labels, in their order
    void value(Metric metric, long value, String... labels) {
        value(metric, (double) value, labels);
    }

    /// A summary's sum and count.
    void summary(Metric metric, long count, double sum, String... labels) {
        add(
                metric,
                new SummaryDataPointSnapshot(
                        count,
                        sum,
                        Quantiles.EMPTY,
                        labels(metric, labels),
                        Exemplars.EMPTY,
                        NO_TIME));
    }

    /// The sum of histograms of event loops.
    ///
    /// @param perUnit what values are divided by
    /// @param labels of the metric's labels, in their order
    void histogram(Metric metric, List<LoopHistogram> parts, double perUnit, String... labels) {
        long[] bounds = parts.get(0).bounds();
        double[] scaled = new double[bounds.length + 1];
        for (int i = 0; i < bounds.length; i++) {
            scaled[i] = bounds[i] / perUnit;
        }
        scaled[bounds.length] = Double.POSITIVE_INFINITY;
        long[] counts = new long[scaled.length];
        parts.forEach(part -> part.addCountsTo(counts));
        double sum = parts.stream().mapToLong(LoopHistogram::sum).sum() / perUnit;
        add(
                metric,
                new HistogramDataPointSnapshot(
                        ClassicHistogramBuckets.of(scaled, counts),
                        sum,
                        labels(metric, labels),
                        Exemplars.EMPTY,
                        NO_TIME));
    }

    /// Metrics of libraries.
    void add(MetricSnapshots snapshots) {
        snapshots.forEach(others::add);
    }

    private void add(Metric metric, DataPointSnapshot point) {
        points.computeIfAbsent(metric, _ -> new LinkedHashMap<>())
                .putIfAbsent(point.getLabels(), point);
    }

    private static Labels labels(Metric metric, String... values) {
        if (values.length != metric.labels().size()) {
            throw new IllegalArgumentException(
                    metric.name() + ": expected labels " + metric.labels());
        }
        return Labels.of(metric.labels().toArray(String[]::new), values);
    }

    /// The text.
    ///
    /// @param accept the scraper's `Accept` header, empty if it has none
    Page page(String accept) {
        boolean open = OPEN_METRICS.accepts(accept);
        ExpositionFormatWriter writer = open ? OPEN_METRICS : TEXT;
        List<MetricSnapshot> all = new ArrayList<>(others);
        points.forEach((metric, values) -> all.add(snapshot(metric, values.values())));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            writer.write(out, new MetricSnapshots(all));
        } catch (IOException e) {
            throw new UncheckedIOException("memory takes all that is written", e);
        }
        return new Page(writer.getContentType(), out.toString(StandardCharsets.UTF_8));
    }

    private static MetricSnapshot snapshot(Metric metric, Collection<DataPointSnapshot> values) {
        MetricMetadata metadata = new MetricMetadata(metric.name(), metric.help());
        return switch (metric.kind()) {
            case COUNTER ->
                    new CounterSnapshot(metadata, all(values, CounterDataPointSnapshot.class));
            case GAUGE -> new GaugeSnapshot(metadata, all(values, GaugeDataPointSnapshot.class));
            case HISTOGRAM ->
                    new HistogramSnapshot(metadata, all(values, HistogramDataPointSnapshot.class));
            case SUMMARY ->
                    new SummarySnapshot(metadata, all(values, SummaryDataPointSnapshot.class));
            case INFO -> new InfoSnapshot(metadata, all(values, InfoDataPointSnapshot.class));
        };
    }

    private static <T> Collection<T> all(Collection<DataPointSnapshot> values, Class<T> type) {
        return values.stream().map(type::cast).toList();
    }
}

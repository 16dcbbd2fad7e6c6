package winnow.broker.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The tables of docs/METRICS.md are generated from the code. `-Dwinnow.documents=write` writes
/// them.
class MetricsDocumentTest {
    private static final Path DOCUMENT = Path.of("../docs/METRICS.md");

    private static final String HEAD =
            """
            | metric | kind | labels | meaning | when to worry |
            |---|---|---|---|---|
            """;
    private static final String END = "<!-- End. -->\n";

    private static String updated(String document) {
        String totals = withTable(document, "TotalMetrics", TotalMetrics.ALL);
        String storage = withTable(totals, "StorageMetrics", StorageMetrics.ALL);
        String cluster = withTable(storage, "ClusterMetrics", ClusterMetrics.ALL);
        String details = withTable(cluster, "DetailMetrics", DetailMetrics.ALL);
        return withTable(details, "QueueMetrics", QueueMetrics.ALL);
    }

    private static String withTable(String document, String source, List<Metric> metrics) {
        String begin = "<!-- Generated from " + source + ". -->\n";
        int from = document.indexOf(begin) + begin.length();
        assertThat(from).as(begin).isGreaterThan(begin.length());
        int to = document.indexOf(END, from);
        assertThat(to).as(END).isPositive();
        return document.substring(0, from) + table(metrics) + document.substring(to);
    }

    private static String table(List<Metric> metrics) {
        return metrics.stream()
                .map(MetricsDocumentTest::row)
                .collect(Collectors.joining("", HEAD, ""));
    }

    private static String row(Metric metric) {
        return Stream.of(
                        "`" + metric.fullName() + "`",
                        metric.kind().name().toLowerCase(Locale.ROOT),
                        String.join(", ", metric.labels()),
                        metric.meaning(),
                        metric.worry())
                .collect(Collectors.joining(" | ", "| ", " |\n"));
    }

    @Test
    void shouldDescribeTheMetricsThatThereAre() throws IOException {
        String document = Files.readString(DOCUMENT);
        String updated = updated(document);
        if (System.getProperty("winnow.documents", "").equals("write")) {
            Files.writeString(DOCUMENT, updated);
            return;
        }
        assertThat(document)
                .as(
                        "docs/METRICS.md is stale; write it anew: ./winnow test -pl broker-server"
                                + " -am -Dtest=MetricsDocumentTest"
                                + " -Dsurefire.failIfNoSpecifiedTests=false"
                                + " -Dwinnow.documents=write")
                .isEqualTo(updated);
    }
}

package winnow.loadgen.run;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.OptionalLong;

/// CPU time out of a Prometheus text page.
final class MetricsCpuClock implements CpuClock {

    /// The name that Prometheus client libraries agree on.
    private static final String METRIC = "process_cpu_seconds_total";

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final URI metrics;
    private final HttpClient http = HttpClient.newBuilder().connectTimeout(TIMEOUT).build();

    MetricsCpuClock(URI metrics) {
        this.metrics = metrics;
    }

    @Override
    public OptionalLong cpuNanos() throws IOException {
        var request = HttpRequest.newBuilder(metrics).timeout(TIMEOUT).build();
        try {
            var page = http.send(request, HttpResponse.BodyHandlers.ofString());
            if (page.statusCode() != 200) {
                throw new IOException(metrics + " answered " + page.statusCode());
            }
            return OptionalLong.of(parse(page.body()));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while reading " + metrics, interrupted);
        }
    }

    @Override
    public String source() {
        return METRIC + " of " + metrics;
    }

    /// The value of the metric, labels ignored, in nanoseconds.
    static long parse(String page) throws IOException {
        for (var line : page.lines().toList()) {
            if (line.startsWith(METRIC)) {
                var value = line.substring(line.lastIndexOf(' ') + 1);
                return Math.round(Double.parseDouble(value) * 1e9);
            }
        }
        throw new IOException("expected the metric " + METRIC + ", found none");
    }
}

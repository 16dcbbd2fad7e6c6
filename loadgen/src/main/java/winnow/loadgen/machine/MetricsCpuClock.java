package winnow.loadgen.machine;

import java.io.IOException;
import java.net.URI;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/// CPU time out of a Prometheus text page.
final class MetricsCpuClock implements CpuClock {

    /// The name that Prometheus client libraries agree on.
    private static final String METRIC = "process_cpu_seconds_total";

    /// Labels and a timestamp may stand around the value.
    private static final Pattern SAMPLE = Pattern.compile(METRIC + "(?:\\{.*})?\\s+(\\S+).*");

    private final MetricsPage page;

    MetricsCpuClock(URI metrics) {
        page = new MetricsPage(metrics);
    }

    @Override
    public OptionalLong cpuNanos() throws IOException {
        return OptionalLong.of(parse(page.read()));
    }

    @Override
    public String source() {
        return METRIC + " of " + page.address();
    }

    private static long nanos(String seconds) throws IOException {
        try {
            return Math.round(Double.parseDouble(seconds) * 1e9);
        } catch (NumberFormatException malformed) {
            throw new IOException(
                    "expected seconds as the value of %s, found '%s'".formatted(METRIC, seconds),
                    malformed);
        }
    }

    /// The value of the metric, labels ignored, in nanoseconds.
    static long parse(String page) throws IOException {
        for (var line : page.lines().toList()) {
            var sample = SAMPLE.matcher(line);
            if (sample.matches()) {
                return nanos(sample.group(1));
            }
        }
        throw new IOException("expected the metric " + METRIC + ", found none");
    }
}

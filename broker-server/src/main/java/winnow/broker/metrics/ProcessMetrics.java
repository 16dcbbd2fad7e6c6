package winnow.broker.metrics;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The `process_*` metrics that all client libraries of Prometheus agree on, as far as the
/// operating system tells them.
final class ProcessMetrics {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double MILLIS_PER_SECOND = 1e3;
    private static final double BYTES_PER_KIB = 1024;
    private static final Path STATUS = Path.of("/proc/self/status");

    private ProcessMetrics() {}

    static void addTo(Exposition page) {
        page.value(
                TotalMetrics.START_TIME,
                ManagementFactory.getRuntimeMXBean().getStartTime() / MILLIS_PER_SECOND);
        if (ManagementFactory.getOperatingSystemMXBean()
                instanceof UnixOperatingSystemMXBean system) {
            page.value(TotalMetrics.CPU, system.getProcessCpuTime() / NANOS_PER_SECOND);
            page.value(TotalMetrics.OPEN_FDS, system.getOpenFileDescriptorCount());
            page.value(TotalMetrics.MAX_FDS, system.getMaxFileDescriptorCount());
        }
        if (Files.isReadable(STATUS)) {
            addMemoryTo(page);
        }
    }

    private static void addMemoryTo(Exposition page) {
        try {
            List<String> lines = Files.readAllLines(STATUS);
            page.value(TotalMetrics.RESIDENT, bytes(lines, "VmRSS:"));
            page.value(TotalMetrics.VIRTUAL, bytes(lines, "VmSize:"));
        } catch (IOException e) {
            throw new IllegalStateException("cannot read " + STATUS, e);
        }
    }

    /// The value of a line such as `VmRSS: 12345 kB`.
    private static double bytes(List<String> lines, String key) {
        return lines.stream()
                        .filter(line -> line.startsWith(key))
                        .map(line -> line.substring(key.length()).strip().split(" ", 2)[0])
                        .mapToDouble(Double::parseDouble)
                        .findFirst()
                        .orElse(Double.NaN)
                * BYTES_PER_KIB;
    }
}

package winnow.loadgen.machine;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Memory, collections, threads and files of a broker's process at one moment; null is what is not
/// known. Immutable.
///
/// @param startedSeconds start of the process, since 1970
/// @param residentBytes memory that the process has
/// @param heapBytes part of the Java heap in use
/// @param directBytes buffers outside of it
/// @param collectionSeconds time that collections of garbage have taken since the start
/// @param threads threads that live
/// @param openFiles file descriptors, connections included
public record BrokerUsage(
        @Nullable Double startedSeconds,
        @Nullable Double residentBytes,
        @Nullable Double heapBytes,
        @Nullable Double directBytes,
        @Nullable Double collectionSeconds,
        @Nullable Double threads,
        @Nullable Double openFiles) {

    /// Nothing is known.
    public static final BrokerUsage UNKNOWN =
            new BrokerUsage(null, null, null, null, null, null, null);

    /// Starts that are further apart are those of two processes: clocks of one process differ by
    /// less.
    private static final double SAME_START_SECONDS = 2;

    private static final double KIBI = 1024;

    /// As the broker's metrics page says it.
    public static BrokerUsage ofMetrics(URI metrics) throws IOException {
        return parse(new MetricsPage(metrics).read());
    }

    /// As Linux says it of a process on this machine; the start alone elsewhere.
    public static BrokerUsage ofProcess(long pid) throws IOException {
        var process = ProcessHandle.of(pid);
        if (process.isEmpty()) {
            throw new IOException("process " + pid + " is gone: nothing to read of it");
        }
        var started = process.get().info().startInstant();
        var folder = Path.of("/proc/" + pid);
        var status = folder.resolve("status");
        var text = Files.isReadable(status) ? Files.readString(status) : "";
        var resident = sum(text, "VmRSS:\\s+(\\d+) kB.*");
        return new BrokerUsage(
                started.map(at -> at.toEpochMilli() / 1e3).orElse(null),
                resident == null ? null : Double.valueOf(resident * KIBI),
                null,
                null,
                null,
                sum(text, "Threads:\\s+(\\d+).*"),
                openFiles(folder.resolve("fd")));
    }

    static BrokerUsage parse(String page) {
        return new BrokerUsage(
                sum(page, sample("process_start_time_seconds")),
                sum(page, sample("process_resident_memory_bytes")),
                sum(page, "jvm_memory_used_bytes\\{[^}]*area=\"heap\"[^}]*}\\s+(\\S+).*"),
                sum(page, sample("winnow_direct_memory_bytes")),
                sum(page, sample("jvm_gc_pause_seconds_sum")),
                sum(page, sample("jvm_threads_live_threads")),
                sum(page, sample("process_open_fds")));
    }

    /// This, and from another one what is not known here.
    public BrokerUsage or(BrokerUsage other) {
        return new BrokerUsage(
                first(startedSeconds, other.startedSeconds),
                first(residentBytes, other.residentBytes),
                first(heapBytes, other.heapBytes),
                first(directBytes, other.directBytes),
                first(collectionSeconds, other.collectionSeconds),
                first(threads, other.threads),
                first(openFiles, other.openFiles));
    }

    /// True if the process was started anew since then.
    public boolean isRestartOf(BrokerUsage earlier) {
        var now = startedSeconds;
        var before = earlier.startedSeconds;
        return now != null && before != null && Math.abs(now - before) > SAME_START_SECONDS;
    }

    private static @Nullable Double first(@Nullable Double one, @Nullable Double other) {
        return one == null ? other : one;
    }

    /// Pattern of a metric with any labels.
    private static String sample(String metric) {
        return metric + "(?:\\{[^}]*})?\\s+(\\S+).*";
    }

    /// Sum over the lines that match; null without any.
    private static @Nullable Double sum(String text, String line) {
        var pattern = Pattern.compile(line);
        var sum = (Double) null;
        for (var candidate : text.lines().toList()) {
            var matcher = pattern.matcher(candidate);
            if (matcher.matches()) {
                sum = (sum == null ? 0 : sum) + number(matcher.group(1));
            }
        }
        return sum == null || !Double.isFinite(sum) ? null : sum;
    }

    private static double number(String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException malformed) {
            return Double.NaN;
        }
    }

    private static @Nullable Double openFiles(Path folder) {
        try (var files = Files.list(folder)) {
            return (double) files.count();
        } catch (IOException hidden) {
            // Another user's process.
            return null;
        }
    }
}

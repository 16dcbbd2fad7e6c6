package winnow.loadgen.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Use of the whole machine, from Linux's /proc; not a number elsewhere. Immutable.
///
/// @param busyTicks ticks of all processors not idle and not stolen
/// @param stolenTicks ticks that the hypervisor gave to others
/// @param totalTicks all ticks; 0 if unknown
/// @param memoryShare share of the memory in use
public record HostUse(long busyTicks, long stolenTicks, long totalTicks, double memoryShare) {

    /// Nothing is known.
    static final HostUse UNKNOWN = new HostUse(0, 0, 0, Double.NaN);

    /// Numbers of up to 18 digits are below 2^63.
    private static final Pattern CPU = Pattern.compile("cpu((?:\\s+\\d{1,18}){8})(?:\\s.*)?");

    private static final Pattern PROCESSOR = Pattern.compile("cpu\\d+\\s.*");

    private static final Path STAT = Path.of("/proc/stat");
    private static final Path MEMINFO = Path.of("/proc/meminfo");

    public static HostUse now() {
        return of(STAT, MEMINFO);
    }

    /// @param stat a file like /proc/stat
    /// @param meminfo a file like /proc/meminfo
    static HostUse of(Path stat, Path meminfo) {
        var cpu = lines(stat);
        return parse(cpu.isEmpty() ? "" : cpu.getFirst(), lines(meminfo));
    }

    /// Processors that the machine has, however few of them this process may use; null if unknown.
    static @Nullable Integer processors() {
        return processors(STAT);
    }

    /// @param stat a file like /proc/stat
    static @Nullable Integer processors(Path stat) {
        var count =
                (int)
                        lines(stat).stream()
                                .filter(line -> PROCESSOR.matcher(line).matches())
                                .count();
        return count == 0 ? null : count;
    }

    /// None of a file that cannot be read, as in some containers.
    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException unreadable) {
            return List.of();
        }
    }

    /// @param cpu the first line of /proc/stat: `cpu user nice system idle iowait irq softirq
    ///   steal`; anything else tells nothing
    /// @param meminfo the lines of /proc/meminfo
    static HostUse parse(String cpu, List<String> meminfo) {
        var memory = 1 - kilobytes(meminfo, "MemAvailable:") / kilobytes(meminfo, "MemTotal:");
        var found = CPU.matcher(cpu);
        if (!found.matches()) {
            return new HostUse(0, 0, 0, memory);
        }
        // The guest fields that follow are contained in user and nice.
        var counted =
                Arrays.stream(found.group(1).trim().split("\\s+", -1))
                        .mapToLong(Long::parseLong)
                        .toArray();
        var total = Arrays.stream(counted).sum();
        var idle = counted[3] + counted[4];
        var stolen = counted[7];
        return new HostUse(total - idle - stolen, stolen, total, memory);
    }

    /// Share of the processors' time since an earlier sample that was in use.
    public double busyShareSince(HostUse earlier) {
        return share(busyTicks - earlier.busyTicks, earlier);
    }

    /// Share of the processors' time since an earlier sample that others had.
    public double stolenShareSince(HostUse earlier) {
        return share(stolenTicks - earlier.stolenTicks, earlier);
    }

    private double share(long ticks, HostUse earlier) {
        var passed = totalTicks - earlier.totalTicks;
        return earlier.totalTicks > 0 && passed > 0 ? (double) ticks / passed : Double.NaN;
    }

    private static double kilobytes(List<String> meminfo, String key) {
        return meminfo.stream()
                .filter(line -> line.startsWith(key))
                .map(line -> line.replaceAll("\\D", ""))
                .filter(number -> !number.isEmpty())
                .mapToDouble(Double::parseDouble)
                .findFirst()
                .orElse(Double.NaN);
    }
}

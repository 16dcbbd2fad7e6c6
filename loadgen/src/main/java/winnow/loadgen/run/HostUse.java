package winnow.loadgen.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// What the whole machine is doing, from Linux's /proc; not a number elsewhere. Immutable.
///
/// @param busyTicks ticks of all processors not idle and not stolen
/// @param stolenTicks ticks that the hypervisor gave to others
/// @param totalTicks all ticks; 0 if unknown
/// @param memoryShare share of the memory in use
record HostUse(long busyTicks, long stolenTicks, long totalTicks, double memoryShare) {

    /// Nothing is known.
    static final HostUse UNKNOWN = new HostUse(0, 0, 0, Double.NaN);

    private static final Path STAT = Path.of("/proc/stat");
    private static final Path MEMINFO = Path.of("/proc/meminfo");

    static HostUse now() throws IOException {
        if (!Files.isReadable(STAT) || !Files.isReadable(MEMINFO)) {
            return UNKNOWN;
        }
        try (var stat = Files.lines(STAT);
                var meminfo = Files.lines(MEMINFO)) {
            return parse(stat.findFirst().orElse(""), meminfo.toList());
        }
    }

    /// @param cpu the first line of /proc/stat: `cpu user nice system idle iowait irq softirq
    ///   steal`
    /// @param meminfo the lines of /proc/meminfo
    static HostUse parse(String cpu, List<String> meminfo) {
        var ticks = new ArrayList<Long>();
        for (var field : cpu.trim().split("\\s+", -1)) {
            if (!field.equals("cpu")) {
                ticks.add(Long.parseLong(field));
            }
        }
        // The guest fields that follow are contained in user and nice.
        var counted = ticks.subList(0, 8);
        var total = counted.stream().mapToLong(Long::longValue).sum();
        var idle = counted.get(3) + counted.get(4);
        var stolen = counted.get(7);
        var free = kilobytes(meminfo, "MemAvailable:");
        return new HostUse(
                total - idle - stolen, stolen, total, 1 - free / kilobytes(meminfo, "MemTotal:"));
    }

    /// Share of the processors' time since an earlier sample that was in use.
    double busyShareSince(HostUse earlier) {
        return share(busyTicks - earlier.busyTicks, earlier);
    }

    /// Share of the processors' time since an earlier sample that others had.
    double stolenShareSince(HostUse earlier) {
        return share(stolenTicks - earlier.stolenTicks, earlier);
    }

    private double share(long ticks, HostUse earlier) {
        var passed = totalTicks - earlier.totalTicks;
        return earlier.totalTicks > 0 && passed > 0 ? (double) ticks / passed : Double.NaN;
    }

    private static double kilobytes(List<String> meminfo, String key) {
        return meminfo.stream()
                .filter(line -> line.startsWith(key))
                .mapToDouble(line -> Double.parseDouble(line.replaceAll("\\D", "")))
                .findFirst()
                .orElse(Double.NaN);
    }
}

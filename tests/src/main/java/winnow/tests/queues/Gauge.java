package winnow.tests.queues;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import winnow.loadgen.machine.CpuClock;

/// Reads what a process has used so far, and the disk that it writes to. Used by one thread.
final class Gauge {
    private static final int SECTOR_BYTES = 512;
    private static final int DEVICE_FIELD = 2;
    private static final int SECTORS_WRITTEN_FIELD = 9;

    private final long pid;
    private final String device;
    private final CpuClock cpu;

    /// @param directory on the disk
    Gauge(long pid, Path directory) throws IOException {
        this.pid = pid;
        Path source = Path.of(Files.getFileStore(directory).name());
        device = String.valueOf(source.getFileName());
        cpu = CpuClock.ofBroker(pid);
    }

    /// One moment.
    ///
    /// @param nanos of the clock
    /// @param cpuNanos processor time of the process without its just-in-time compilers
    /// @param processBytes that the process has had written to files
    /// @param deviceBytes that all processes and the file system have had written to the disk
    record Reading(long nanos, long cpuNanos, long processBytes, long deviceBytes) {}

    Reading read() throws IOException {
        return new Reading(
                System.nanoTime(), cpu.cpuNanos().orElse(0), processBytes(), deviceBytes());
    }

    private long processBytes() throws IOException {
        return value(Path.of("/proc", Long.toString(pid), "io"), "write_bytes:");
    }

    /// What the process has of the machine's memory, in bytes.
    long residentBytes() throws IOException {
        return value(Path.of("/proc", Long.toString(pid), "status"), "VmRSS:") << 10;
    }

    private static long value(Path file, String key) throws IOException {
        for (String line : Files.readString(file).split("\n", -1)) {
            if (line.startsWith(key)) {
                return Long.parseLong(line.replaceAll("\\D", ""));
            }
        }
        throw new IOException("expected " + key + " in " + file + ", found none");
    }

    private long deviceBytes() throws IOException {
        for (String line : Files.readString(Path.of("/proc/diskstats")).split("\n", -1)) {
            String[] fields = line.strip().split("\\s+", -1);
            if (fields.length > SECTORS_WRITTEN_FIELD && fields[DEVICE_FIELD].equals(device)) {
                return SECTOR_BYTES * Long.parseLong(fields[SECTORS_WRITTEN_FIELD]);
            }
        }
        return 0;
    }
}

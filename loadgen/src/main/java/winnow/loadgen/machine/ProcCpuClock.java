package winnow.loadgen.machine;

import java.io.IOException;
import java.util.OptionalLong;

/// CPU time as the Java runtime reads it from the operating system: on Linux fields 14 and 15 of
/// /proc/PID/stat, in ticks of 10 ms, threads that have ended included.
final class ProcCpuClock implements CpuClock {

    private final long pid;

    ProcCpuClock(long pid) {
        this.pid = pid;
    }

    @Override
    public OptionalLong cpuNanos() throws IOException {
        var process = ProcessHandle.of(pid);
        if (process.isEmpty()) {
            throw new IOException("process " + pid + " is gone: no CPU time to read");
        }
        return process.get().info().totalCpuDuration().stream()
                .mapToLong(time -> time.toNanos())
                .findFirst();
    }

    @Override
    public String source() {
        return "CPU time of process " + pid + " in ticks";
    }
}

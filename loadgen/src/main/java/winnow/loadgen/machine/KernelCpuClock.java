package winnow.loadgen.machine;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.OptionalLong;

/// The kernel's CPU-time clock of a process: nanoseconds, threads that have ended included, one
/// call (clock_gettime(2) with the clock id of clock_getcpuclockid(3)).
///
/// Preferred because /proc/PID/stat counts ticks of 10 ms, 1 % of a measured second, and
/// /proc/PID/task/*/schedstat forgets threads that have ended and is absent from some kernels.
final class KernelCpuClock implements CpuClock {

    /// CPUCLOCK_SCHED of the kernel: scheduled time, user and system.
    private static final int CPUCLOCK_SCHED = 2;

    /// `struct timespec` on 64-bit Linux.
    private static final MemoryLayout TIMESPEC =
            MemoryLayout.structLayout(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG);

    @SuppressWarnings("restricted")
    private static final MethodHandle CLOCK_GETTIME =
            Linker.nativeLinker()
                    .downcallHandle(
                            Linker.nativeLinker()
                                    .defaultLookup()
                                    .find("clock_gettime")
                                    .orElseThrow(),
                            FunctionDescriptor.of(
                                    ValueLayout.JAVA_INT,
                                    ValueLayout.JAVA_INT,
                                    ValueLayout.ADDRESS));

    private final long pid;

    KernelCpuClock(long pid) {
        this.pid = pid;
    }

    @Override
    public OptionalLong cpuNanos() throws IOException {
        try (var arena = Arena.ofConfined()) {
            var time = arena.allocate(TIMESPEC);
            var clockId = ((int) ~pid << 3) | CPUCLOCK_SCHED;
            if ((int) CLOCK_GETTIME.invokeExact(clockId, time) != 0) {
                throw new IOException("process " + pid + " is gone: no CPU time to read");
            }
            return OptionalLong.of(
                    time.get(ValueLayout.JAVA_LONG, 0) * 1_000_000_000
                            + time.get(ValueLayout.JAVA_LONG, Long.BYTES));
        } catch (IOException gone) {
            throw gone;
        } catch (Throwable impossible) {
            throw new IllegalStateException("clock_gettime", impossible);
        }
    }

    @Override
    public String source() {
        return "CPU-time clock of process " + pid;
    }
}

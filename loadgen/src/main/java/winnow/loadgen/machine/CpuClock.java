package winnow.loadgen.machine;

import java.io.IOException;
import java.net.URI;
import java.util.OptionalLong;

/// The CPU time that a process has used so far, all threads, user and system. Used by one thread.
public interface CpuClock {

    /// Nanoseconds since the process started; empty if it cannot be told.
    OptionalLong cpuNanos() throws IOException;

    /// Nanoseconds of its just-in-time compilers, which [#cpuNanos] leaves out; empty if it does
    /// not tell them apart.
    default OptionalLong compilerNanos() throws IOException {
        return OptionalLong.empty();
    }

    /// Source of the figure, for reports.
    String source();

    /// The best clock for a process on this machine.
    static CpuClock ofProcess(long pid) {
        if (CpuClock.class.getModule().isNativeAccessEnabled()
                && System.getProperty("os.name").equals("Linux")) {
            return new KernelCpuClock(pid);
        }
        return new ProcCpuClock(pid);
    }

    /// The clock of a broker on this machine: without just-in-time compilation, if it runs on Java.
    static CpuClock ofBroker(long pid) {
        return new JavaCpuClock(ofProcess(pid), new CompilerThreads(pid));
    }

    /// The clock of a process that exports its CPU time for Prometheus.
    static CpuClock ofMetrics(URI metrics) {
        return new MetricsCpuClock(metrics);
    }

    /// Nothing is known about the process.
    static CpuClock unavailable() {
        return new CpuClock() {
            @Override
            public OptionalLong cpuNanos() {
                return OptionalLong.empty();
            }

            @Override
            public String source() {
                return "not available";
            }
        };
    }
}

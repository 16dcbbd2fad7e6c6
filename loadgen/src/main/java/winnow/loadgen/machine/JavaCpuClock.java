package winnow.loadgen.machine;

import java.io.IOException;
import java.util.OptionalLong;

/// The CPU time of a Java process less that of its just-in-time compilers: what its messages cost
/// once everything is compiled. Used by one thread.
final class JavaCpuClock implements CpuClock {

    private final CpuClock process;
    private final CompilerThreads compilers;

    JavaCpuClock(CpuClock process, CompilerThreads compilers) {
        this.process = process;
        this.compilers = compilers;
    }

    @Override
    public OptionalLong cpuNanos() throws IOException {
        var all = process.cpuNanos();
        return all.isEmpty() ? all : OptionalLong.of(all.getAsLong() - compilers.cpuNanos());
    }

    @Override
    public OptionalLong compilerNanos() throws IOException {
        return OptionalLong.of(compilers.cpuNanos());
    }

    @Override
    public String source() {
        return process.source() + ", without its compiler threads";
    }
}

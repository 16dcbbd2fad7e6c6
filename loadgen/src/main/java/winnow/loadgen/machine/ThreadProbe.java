package winnow.loadgen.machine;

import java.io.IOException;

/// Looks at the threads of a process. Used by one thread.
public interface ThreadProbe {

    /// Their use of the processors so far.
    ThreadUse now() throws IOException;

    /// Of a process on this machine.
    static ThreadProbe ofProcess(long pid) {
        return () -> ThreadUse.of(pid);
    }

    /// Nothing is known about the process.
    static ThreadProbe unavailable() {
        return ThreadUse::unknown;
    }
}

package winnow.loadgen.run;

import java.io.IOException;
import java.util.Map;

/// Looks at the threads of a process. Used by one thread.
public interface ThreadProbe {

    /// What they have done so far.
    ThreadUse now() throws IOException;

    /// Of a process on this machine.
    static ThreadProbe ofProcess(long pid) {
        return () -> ThreadUse.of(pid);
    }

    /// Nothing is known about the process.
    static ThreadProbe unavailable() {
        return () -> new ThreadUse(Map.of());
    }
}

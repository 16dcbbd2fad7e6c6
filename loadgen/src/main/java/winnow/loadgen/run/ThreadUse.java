package winnow.loadgen.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;

/// How long each thread of a process has run or waited for a processor so far, from Linux's
/// /proc/PID/task. A thread that does neither sleeps: it has nothing to do. Immutable.
///
/// @param nanosByThread nanoseconds by thread id, just-in-time compilers left out; empty where the
///   kernel does not tell
public record ThreadUse(Map<String, Long> nanosByThread) {

    public ThreadUse {
        nanosByThread = Map.copyOf(nanosByThread);
    }

    /// Of a process on this machine.
    static ThreadUse of(long pid) throws IOException {
        return of(Path.of("/proc/" + pid + "/task"));
    }

    /// @param tasks a directory like /proc/PID/task
    static ThreadUse of(Path tasks) throws IOException {
        var nanos = new HashMap<String, Long>();
        if (Files.isDirectory(tasks)) {
            try (var threads = Files.newDirectoryStream(tasks)) {
                for (var thread : threads) {
                    read(thread, nanos);
                }
            }
        }
        return new ThreadUse(nanos);
    }

    private static void read(Path thread, Map<String, Long> nanos) {
        try {
            if (CompilerThreads.isCompiler(thread)) {
                return;
            }
            // Time on a processor, time in the queue for one, how often it got one.
            var fields = Files.readString(thread.resolve("schedstat")).strip().split(" ", -1);
            nanos.put(
                    String.valueOf(thread.getFileName()),
                    Long.parseLong(fields[0]) + Long.parseLong(fields[1]));
        } catch (IOException ended) {
            // The thread is gone, or this kernel has no schedstat.
            return;
        }
    }

    /// Share of the time since an earlier sample in which the busiest thread had something to do;
    /// empty if that is not known.
    OptionalDouble busiestShareSince(ThreadUse earlier, long elapsedNanos) {
        return nanosByThread.entrySet().stream()
                .mapToDouble(thread ->
                        (double)
                                        (thread.getValue()
                                                - earlier.nanosByThread.getOrDefault(
                                                        thread.getKey(), 0L))
                                / elapsedNanos)
                .max();
    }
}

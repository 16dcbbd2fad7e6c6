package winnow.loadgen.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;

/// Time that each thread of a process has run or waited for a processor so far, from Linux's
/// /proc/PID/task. A thread that does neither sleeps: it has nothing to do. Immutable.
///
/// Just-in-time compilers are left out, and of a Winnow broker all threads but its event loops.
///
/// @param nanosByThread nanoseconds by thread id; empty where the kernel does not tell
/// @param atNanos when that was read, by [System#nanoTime]
public record ThreadUse(Map<String, Long> nanosByThread, long atNanos) {

    /// As Winnow names its event loops.
    private static final String LOOP = "winnow-loop-";

    public ThreadUse {
        nanosByThread = Map.copyOf(nanosByThread);
    }

    /// Nothing is known.
    public static ThreadUse unknown() {
        return new ThreadUse(Map.of(), System.nanoTime());
    }

    /// Of a process on this machine.
    public static ThreadUse of(long pid) throws IOException {
        return of(Path.of("/proc/" + pid + "/task"));
    }

    /// @param tasks a directory like /proc/PID/task
    public static ThreadUse of(Path tasks) throws IOException {
        var at = System.nanoTime();
        if (!Files.isDirectory(tasks)) {
            return unknown();
        }
        var loops = new HashMap<String, Long>();
        var others = new HashMap<String, Long>();
        try (var threads = Files.newDirectoryStream(tasks)) {
            for (var thread : threads) {
                read(thread, loops, others);
            }
        }
        var nanos = loops.isEmpty() ? others : loops;
        // A kernel without these statistics shows zeros.
        return nanos.values().stream().allMatch(used -> used == 0)
                ? unknown()
                : new ThreadUse(nanos, at);
    }

    private static void read(Path thread, Map<String, Long> loops, Map<String, Long> others) {
        try {
            if (CompilerThreads.isCompiler(thread)) {
                return;
            }
            var name = Files.readString(thread.resolve("comm"));
            // Time on a processor, time in the queue for one, how often it got one.
            var fields = Files.readString(thread.resolve("schedstat")).strip().split(" ", -1);
            (name.startsWith(LOOP) ? loops : others)
                    .put(
                            String.valueOf(thread.getFileName()),
                            Long.parseLong(fields[0]) + Long.parseLong(fields[1]));
        } catch (IOException | NumberFormatException | IndexOutOfBoundsException ended) {
            // The thread is gone, or this kernel has no schedstat.
            return;
        }
    }

    /// Share of the time since an earlier sample in which the busiest thread had something to do;
    /// empty if that is not known.
    public OptionalDouble busiestShareSince(ThreadUse earlier) {
        var elapsed = (double) (atNanos - earlier.atNanos);
        return nanosByThread.entrySet().stream()
                .mapToDouble(thread ->
                        (thread.getValue()
                                        - earlier.nanosByThread.getOrDefault(thread.getKey(), 0L))
                                / elapsed)
                .max();
    }
}

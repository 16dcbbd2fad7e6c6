package winnow.loadgen.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

/// CPU time that the just-in-time compilers of a Java process have used, from Linux's
/// /proc/PID/task: compiling is work of the first minutes, not of a message (measured: a third of a
/// broker's CPU time 16 s after its start). Used by one thread.
final class CompilerThreads {

    /// HotSpot's names as Linux cuts them.
    private static final Pattern NAME = Pattern.compile("C[12] CompilerThre.*");

    private final Path tasks;

    /// Threads that have ended keep the last value that was seen.
    private final Map<String, Long> nanosByThread = new HashMap<>();

    CompilerThreads(long pid) {
        this(Path.of("/proc/" + pid + "/task"));
    }

    /// @param tasks a directory like /proc/PID/task
    CompilerThreads(Path tasks) {
        this.tasks = tasks;
    }

    /// Nanoseconds since the process started; 0 where the kernel does not tell.
    long cpuNanos() throws IOException {
        if (!Files.isDirectory(tasks)) {
            return 0;
        }
        try (var threads = Files.newDirectoryStream(tasks)) {
            for (var thread : threads) {
                read(thread);
            }
        }
        return nanosByThread.values().stream().mapToLong(Long::longValue).sum();
    }

    /// @param thread a directory like /proc/PID/task/TID
    static boolean isCompiler(Path thread) throws IOException {
        return NAME.matcher(Files.readString(thread.resolve("comm")).strip()).matches();
    }

    private void read(Path thread) {
        try {
            if (isCompiler(thread)) {
                var scheduled = Files.readString(thread.resolve("schedstat")).split(" ", -1)[0];
                nanosByThread.put(
                        String.valueOf(thread.getFileName()), Long.parseLong(scheduled.strip()));
            }
        } catch (IOException | NumberFormatException | IndexOutOfBoundsException ended) {
            // The thread is gone, or this kernel has no schedstat: the last value stands.
            return;
        }
    }
}

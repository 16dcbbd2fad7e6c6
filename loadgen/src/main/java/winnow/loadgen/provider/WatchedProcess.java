package winnow.loadgen.provider;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A process that ends with this one, however this one ends. Owned by the thread that made it.
public final class WatchedProcess implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /// Waits for the end of its input, which comes with the end of this process, and then ends the
    /// process $0 and removes its folder $1, if there is one. Ctrl-C in a terminal goes to it, too.
    private static final String WATCH =
            """
            trap '' INT HUP
            read _
            kill "$0"
            [ -n "$1" ] || exit
            for _ in $(seq 100); do
                kill -0 "$0" 2>/dev/null || break
                sleep 0.1
            done
            kill -9 "$0" 2>/dev/null
            rm -rf "$1"
            """;

    private final Process process;
    private final Process watch;

    /// @param directory removed with the process if this one ends before it; null for none
    /// @throws IOException if nothing can watch the process, which has been ended then
    public WatchedProcess(Process process, @Nullable Path directory) throws IOException {
        this.process = process;
        try {
            watch =
                    new ProcessBuilder(
                                    "/bin/sh",
                                    "-c",
                                    WATCH,
                                    Long.toString(process.pid()),
                                    directory == null ? "" : directory.toString())
                            .start();
        } catch (IOException noShell) {
            process.destroyForcibly();
            throw noShell;
        }
    }

    /// Its process id.
    public long pid() {
        return process.pid();
    }

    /// Waits for its end.
    ///
    /// @return whether it has ended in time
    boolean hasEnded(Duration patience) throws InterruptedException {
        return process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    /// SIGTERM, and force after a while.
    ///
    /// @return its exit code
    public int stop(Duration patience) throws InterruptedException {
        watch.destroy();
        // Unlike Process#destroy this leaves it its output.
        process.toHandle().destroy();
        try {
            if (process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                return process.exitValue();
            }
            process.destroyForcibly();
            return process.waitFor();
        } catch (InterruptedException interrupted) {
            process.destroyForcibly();
            throw interrupted;
        }
    }

    /// SIGTERM, and force after ten seconds.
    @Override
    public void close() {
        try {
            stop(PATIENCE);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}

package winnow.loadgen.run;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/// Shows how far a run is: a bar on a terminal, a line per point elsewhere.
///
/// Owned by the coordinator's thread.
public interface Progress extends AutoCloseable {

    /// A step begins.
    void begin(String what);

    /// The step has ended.
    ///
    /// @param result what came out, in a few words
    void end(String result);

    @Override
    void close();

    /// For standard error output.
    ///
    /// @param title what is going on
    /// @param steps how many there will be
    static Progress on(PrintStream errors, String title, int steps) {
        return isTerminal() ? new Bar(errors, title, steps) : new Lines(errors, title, steps);
    }

    /// Whether standard error output is a terminal, as far as Linux tells.
    private static boolean isTerminal() {
        var stderr = Path.of("/proc/self/fd/2");
        try {
            var target = Files.readSymbolicLink(stderr).toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
        } catch (IOException | UnsupportedOperationException notLinux) {
            return false;
        }
    }

    /// A line before and after each step, with the time left by the mean of the steps so far.
    final class Lines implements Progress {

        private final PrintStream errors;
        private final String title;
        private final int steps;
        private final long startNanos = System.nanoTime();
        private int done;
        private String current = "";

        Lines(PrintStream errors, String title, int steps) {
            this.errors = errors;
            this.title = title;
            this.steps = steps;
        }

        @Override
        public void begin(String what) {
            current = what;
        }

        @Override
        public void end(String result) {
            done++;
            var mean = (System.nanoTime() - startNanos) / done;
            errors.printf(
                    "%s %d/%d  %s  %s  (%s left)%n",
                    title, done, steps, current, result, clock(mean * (steps - done)));
        }

        @Override
        public void close() {
            errors.flush();
        }

        private static String clock(long nanos) {
            var left = Duration.ofNanos(nanos);
            return "%d:%02d".formatted(left.toMinutes(), left.toSecondsPart());
        }
    }

    /// One line that redraws itself; shows the current step and the time left.
    final class Bar implements Progress {

        private final ProgressBar bar;

        Bar(PrintStream errors, String title, int steps) {
            bar =
                    new ProgressBarBuilder()
                            .setTaskName(title)
                            .setInitialMax(steps)
                            .setStyle(ProgressBarStyle.COLORFUL_UNICODE_BLOCK)
                            .setUpdateIntervalMillis(250)
                            .setConsumer(new ConsoleProgressBarConsumer(errors))
                            .build();
        }

        @Override
        public void begin(String what) {
            bar.setExtraMessage(" " + what);
        }

        @Override
        public void end(String result) {
            bar.step();
        }

        @Override
        public void close() {
            bar.close();
        }
    }
}

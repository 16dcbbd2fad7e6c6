package winnow.loadgen.run;

import java.io.PrintStream;
import java.time.Duration;

/// Shows how far a command is with all of its runs: one line that redraws itself on a terminal, a
/// line per step elsewhere.
///
/// Owned by the coordinator's thread.
public interface Progress extends AutoCloseable {

    /// More steps than were known of.
    void expect(int more);

    /// A step begins.
    void begin(String what);

    /// The step has ended.
    ///
    /// @param rate its most important figure, short
    /// @param result what came out, in a few words
    void end(String rate, String result);

    /// The step has ended without figures, or with wrong ones. Shown on a line of its own.
    void fail(String result);

    @Override
    void close();

    /// For standard error output.
    ///
    /// @param title what is going on
    static Progress on(PrintStream errors, String title) {
        return Terminal.isErrorOutput()
                ? new ProgressLine(errors, title, Terminal::columns)
                : new Lines(errors, title);
    }

    /// A line after each step, with the time left by the mean of the steps so far.
    final class Lines implements Progress {

        private final PrintStream errors;
        private final String title;
        private final Pace pace = new Pace();
        private String current = "";

        public Lines(PrintStream errors, String title) {
            this.errors = errors;
            this.title = title;
        }

        @Override
        public void expect(int more) {
            pace.expect(more);
        }

        @Override
        public void begin(String what) {
            current = what;
        }

        @Override
        public void end(String rate, String result) {
            pace.end();
            errors.printf(
                    "%s %d/%d  %s  %s  (%s left)%n",
                    title, pace.done(), pace.steps(), current, result, pace.left());
        }

        @Override
        public void fail(String result) {
            end("", result);
        }

        @Override
        public void close() {
            errors.flush();
        }
    }

    /// Steps done and to do, and the time that they take.
    final class Pace {
        private final long startNanos = System.nanoTime();
        private int steps;
        private int done;

        void expect(int more) {
            steps += more;
        }

        void end() {
            done++;
        }

        int steps() {
            return Math.max(steps, done);
        }

        int done() {
            return done;
        }

        /// Minutes and seconds by the mean of the steps so far, `-:--` before the first has ended.
        String left() {
            if (done == 0) {
                return "-:--";
            }
            var mean = (System.nanoTime() - startNanos) / done;
            var left = Duration.ofNanos(mean * (steps() - done));
            return "%d:%02d".formatted(left.toMinutes(), left.toSecondsPart());
        }
    }
}

package winnow.loadgen.run;

import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.function.LongSupplier;

/// Shows how far a command is with all of its runs: one line that redraws itself on a terminal, a
/// line per step elsewhere.
///
/// Owned by the coordinator's thread.
public interface RunProgress extends AutoCloseable {

    /// More steps than were known of, after those that were.
    ///
    /// @param each how long one probably takes
    void expect(int more, Duration each);

    /// One step more, before all others that are to come.
    void expectNow(Duration time);

    /// Leaves out the steps before this one that have not ended, such as those of a broker that did
    /// not start.
    ///
    /// @param steps that are over then
    void skipTo(int steps);

    /// A step begins.
    void begin(String what);

    /// The step has ended.
    ///
    /// @param rate its most important figure, short
    /// @param result what came out, in a few words
    void end(String rate, String result);

    /// The step has ended without figures, or with wrong ones. Shown on a line of its own.
    void fail(String result);

    /// Shows lines of their own, such as what follows from the steps so far.
    void show(String text);

    @Override
    void close();

    /// For standard error output.
    ///
    /// @param title what is going on
    static RunProgress on(PrintStream errors, String title) {
        return Terminal.isErrorOutput()
                ? new ProgressLine(errors, title, Terminal::columns)
                : new Lines(errors, title);
    }

    /// A line after each step, with the time left by the mean of the steps so far.
    final class Lines implements RunProgress {

        private final PrintStream errors;
        private final String title;
        private final Pace pace = new Pace();
        private String current = "";

        public Lines(PrintStream errors, String title) {
            this.errors = errors;
            this.title = title;
        }

        @Override
        public void expect(int more, Duration each) {
            pace.expect(more, each);
        }

        @Override
        public void expectNow(Duration time) {
            pace.expectNow(time);
        }

        @Override
        public void skipTo(int steps) {
            pace.skipTo(steps);
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
        public void show(String text) {
            errors.print(text);
        }

        @Override
        public void close() {
            errors.flush();
        }
    }

    /// Steps done and to do, and the time that they take.
    final class Pace {

        /// Part of the expected time after which the real one is believed. The first steps are
        /// slow: programs are young.
        private static final double TELLING = 1.0 / 3;

        private final LongSupplier nanoTime;
        private final Deque<Long> expectedNanos = new ArrayDeque<>();
        private long startNanos;
        private long doneNanos;
        private int done;

        Pace() {
            this(System::nanoTime);
        }

        Pace(LongSupplier nanoTime) {
            this.nanoTime = nanoTime;
            startNanos = nanoTime.getAsLong();
        }

        void expect(int more, Duration each) {
            if (done == 0) {
                startNanos = nanoTime.getAsLong();
            }
            expectedNanos.addAll(Collections.nCopies(more, each.toNanos()));
        }

        void expectNow(Duration time) {
            expectedNanos.addFirst(time.toNanos());
        }

        /// Steps that took no time, and say nothing of the time of others.
        void skipTo(int steps) {
            while (done < steps && expectedNanos.poll() != null) {
                done++;
            }
        }

        void end() {
            done++;
            var expected = expectedNanos.poll();
            doneNanos += expected == null ? 0 : expected;
        }

        int steps() {
            return done + expectedNanos.size();
        }

        int done() {
            return done;
        }

        /// Minutes and seconds: what the steps to come are expected to take, and so much more or
        /// less as those that are done took, the more of that the more are done.
        String left() {
            var expected = expectedNanos.stream().mapToLong(Long::longValue).sum();
            var slowness =
                    doneNanos == 0
                            ? 0
                            : (double) (nanoTime.getAsLong() - startNanos) / doneNanos - 1;
            var share = (double) doneNanos / Math.max(1, doneNanos + expected);
            var belief = Math.min(1, share / TELLING);
            var left = Duration.ofNanos(Math.round(expected * (1 + belief * slowness)));
            return "%d:%02d".formatted(left.toMinutes(), left.toSecondsPart());
        }
    }
}

package winnow.loadgen;

import java.io.PrintStream;
import java.time.Duration;
import winnow.loadgen.run.Progress;

/// Shows no points: whoever measures for weeks has a line for each round, which says what failed,
/// too. Owned by the thread of the command.
final class QuietProgress implements Progress {

    private final PrintStream errors;

    QuietProgress(PrintStream errors) {
        this.errors = errors;
    }

    @Override
    public void expect(int more, Duration each) {}

    @Override
    public void expectNow(Duration time) {}

    @Override
    public void skipTo(int steps) {}

    @Override
    public void begin(String what) {}

    @Override
    public void end(String rate, String result) {}

    @Override
    public void fail(String result) {}

    @Override
    public void show(String text) {
        errors.print(text);
    }

    @Override
    public void close() {
        errors.flush();
    }
}

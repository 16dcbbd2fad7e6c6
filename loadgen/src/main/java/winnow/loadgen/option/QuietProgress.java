package winnow.loadgen.option;

import java.io.PrintStream;
import java.time.Duration;
import winnow.loadgen.run.RunProgress;

/// Shows no points: whoever measures for weeks has a line for each round, which says what failed,
/// too. Owned by the thread of the command.
public final class QuietProgress implements RunProgress {

    private final PrintStream errors;

    public QuietProgress(PrintStream errors) {
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

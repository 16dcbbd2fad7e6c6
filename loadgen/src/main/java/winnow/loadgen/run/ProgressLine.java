package winnow.loadgen.run;

import java.io.PrintStream;
import java.time.Duration;
import java.util.function.IntSupplier;

/// One line that redraws itself and fits the terminal: a bar, the last rate, the time left, and
/// where there is room the current step.
///
/// Owned by the coordinator's thread.
final class ProgressLine implements RunProgress {

    private static final int BAR_COLUMNS = 12;

    /// To the end of the line, so that nothing of a longer one stays.
    private static final String ERASE = "\u001b[K";

    private final PrintStream errors;
    private final String title;
    private final IntSupplier terminalColumns;
    private final Pace pace = new Pace();
    private String current = "";
    private String rate = "";

    ProgressLine(PrintStream errors, String title, IntSupplier terminalColumns) {
        this.errors = errors;
        this.title = title;
        this.terminalColumns = terminalColumns;
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
        draw();
    }

    @Override
    public void end(String measured, String result) {
        rate = measured;
        pace.end();
        draw();
    }

    @Override
    public void fail(String result) {
        pace.end();
        errors.print("\r" + ERASE + current + ": " + result + System.lineSeparator());
        draw();
    }

    @Override
    public void show(String text) {
        errors.print("\r" + ERASE + text);
        draw();
    }

    @Override
    public void close() {
        errors.print("\r" + ERASE);
        errors.flush();
    }

    private void draw() {
        errors.print("\r" + text(terminalColumns.getAsInt() - 1) + ERASE);
        errors.flush();
    }

    /// At most so many columns: one less than the terminal has, or some would wrap.
    private String text(int columns) {
        var share = pace.steps() == 0 ? 0 : (double) pace.done() / pace.steps();
        var full = (int) (share * BAR_COLUMNS);
        var text =
                "%s %3.0f %% [%s%s] %s left"
                        .formatted(
                                title,
                                share * 100,
                                "=".repeat(full),
                                " ".repeat(BAR_COLUMNS - full),
                                pace.left());
        for (var more : new String[] {rate, current}) {
            if (!more.isEmpty() && text.length() + 2 + more.length() <= columns) {
                text += "  " + more;
            }
        }
        return text.length() > columns ? text.substring(0, Math.max(0, columns)) : text;
    }
}

package winnow.broker.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/// Runs commands, and has what the last one has printed.
final class CommandRun {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    /// @return the exit code
    int execute(CommandLine line, String... arguments) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        return line.setOut(new PrintWriter(out)).setErr(new PrintWriter(err)).execute(arguments);
    }

    String out() {
        return out.toString();
    }

    String err() {
        return err.toString();
    }
}

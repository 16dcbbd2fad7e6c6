package winnow.broker.logging;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.time.Instant;
import org.slf4j.event.Level;

/// Makes lines of the log, objects of JSON, of what a command prints line by line. Used by one
/// thread at a time.
public final class JsonOutput extends Writer {
    private final PrintWriter out;
    private final Level level;
    private final StringBuilder line = new StringBuilder();

    private JsonOutput(PrintWriter out, Level level) {
        this.out = out;
        this.level = level;
    }

    /// A writer whose lines arrive at another as JSON.
    ///
    /// @param level that they say
    public static PrintWriter to(PrintWriter out, Level level) {
        return new PrintWriter(new JsonOutput(out, level), true);
    }

    @Override
    public void write(char[] buffer, int offset, int length) {
        for (int i = offset; i < offset + length; i++) {
            if (buffer[i] == '\n') {
                end();
            } else if (buffer[i] != '\r') {
                line.append(buffer[i]);
            }
        }
    }

    private void end() {
        out.print(LogLines.json(Instant.now(), level, line.toString()));
        line.setLength(0);
    }

    @Override
    public void flush() {
        out.flush();
    }

    @Override
    public void close() throws IOException {
        if (!line.isEmpty()) {
            end();
        }
        out.close();
    }
}

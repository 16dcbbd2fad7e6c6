package winnow.client.log;

import java.io.PrintStream;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;
import winnow.wire.Printable;

/// Logger for applications that have none: prints warnings and errors, each text once, and so many
/// in all. Thread-safe.
final class PrintedWarnings extends LegacyAbstractLogger {
    /// Texts that are printed. They name destinations and reasons, of which there may be many.
    static final int MAX_PRINTED = 50;

    private static final String PREFIX = "winnow: ";
    private static final long serialVersionUID = 1L;

    private final transient PrintStream out;
    private final transient Set<String> printed = new HashSet<>();

    PrintedWarnings(PrintStream out) {
        this.out = out;
    }

    @Override
    public boolean isTraceEnabled() {
        return false;
    }

    @Override
    public boolean isDebugEnabled() {
        return false;
    }

    @Override
    public boolean isInfoEnabled() {
        return false;
    }

    @Override
    public boolean isWarnEnabled() {
        return true;
    }

    @Override
    public boolean isErrorEnabled() {
        return true;
    }

    @Override
    protected @Nullable String getFullyQualifiedCallerName() {
        return null;
    }

    @Override
    protected void handleNormalizedLoggingCall(
            Level level,
            @Nullable Marker marker,
            String pattern,
            @Nullable Object @Nullable [] arguments,
            @Nullable Throwable cause) {
        String text = MessageFormatter.basicArrayFormat(pattern, arguments);
        print(Printable.line(text), cause);
    }

    private synchronized void print(String text, @Nullable Throwable cause) {
        if (printed.size() >= MAX_PRINTED || !printed.add(text)) {
            return;
        }
        out.println(PREFIX + text);
        if (cause != null) {
            cause.printStackTrace(out);
        }
        if (printed.size() == 1) {
            out.println(
                    PREFIX
                            + "warnings are printed here, each once, because there is no SLF4J"
                            + " provider, such as slf4j-simple; -D"
                            + ClientLog.PROPERTY
                            + "=false turns them off");
        } else if (printed.size() == MAX_PRINTED) {
            out.println(PREFIX + "further warnings are left out");
        }
    }
}

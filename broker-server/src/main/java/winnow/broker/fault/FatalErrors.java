package winnow.broker.fault;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Errors that no process survives, above all a heap that is used up: a broker that went on would
/// have threads missing and sockets that nobody serves. It ends at once instead, so that clients
/// see closed sockets and whoever watches the process starts it again.
public final class FatalErrors {
    /// Exit code of a process that ended so.
    public static final int EXIT_CODE = 3;

    private static final int RESERVE_BYTES = 256 * 1024;

    private static final String LAST_WORDS = "winnow broker: ended by a fatal error: ";
    private static final Words TEXT = new Words(LAST_WORDS, "\n");

    /// Whoever reads the line knows when it came: a clock would need memory.
    private static final Words JSON =
            new Words(
                    "{\"level\":\"error\",\"logger\":\"winnow\",\"message\":\"" + LAST_WORDS,
                    "\"}\n");

    private static final byte[] NO_MEMORY = bytes("java.lang.OutOfMemoryError");

    /// A print stream would need memory.
    private static final FileOutputStream STANDARD_ERROR = new FileOutputStream(FileDescriptor.err);

    /// Given up to have memory for the last words.
    private static volatile byte @Nullable [] unusedReserve = new byte[RESERVE_BYTES];

    private static volatile Words words = TEXT;

    private FatalErrors() {}

    /// The line of the last words without what has happened.
    private static final class Words {
        final byte[] begin;
        final byte[] end;

        Words(String begin, String end) {
            this.begin = bytes(begin);
            this.end = bytes(end);
        }
    }

    /// Chooses the form of the last words.
    ///
    /// @param json whether they are an object of JSON, as the lines of the log
    public static void lastWordsAsJson(boolean json) {
        words = json ? JSON : TEXT;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /// Loads what [#endIfFatal] uses, for which a heap that is used up would have no room.
    public static void prepare() {
        if (!isFatal(new OutOfMemoryError("none, this is a rehearsal"))) {
            throw new IllegalStateException("expected lack of memory to be fatal");
        }
    }

    /// True if the process cannot go on. A stack that overflowed is unwound when it is caught, and
    /// direct memory that is used up is missing to the connections that needed it: both are faults
    /// like any other. Takes no memory.
    public static boolean isFatal(Throwable failure) {
        return failure instanceof VirtualMachineError
                && !(failure instanceof StackOverflowError)
                && !isOfDirectMemory(failure);
    }

    /// Netty has a class of its own for it; the JDK says it in the message.
    private static boolean isOfDirectMemory(Throwable failure) {
        if (!(failure instanceof OutOfMemoryError)) {
            return false;
        }
        String message = failure.getMessage();
        return failure.getClass() != OutOfMemoryError.class
                || (message != null && message.contains("direct buffer memory"));
    }

    /// Ends the process if it cannot go on.
    public static void endIfFatal(Throwable failure) {
        if (isFatal(failure)) {
            end(failure);
        }
    }

    /// Says why in one line and ends the process without running anything else, since nothing else
    /// can be relied on. If there is no memory to say why, the line says just that.
    public static void end(Throwable failure) {
        Words form = words;
        try {
            STANDARD_ERROR.write(form.begin);
            unusedReserve = null;
            STANDARD_ERROR.write(text(failure, form == JSON));
            STANDARD_ERROR.write(form.end);
        } catch (IOException _) {
            // Nobody listens.
        } catch (OutOfMemoryError _) {
            writeNoMemory(form);
        } finally {
            Runtime.getRuntime().halt(EXIT_CODE);
        }
    }

    private static byte[] text(Throwable failure, boolean json) {
        String text = failure.toString();
        return (json ? quoted(text) : text).getBytes(StandardCharsets.UTF_8);
    }

    /// Replaces characters that JSON does not take by a space or another quotation mark.
    static String quoted(String text) {
        StringBuilder quoted = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char one = text.charAt(i);
            quoted.append(one < ' ' ? ' ' : one == '"' || one == '\\' ? '\'' : one);
        }
        return quoted.toString();
    }

    private static void writeNoMemory(Words form) {
        try {
            STANDARD_ERROR.write(NO_MEMORY);
            STANDARD_ERROR.write(form.end);
        } catch (IOException _) {
            // Nobody listens.
        }
    }
}

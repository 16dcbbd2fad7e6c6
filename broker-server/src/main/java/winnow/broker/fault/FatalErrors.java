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

    private static final byte[] LAST_WORDS = bytes("winnow broker: ended by a fatal error: ");
    private static final byte[] NO_MEMORY = bytes("java.lang.OutOfMemoryError\n");

    /// A print stream would need memory.
    private static final FileOutputStream STANDARD_ERROR = new FileOutputStream(FileDescriptor.err);

    /// Given up to have memory for the last words.
    private static volatile byte @Nullable [] unusedReserve = new byte[RESERVE_BYTES];

    private FatalErrors() {}

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /// Loads what [#endIfFatal] uses, for which a heap that is used up would have no room.
    public static void prepare() {
        if (!isFatal(new OutOfMemoryError("none, this is a rehearsal"))) {
            throw new IllegalStateException("expected lack of memory to be fatal");
        }
    }

    /// Whether the process cannot go on. A stack that overflowed is unwound when it is caught, and
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
        try {
            STANDARD_ERROR.write(LAST_WORDS);
            unusedReserve = null;
            STANDARD_ERROR.write(failure.toString().getBytes(StandardCharsets.UTF_8));
            STANDARD_ERROR.write('\n');
        } catch (IOException _) {
            // Nobody listens.
        } catch (OutOfMemoryError _) {
            writeNoMemory();
        } finally {
            Runtime.getRuntime().halt(EXIT_CODE);
        }
    }

    private static void writeNoMemory() {
        try {
            STANDARD_ERROR.write(NO_MEMORY);
        } catch (IOException _) {
            // Nobody listens.
        }
    }
}

package winnow.broker.fault;

import java.io.PrintStream;
import org.jspecify.annotations.Nullable;

/// Errors that no process survives, above all a heap that is used up: a broker that went on would
/// have threads missing and sockets that nobody serves. It ends at once instead, so that clients
/// see closed sockets and whoever watches the process starts it again.
public final class FatalErrors {
    /// Exit code of a process that ended so.
    public static final int EXIT_CODE = 3;

    private static final int RESERVE_BYTES = 256 * 1024;

    /// Given up to have memory for the last words.
    private static volatile byte @Nullable [] reserve = new byte[RESERVE_BYTES];

    private FatalErrors() {}

    /// Loads this class, for which a heap that is used up would have no room.
    static void prepare() {}

    /// Whether the process cannot go on. A stack that overflowed is unwound when it is caught, and
    /// direct memory that is used up is missing to one connection: both are faults like any other.
    public static boolean isFatal(Throwable failure) {
        return failure instanceof VirtualMachineError
                && !(failure instanceof StackOverflowError)
                && !isOfDirectMemory(failure);
    }

    /// Netty has a class of its own for it; the JDK says it in the message.
    private static boolean isOfDirectMemory(Throwable failure) {
        return failure instanceof OutOfMemoryError
                && (failure.getClass().getName().endsWith("OutOfDirectMemoryError")
                        || String.valueOf(failure.getMessage()).contains("direct buffer memory"));
    }

    /// Ends the process if it cannot go on.
    public static void endIfFatal(Throwable failure) {
        if (isFatal(failure)) {
            end(failure);
        }
    }

    /// Says why in one line and ends the process without running anything else, since nothing else
    /// can be relied on.
    public static void end(Throwable failure) {
        try {
            reserve = null;
            PrintStream out = System.err;
            out.print("winnow broker: ended by a fatal error: ");
            out.println(failure);
        } finally {
            Runtime.getRuntime().halt(EXIT_CODE);
        }
    }
}

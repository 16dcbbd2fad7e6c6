package winnow.loadgen.worker;

import jakarta.jms.JMSException;
import java.net.ConnectException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;

/// Exceptions as one line for people.
public final class Failures {

    private Failures() {}

    /// The message, with that of the innermost cause if it says something else: providers wrap the
    /// network's "Connection refused" in a message of their own.
    public static String describe(Throwable failure) {
        var cause = innermost(failure);
        var message = message(failure);
        var reason = message(cause);
        var told =
                message.contains(reason)
                        || (cause instanceof NoSuchFileException missing
                                && message.contains("'" + missing.getFile() + "'"));
        return told ? message : message + " (" + reason + ")";
    }

    /// True if no program listens where a connection was to be made.
    public static boolean isNobodyThere(Throwable failure) {
        return innermost(failure) instanceof ConnectException
                || message(failure).contains("Connection refused");
    }

    /// True if a broker of Winnow asks for the credentials that were not given.
    public static boolean isWithoutUser(Throwable failure) {
        return message(failure).contains("demands a user and a password");
    }

    private static Throwable innermost(Throwable failure) {
        var cause = failure.getCause();
        if (cause == null && failure instanceof JMSException jms) {
            cause = jms.getLinkedException();
        }
        return cause == null ? failure : innermost(cause);
    }

    private static String message(Throwable failure) {
        return switch (failure) {
            case NoSuchFileException missing -> "expected '" + missing.getFile() + "', found none";
            case FileAlreadyExistsException file ->
                    "expected a directory, found a file: '" + file.getFile() + "'";
            case AccessDeniedException denied -> "no permission for '" + denied.getFile() + "'";
            case OutOfMemoryError exhausted -> "out of memory: " + exhausted.getMessage();
            default -> {
                var message = failure.getMessage();
                yield message == null ? failure.getClass().getSimpleName() : message;
            }
        };
    }
}

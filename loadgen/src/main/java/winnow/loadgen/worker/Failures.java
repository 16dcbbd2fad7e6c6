package winnow.loadgen.worker;

import jakarta.jms.JMSException;

/// Exceptions as one line for people.
public final class Failures {

    private Failures() {}

    /// The message, with that of the innermost cause if it says something else: providers wrap the
    /// network's "Connection refused" in a message of their own.
    public static String describe(Throwable failure) {
        var cause = innermost(failure);
        var message = message(failure);
        var reason = message(cause);
        return message.contains(reason) ? message : message + " (" + reason + ")";
    }

    private static Throwable innermost(Throwable failure) {
        var cause = failure.getCause();
        if (cause == null && failure instanceof JMSException jms) {
            cause = jms.getLinkedException();
        }
        return cause == null ? failure : innermost(cause);
    }

    private static String message(Throwable failure) {
        var message = failure.getMessage();
        return message == null ? failure.getClass().getSimpleName() : message;
    }
}

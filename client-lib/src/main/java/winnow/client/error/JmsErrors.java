package winnow.client.error;

import jakarta.jms.IllegalStateException;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.InvalidClientIDException;
import jakarta.jms.InvalidClientIDRuntimeException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidDestinationRuntimeException;
import jakarta.jms.InvalidSelectorException;
import jakarta.jms.InvalidSelectorRuntimeException;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.JMSSecurityRuntimeException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageFormatRuntimeException;
import jakarta.jms.MessageNotWriteableException;
import jakarta.jms.MessageNotWriteableRuntimeException;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.ResourceAllocationRuntimeException;
import jakarta.jms.TransactionInProgressException;
import jakarta.jms.TransactionInProgressRuntimeException;
import jakarta.jms.TransactionRolledBackException;
import jakarta.jms.TransactionRolledBackRuntimeException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import winnow.client.transport.endpoint.LocalFailure;
import winnow.client.transport.endpoint.TransportException;
import winnow.wire.Printable;

/// The one place where failures become the exceptions of the API, with the codes of [ErrorCodes].
/// No text of a chain of causes repeats another.
public final class JmsErrors {
    private JmsErrors() {}

    /// The exception for what the broker or the connection said.
    public static JMSException of(TransportException cause) {
        String message = cause.getMessage();
        // It may quote a name as long as a frame.
        String text = message == null ? cause.codeName() : Printable.message(message);
        String code = cause.codeName();
        JMSException error =
                switch (cause.code()) {
                    case INVALID_SELECTOR -> new InvalidSelectorException(text, code);
                    case INVALID_DESTINATION -> new InvalidDestinationException(text, code);
                    case AUTHENTICATION_FAILED, CREDENTIALS_EXPIRED, NOT_AUTHORIZED ->
                            new JMSSecurityException(text, code);
                    case CLIENT_ID_IN_USE -> new InvalidClientIDException(text, code);
                    case UNKNOWN_SUBSCRIPTION -> new InvalidDestinationException(text, code);
                    case SUBSCRIPTION_IN_USE, DESTINATION_IN_USE ->
                            new IllegalStateException(text, code);
                    case ROLLED_BACK -> new TransactionRolledBackException(text, code);
                    case LIMIT_EXCEEDED, FRAME_TOO_LARGE, STORE_UNAVAILABLE ->
                            new ResourceAllocationException(text, code);
                    default ->
                            cause.local() == null
                                    ? new JMSException(text, code)
                                    : ofLocal(cause.local(), text, code);
                };
        return withCause(error, text, cause.getCause());
    }

    /// The exception for a commit that may have taken effect or not.
    public static JMSException inDoubt(TransportException cause) {
        return cause.local() != null
                ? of(cause)
                : of(
                        new TransportException(
                                cause.code(),
                                "it is not known whether the transaction took effect: "
                                        + cause.getMessage()));
    }

    private static JMSException ofLocal(LocalFailure reason, String text, String code) {
        return switch (reason) {
            case SEND_BLOCKED -> new ResourceAllocationException(text, code);
            case TLS_FAILED -> new JMSSecurityException(text, code);
            default -> new JMSException(text, code);
        };
    }

    /// Adds a cause, unless the exception's text says all of it. An I/O error is told by its text;
    /// of any other the stack is of interest, too.
    private static JMSException withCause(
            JMSException error, String told, @Nullable Throwable cause) {
        if (cause != null) {
            String text = cause.getMessage();
            boolean isTold = text == null || told.contains(text);
            if (!isTold || !(cause instanceof IOException)) {
                error.initCause(cause);
            }
        }
        return error;
    }

    /// The exception for a wait that took too long.
    public static JMSException timedOut(String text) {
        return new JMSException(text, ErrorCodes.TIMED_OUT);
    }

    /// The exception for the acknowledgement of a message of a connection that is lost.
    public static IllegalStateException comesAgain() {
        return new IllegalStateException(
                "not acknowledged: the connection to the broker was lost after messages were"
                        + " received, and what was not acknowledged of these comes again, marked as"
                        + " redelivered",
                ErrorCodes.CONNECTION_LOST);
    }

    /// The exception for an acknowledgement whose answer is lost with the connection.
    public static IllegalStateException mayComeAgain(TransportException loss) {
        IllegalStateException failure =
                new IllegalStateException(
                        "the connection to the broker was lost before it confirmed the"
                                + " acknowledgement; if it did not get it, the messages come again,"
                                + " marked as redelivered: "
                                + loss.getMessage(),
                        ErrorCodes.CONNECTION_LOST);
        failure.setLinkedException(JmsErrors.of(loss));
        return failure;
    }

    /// The exception for an interrupted wait. Interrupts the thread again.
    ///
    /// @param activity what the thread was doing
    public static JMSException interrupted(String activity) {
        Thread.currentThread().interrupt();
        return new JMSException("interrupted while " + activity, ErrorCodes.INTERRUPTED);
    }

    /// The exception for the use of a closed object.
    public static IllegalStateException closed(String what) {
        return new IllegalStateException("the " + what + " is closed");
    }

    /// Something of the classic API that returns a value.
    public interface Call<T extends @Nullable Object> {
        T run() throws JMSException;
    }

    /// Something of the classic API that returns nothing.
    public interface Action {
        void run() throws JMSException;
    }

    /// Calls the classic API on behalf of the simplified one.
    public static <T extends @Nullable Object> T call(Call<T> call) {
        try {
            return call.run();
        } catch (JMSException e) {
            throw unchecked(e);
        }
    }

    /// Calls the classic API on behalf of the simplified one.
    public static void run(Action action) {
        try {
            action.run();
        } catch (JMSException e) {
            throw unchecked(e);
        }
    }

    /// The same exception for the simplified API, which declares none: with its text, code, cause
    /// and stack.
    public static JMSRuntimeException unchecked(JMSException failure) {
        JMSRuntimeException same = counterpart(failure, failure.getCause());
        same.setStackTrace(failure.getStackTrace());
        return same;
    }

    private static JMSRuntimeException counterpart(
            JMSException failure, @Nullable Throwable cause) {
        String text = failure.getMessage();
        String code = failure.getErrorCode();
        if (failure instanceof IllegalStateException) {
            return new IllegalStateRuntimeException(text, code, cause);
        }
        if (failure instanceof InvalidClientIDException) {
            return new InvalidClientIDRuntimeException(text, code, cause);
        }
        if (failure instanceof InvalidDestinationException) {
            return new InvalidDestinationRuntimeException(text, code, cause);
        }
        if (failure instanceof InvalidSelectorException) {
            return new InvalidSelectorRuntimeException(text, code, cause);
        }
        if (failure instanceof JMSSecurityException) {
            return new JMSSecurityRuntimeException(text, code, cause);
        }
        if (failure instanceof MessageFormatException) {
            return new MessageFormatRuntimeException(text, code, cause);
        }
        if (failure instanceof MessageNotWriteableException) {
            return new MessageNotWriteableRuntimeException(text, code, cause);
        }
        if (failure instanceof ResourceAllocationException) {
            return new ResourceAllocationRuntimeException(text, code, cause);
        }
        if (failure instanceof TransactionInProgressException) {
            return new TransactionInProgressRuntimeException(text, code, cause);
        }
        if (failure instanceof TransactionRolledBackException) {
            return new TransactionRolledBackRuntimeException(text, code, cause);
        }
        // Of a class without a counterpart, the class is what the cause tells.
        boolean plain = failure.getClass() == JMSException.class;
        return new JMSRuntimeException(text, code, plain ? cause : failure);
    }
}

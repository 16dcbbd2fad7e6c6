package winnow.client;

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
import org.jspecify.annotations.Nullable;
import winnow.client.transport.TransportException;

/// The one place where failures become the exceptions of the API. The error code of a JMSException
/// is the name of the protocol's code.
final class JmsErrors {
    private JmsErrors() {}

    /// The exception for what the broker or the connection said.
    static JMSException of(TransportException cause) {
        String text = cause.getMessage() == null ? cause.code().name() : cause.getMessage();
        String code = cause.code().name();
        JMSException error =
                switch (cause.code()) {
                    case INVALID_SELECTOR -> new InvalidSelectorException(text, code);
                    case INVALID_DESTINATION -> new InvalidDestinationException(text, code);
                    case AUTHENTICATION_FAILED, NOT_AUTHORIZED ->
                            new JMSSecurityException(text, code);
                    case CLIENT_ID_IN_USE -> new InvalidClientIDException(text, code);
                    case LIMIT_EXCEEDED, FRAME_TOO_LARGE ->
                            new ResourceAllocationException(text, code);
                    default -> new JMSException(text, code);
                };
        error.initCause(cause);
        return error;
    }

    /// The exception for something that the API offers and this version does not.
    static JMSException notSupported(String what) {
        return new JMSException("not supported yet by this version: " + what, "NOT_SUPPORTED");
    }

    /// The exception for the use of a closed object.
    static IllegalStateException closed(String what) {
        return new IllegalStateException("the " + what + " is closed");
    }

    /// Something of the classic API that returns a value.
    interface Call<T extends @Nullable Object> {
        T run() throws JMSException;
    }

    /// Something of the classic API that returns nothing.
    interface Action {
        void run() throws JMSException;
    }

    /// Calls the classic API on behalf of the simplified one.
    static <T extends @Nullable Object> T call(Call<T> call) {
        try {
            return call.run();
        } catch (JMSException e) {
            throw unchecked(e);
        }
    }

    /// Calls the classic API on behalf of the simplified one.
    static void run(Action action) {
        try {
            action.run();
        } catch (JMSException e) {
            throw unchecked(e);
        }
    }

    /// The same exception for the simplified API, which declares none.
    static JMSRuntimeException unchecked(JMSException cause) {
        String text = cause.getMessage();
        String code = cause.getErrorCode();
        if (cause instanceof IllegalStateException) {
            return new IllegalStateRuntimeException(text, code, cause);
        }
        if (cause instanceof InvalidClientIDException) {
            return new InvalidClientIDRuntimeException(text, code, cause);
        }
        if (cause instanceof InvalidDestinationException) {
            return new InvalidDestinationRuntimeException(text, code, cause);
        }
        if (cause instanceof InvalidSelectorException) {
            return new InvalidSelectorRuntimeException(text, code, cause);
        }
        if (cause instanceof JMSSecurityException) {
            return new JMSSecurityRuntimeException(text, code, cause);
        }
        if (cause instanceof MessageFormatException) {
            return new MessageFormatRuntimeException(text, code, cause);
        }
        if (cause instanceof MessageNotWriteableException) {
            return new MessageNotWriteableRuntimeException(text, code, cause);
        }
        if (cause instanceof ResourceAllocationException) {
            return new ResourceAllocationRuntimeException(text, code, cause);
        }
        return new JMSRuntimeException(text, code, cause);
    }
}

package winnow.loadgen.message;

import com.fasterxml.jackson.core.JsonProcessingException;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import java.io.PrintWriter;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import winnow.loadgen.option.OutputFormat;
import winnow.loadgen.option.ReceivedText;

/// The messages of a consumer as lines, one after the other. Used by one thread.
///
/// @param acknowledges whether a message is acknowledged when it is printed
/// @param timeout longest wait for a message, null to wait without limit
record Printing(
        MessageConsumer consumer,
        boolean acknowledges,
        @Nullable Duration timeout,
        OutputFormat format,
        PrintWriter out) {

    /// Nothing can be received or acknowledged any more.
    static final class LostException extends Exception {
        private static final long serialVersionUID = 1L;

        private final JMSException reason;

        private LostException(JMSException reason) {
            super(reason);
            this.reason = reason;
        }

        JMSException reason() {
            return reason;
        }
    }

    /// Prints until there are enough, none comes in time, or nobody reads them any more.
    ///
    /// @return how many it has printed
    /// @throws JMSException if a message cannot be read
    long run(long most) throws LostException, JMSException, JsonProcessingException {
        var printed = 0L;
        while (printed < most) {
            var message = next();
            if (message == null) {
                return printed;
            }
            out.println(
                    switch (format) {
                        case TEXT -> ReceivedText.text(message);
                        case JSON -> ReceivedText.json(message);
                    });
            printed++;
            if (out.checkError()) {
                // Who read the output has gone: "winnow sub TOPIC | head".
                return printed;
            }
            if (acknowledges) {
                acknowledge(message);
            }
        }
        return printed;
    }

    private @Nullable Message next() throws LostException {
        try {
            // A timeout of zero waits for ever.
            var message = consumer.receive(timeout == null ? 0 : timeout.toMillis());
            if (message == null && timeout == null) {
                throw new JMSException("the connection has ended");
            }
            return message;
        } catch (JMSException lost) {
            throw new LostException(lost);
        }
    }

    private static void acknowledge(Message message) throws LostException {
        try {
            message.acknowledge();
        } catch (IllegalStateException lostMeanwhile) {
            // The connection comes back, and the message with it; if not, the next receive fails.
        } catch (JMSException lost) {
            throw new LostException(lost);
        }
    }
}

package winnow.client.session;

import jakarta.jms.JMSException;
import jakarta.jms.MessageListener;
import jakarta.jms.Queue;
import java.util.LinkedHashSet;
import java.util.Set;
import org.slf4j.Logger;
import winnow.client.destination.WinnowDestination;
import winnow.client.log.ClientLog;
import winnow.client.message.WinnowMessage;

/// Calls the listener of a consumer, and tells in the log which messages it fails for: once for
/// each message, however often it comes again. Owned by the consumer's session.
final class ListenerFailures {
    /// Messages that fail in turn are not told anew as long as there are not more of them.
    private static final int MAX_TOLD = 100;

    private static final Logger LOG = ClientLog.of(ListenerFailures.class);

    private final String destination;
    private final Set<String> told = new LinkedHashSet<>();

    ListenerFailures(WinnowDestination destination) {
        String kind = destination instanceof Queue ? "queue " : "topic ";
        this.destination = kind + destination;
    }

    /// Whatever the listener throws is logged, and it leaves no interrupt to those after it.
    ///
    /// @return whether it returned normally
    boolean call(MessageListener listener, WinnowMessage message) {
        try {
            listener.onMessage(message);
            return true;
        } catch (Throwable e) {
            tell(message, e);
            return false;
        } finally {
            boolean unused = Thread.interrupted();
        }
    }

    private void tell(WinnowMessage message, Throwable cause) {
        String line = describe(message);
        if (isFirst(message)) {
            LOG.warn("{}; if it fails again, that is logged at level debug", line, cause);
        } else {
            LOG.debug(line, cause);
        }
    }

    /// True if the message has not failed before, as far as that is remembered.
    boolean isFirst(WinnowMessage message) {
        String id = id(message);
        if (!id.isEmpty() && !told.add(id)) {
            return false;
        }
        if (told.size() > MAX_TOLD) {
            told.remove(told.iterator().next());
        }
        return true;
    }

    String describe(WinnowMessage message) {
        String id = id(message);
        return "a message listener failed for message "
                + (id.isEmpty() ? "without an ID" : id)
                + " of "
                + destination
                + ", delivery "
                + Math.max(1, message.deliveryCount());
    }

    private static String id(WinnowMessage message) {
        try {
            String id = message.getJMSMessageID();
            return id == null ? "" : id;
        } catch (JMSException e) {
            LOG.debug("the message's ID cannot be read", e);
            return "";
        }
    }
}

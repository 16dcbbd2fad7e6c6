package winnow.client.session;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import java.util.Enumeration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import winnow.client.destination.WinnowQueue;
import winnow.client.error.JmsErrors;
import winnow.client.receive.ConsumerSpec;
import winnow.client.transport.endpoint.TransportException;

/// A browser of a queue. Each enumeration shows what waits in the queue when it is asked for. Used
/// by the session's thread; [#close] is safe from any thread.
final class WinnowBrowser implements QueueBrowser {
    private final WinnowSession session;
    private final ConsumerSpec spec;

    /// The enumerations that have not had all.
    private final List<BrowsedMessages> open = new CopyOnWriteArrayList<>();

    private volatile boolean closed;

    WinnowBrowser(WinnowSession session, ConsumerSpec spec) {
        this.session = session;
        this.spec = spec;
    }

    /// Asks the broker whether it would show the queue.
    ///
    /// @throws jakarta.jms.InvalidSelectorException if the selector is none
    /// @throws JMSException if the broker refuses, or the browser is closed meanwhile
    void check() throws JMSException {
        next().check();
    }

    private void requireOpen() throws JMSException {
        if (closed) {
            throw JmsErrors.closed("browser");
        }
    }

    @Override
    public Queue getQueue() throws JMSException {
        requireOpen();
        return (WinnowQueue) spec.destination();
    }

    @Override
    public @Nullable String getMessageSelector() throws JMSException {
        requireOpen();
        return spec.selector();
    }

    /// Messages that wait in the queue now. They are sent as they are read;
    /// [Enumeration#hasMoreElements] waits for them.
    @Override
    public Enumeration<Message> getEnumeration() throws JMSException {
        BrowsedMessages messages = next();
        messages.begin();
        return messages;
    }

    private BrowsedMessages next() throws JMSException {
        requireOpen();
        BrowsedMessages messages = new BrowsedMessages(session, spec, open::remove);
        open.add(messages);
        if (closed) {
            messages.close();
            requireOpen();
        }
        session.connection().link().requireNotEnded();
        return messages;
    }

    void onLost(TransportException cause) {
        open.forEach(messages -> messages.onLost(cause));
    }

    @Override
    public void close() {
        closed = true;
        session.forget(this);
        open.forEach(BrowsedMessages::close);
    }
}

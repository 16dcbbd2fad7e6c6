package winnow.client.session;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.Enumeration;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import winnow.client.error.JmsErrors;
import winnow.client.link.Current;
import winnow.client.message.MessageOrigin;
import winnow.client.message.WinnowMessage;
import winnow.client.option.ConnectionOptions;
import winnow.client.receive.ConsumerBuffer;
import winnow.client.receive.ConsumerSpec;
import winnow.client.receive.InboxOwner;
import winnow.client.receive.PrefetchWindow;
import winnow.client.transport.ConsumerTerms;
import winnow.client.transport.WireSubscription;
import winnow.client.transport.endpoint.TransportException;
import winnow.wire.ConsumerRole;
import winnow.wire.DeliveryRanges;

/// Messages that one browser shows: ends when the broker has shown all. Used by the session's
/// thread; [#close] is safe from any thread.
@SuppressWarnings("JdkObsolete") // what a browser returns is an Enumeration
final class BrowsedMessages implements Enumeration<Message> {
    private final WinnowSession session;
    private final ConsumerSpec spec;
    private final Consumer<BrowsedMessages> onEnd;
    private final PrefetchWindow window;
    private final ConsumerBuffer inbox;
    private @Nullable WinnowMessage next;

    /// Guarded by this object's lock, as is [#ended].
    private @Nullable WireSubscription subscription;

    private boolean ended;

    /// @param onEnd told once, when nothing more is shown
    BrowsedMessages(WinnowSession session, ConsumerSpec spec, Consumer<BrowsedMessages> onEnd) {
        this.session = session;
        this.spec = spec;
        this.onEnd = onEnd;
        ConnectionOptions options = session.connection().options();
        window = options.prefetchWindow(spec);
        inbox =
                new ConsumerBuffer(
                        origin(session.connection().link().now()),
                        session.connection().spillSpace(),
                        new ConsumerBuffer.Room(window, options.maxMessageBytes()),
                        new InboxOwner() {
                            @Override
                            public boolean isBrowsing() {
                                return true;
                            }
                        });
        inbox.started(true);
    }

    private MessageOrigin origin(Current now) {
        return new MessageOrigin(
                spec.destination(),
                now.wire().names(),
                session::acknowledge,
                session.connection().options().allowedClasses());
    }

    /// Asks the broker to show the queue.
    ///
    /// @throws JMSException if it refuses, or the session is closed
    void begin() throws JMSException {
        window.open();
        begin(window.messages(), window.bytes());
    }

    /// Asks the broker whether it would show the queue, and ends.
    ///
    /// @throws JMSException if it refuses, or the session is closed
    void check() throws JMSException {
        begin(0, 0);
        close();
    }

    private void begin(int creditMessages, int creditBytes) throws JMSException {
        boolean begun = false;
        try {
            begun =
                    session.connection()
                            .link()
                            .call(now -> {
                                ask(now, creditMessages, creditBytes).awaitAccepted();
                                return true;
                            });
        } finally {
            if (!begun) {
                close();
            }
        }
    }

    private synchronized WireSubscription ask(Current now, int creditMessages, int creditBytes)
            throws JMSException, TransportException {
        if (ended) {
            throw JmsErrors.closed("browser");
        }
        inbox.origin(origin(now));
        ConsumerTerms terms =
                new ConsumerTerms(
                        ConsumerRole.BROWSER,
                        spec.source(),
                        spec.subscription(),
                        false,
                        creditMessages,
                        creditBytes);
        WireSubscription asked =
                session.channel().open(now).consume(terms, inbox, () -> DeliveryRanges.NONE);
        subscription = asked;
        return asked;
    }

    /// Waits for the next message, or for the end.
    ///
    /// @throws jakarta.jms.JMSRuntimeException if the connection is lost
    @Override
    public boolean hasMoreElements() {
        if (next == null) {
            next = JmsErrors.call(this::take);
            if (next == null) {
                close();
            }
        }
        return next != null;
    }

    private @Nullable WinnowMessage take() throws JMSException {
        while (true) {
            WinnowMessage message = inbox.take(-1);
            if (message == null) {
                return null;
            }
            grant(message.frameBytes());
            if (!message.isExpiredAt(System.currentTimeMillis())) {
                return message;
            }
        }
    }

    private synchronized void grant(int bytes) {
        window.onConsumed(bytes);
        if (window.isGrantDue() && subscription != null && !ended) {
            subscription.grant(window.consumedMessages(), window.consumedBytes());
            window.onGranted();
        }
    }

    @Override
    public Message nextElement() {
        if (!hasMoreElements()) {
            throw new NoSuchElementException("the browser has shown all messages");
        }
        WinnowMessage shown = next;
        next = null;
        if (shown == null) {
            throw new NoSuchElementException("the browser is closed");
        }
        return shown;
    }

    void onLost(TransportException cause) {
        inbox.onLost(cause);
    }

    /// Ends it. Does nothing the second time.
    void close() {
        WireSubscription left;
        synchronized (this) {
            if (ended) {
                return;
            }
            ended = true;
            left = subscription;
        }
        inbox.close();
        onEnd.accept(this);
        if (left != null) {
            session.connection().link().wire().awaitEnds(List.of(left.end()));
        }
    }
}

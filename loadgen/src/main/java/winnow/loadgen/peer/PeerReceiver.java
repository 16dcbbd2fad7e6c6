package winnow.loadgen.peer;

import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import winnow.loadgen.worker.Provider;

/// Acknowledges each message by an empty one to the destination that it names, which says who has
/// received which message. Opened and closed by the run's thread, called by the provider's.
final class PeerReceiver implements MessageListener, AutoCloseable {

    /// Property of an acknowledgement.
    static final String RECEIVER = "receiver";

    private final AtomicReference<@Nullable Exception> failure;
    private final Connection connection;
    private final Session session;
    private final int number;
    private final int mode;
    private @Nullable MessageProducer acknowledging;

    /// @param number of this receiver, from 0
    /// @param failure gets the first one
    PeerReceiver(
            Provider provider,
            Address address,
            int number,
            boolean persistent,
            AtomicReference<@Nullable Exception> failure)
            throws JMSException {
        this.failure = failure;
        this.number = number;
        connection = provider.connectMeasured();
        connection.setExceptionListener(this::fail);
        session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
        mode = persistent ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT;
        session.createConsumer(address.in(session)).setMessageListener(this);
        connection.start();
    }

    /// Finds where messages come from.
    @FunctionalInterface
    interface Address {
        Destination in(Session session) throws JMSException;
    }

    @Override
    public void onMessage(Message message) {
        try {
            var producer = acknowledging;
            if (producer == null) {
                producer = session.createProducer(message.getJMSReplyTo());
                producer.setDeliveryMode(mode);
                acknowledging = producer;
            }
            var acknowledgement = session.createMessage();
            acknowledgement.setJMSCorrelationID(message.getJMSMessageID());
            acknowledgement.setIntProperty(RECEIVER, number);
            producer.send(acknowledgement);
        } catch (JMSException | RuntimeException failed) {
            fail(failed);
        }
    }

    private void fail(Exception failed) {
        failure.compareAndSet(null, failed);
    }

    @Override
    public void close() throws JMSException {
        connection.close();
    }
}

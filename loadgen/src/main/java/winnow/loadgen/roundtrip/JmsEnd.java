package winnow.loadgen.roundtrip;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import winnow.loadgen.run.LoadException;

/// A connection to a broker with one producer and one consumer.
///
/// The producer's side sends one message over and over and reads the bodies that come back. The
/// reflector's side sends back the message that it has received, as it is.
final class JmsEnd implements End {

    private final Connection connection;
    private final Session session;
    private final MessageProducer producer;
    private final MessageConsumer consumer;
    private final @Nullable Destination replyTo;
    private final boolean reflects;
    private byte[] payload = {};
    private @Nullable Message message;

    private JmsEnd(
            Connection connection,
            Session session,
            MessageProducer producer,
            MessageConsumer consumer,
            @Nullable Destination replyTo,
            boolean reflects) {
        this.connection = connection;
        this.session = session;
        this.producer = producer;
        this.consumer = consumer;
        this.replyTo = replyTo;
        this.reflects = reflects;
    }

    /// The producer's side. Takes the connection.
    static JmsEnd near(Connection connection, Layer layer, String name) throws JMSException {
        return opened(
                connection,
                session -> {
                    var replies =
                            layer == Layer.REQUEST
                                    ? session.createTemporaryQueue()
                                    : destination(session, layer, name + ".pong");
                    var producer =
                            session.createProducer(destination(session, layer, name + ".ping"));
                    return new JmsEnd(
                            connection,
                            session,
                            inMode(producer, layer),
                            session.createConsumer(replies),
                            layer == Layer.REQUEST ? replies : null,
                            false);
                });
    }

    /// The reflector's side. Takes the connection.
    static JmsEnd far(Connection connection, Layer layer, String name) throws JMSException {
        return opened(
                connection,
                session -> {
                    // Requests say where their replies go.
                    var target =
                            layer == Layer.REQUEST
                                    ? null
                                    : destination(session, layer, name + ".pong");
                    return new JmsEnd(
                            connection,
                            session,
                            inMode(session.createProducer(target), layer),
                            session.createConsumer(destination(session, layer, name + ".ping")),
                            null,
                            true);
                });
    }

    private interface Opening {
        JmsEnd open(Session session) throws JMSException;
    }

    private static JmsEnd opened(Connection connection, Opening opening) throws JMSException {
        try {
            var end = opening.open(connection.createSession(false, Session.AUTO_ACKNOWLEDGE));
            connection.start();
            return end;
        } catch (JMSException | RuntimeException failed) {
            connection.close();
            throw failed;
        }
    }

    private static Destination destination(Session session, Layer layer, String name)
            throws JMSException {
        return layer == Layer.TOPIC ? session.createTopic(name) : session.createQueue(name);
    }

    private static MessageProducer inMode(MessageProducer producer, Layer layer)
            throws JMSException {
        producer.setDeliveryMode(
                layer == Layer.STORED ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT);
        return producer;
    }

    @Override
    public void prepare(int bytes) throws JMSException {
        payload = new byte[bytes];
        if (!reflects) {
            var made = session.createBytesMessage();
            made.writeBytes(payload);
            made.setJMSReplyTo(replyTo);
            message = made;
        }
    }

    @Override
    public void send() throws JMSException {
        var sent = Objects.requireNonNull(message);
        if (producer.getDestination() == null) {
            producer.send(sent.getJMSReplyTo(), sent);
        } else {
            producer.send(sent);
        }
    }

    @Override
    public void receive() throws JMSException, LoadException {
        if (!(consumer.receive(SocketSettings.PATIENCE_MILLIS) instanceof BytesMessage received)) {
            throw new LoadException(
                    "expected a message within %d s, found none"
                            .formatted(SocketSettings.PATIENCE_MILLIS / 1_000));
        }
        var size = reflects ? received.getBodyLength() : received.readBytes(payload);
        if (size != payload.length) {
            throw new LoadException(
                    "expected a message of %,d bytes, found %,d".formatted(payload.length, size));
        }
        if (reflects) {
            message = received;
        }
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (JMSException lost) {
            // It was lost before, which whoever used it has been told.
        }
    }
}

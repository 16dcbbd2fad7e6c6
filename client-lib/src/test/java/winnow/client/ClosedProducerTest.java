package winnow.client;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.Destination;
import jakarta.jms.IllegalStateException;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSProducer;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.QueueSender;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import jakarta.jms.TopicPublisher;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A closed producer says that it is closed, whatever else is wrong with the call (Jakarta
/// Messaging 3.1, 6.1.8 and 7.6). The arguments here are all wrong.
@NullUnmarked
class ClosedProducerTest {
    private static final int BAD = -7;
    private static final Message NO_MESSAGE = null;
    private static final CompletionListener NO_LISTENER = null;
    private static final Destination NOWHERE = null;

    private ScriptedBroker broker;
    private Connection connection;
    private Session session;

    @BeforeEach
    void connect() throws Exception {
        broker = new ScriptedBroker(500, 0);
        connection = broker.factory().createConnection();
        session = connection.createSession();
    }

    @AfterEach
    void disconnect() throws Exception {
        connection.close();
        broker.close();
    }

    @Test
    void shouldSayFirstThatItIsClosed() throws Exception {
        // given
        Topic topic = session.createTopic("prices");
        MessageProducer own = session.createProducer(topic);
        MessageProducer any = session.createProducer(null);

        // when
        own.close();
        own.close();
        any.close();

        // then
        for (MessageProducer closed : List.of(own, any)) {
            requireClosed(sends(closed));
            requireClosed(typedSends(closed));
            requireClosed(settings(closed));
        }
    }

    private static void requireClosed(List<ThrowingCallable> calls) {
        for (int i = 0; i < calls.size(); i++) {
            assertThatThrownBy(calls.get(i))
                    .as("call " + i)
                    .isInstanceOf(IllegalStateException.class);
        }
    }

    private static List<ThrowingCallable> sends(MessageProducer closed) {
        return List.of(
                () -> closed.send(NO_MESSAGE),
                () -> closed.send(NO_MESSAGE, BAD, BAD, BAD),
                () -> closed.send(NOWHERE, NO_MESSAGE),
                () -> closed.send(NOWHERE, NO_MESSAGE, BAD, BAD, BAD),
                () -> closed.send(NO_MESSAGE, NO_LISTENER),
                () -> closed.send(NO_MESSAGE, BAD, BAD, BAD, NO_LISTENER),
                () -> closed.send(NOWHERE, NO_MESSAGE, NO_LISTENER),
                () -> closed.send(NOWHERE, NO_MESSAGE, BAD, BAD, BAD, NO_LISTENER));
    }

    private static List<ThrowingCallable> typedSends(MessageProducer closed) {
        TopicPublisher publisher = (TopicPublisher) closed;
        QueueSender sender = (QueueSender) closed;
        return List.of(
                () -> publisher.publish(NO_MESSAGE),
                () -> publisher.publish(NO_MESSAGE, BAD, BAD, BAD),
                () -> publisher.publish((Topic) null, NO_MESSAGE),
                () -> publisher.publish((Topic) null, NO_MESSAGE, BAD, BAD, BAD),
                publisher::getTopic,
                () -> sender.send((Queue) null, NO_MESSAGE),
                () -> sender.send((Queue) null, NO_MESSAGE, BAD, BAD, BAD),
                sender::getQueue);
    }

    private static List<ThrowingCallable> settings(MessageProducer closed) {
        return List.of(
                closed::getDestination,
                () -> closed.setDisableMessageID(true),
                closed::getDisableMessageID,
                () -> closed.setDisableMessageTimestamp(true),
                closed::getDisableMessageTimestamp,
                () -> closed.setDeliveryMode(BAD),
                closed::getDeliveryMode,
                () -> closed.setPriority(BAD),
                closed::getPriority,
                () -> closed.setTimeToLive(BAD),
                closed::getTimeToLive,
                () -> closed.setDeliveryDelay(BAD),
                closed::getDeliveryDelay);
    }

    @Test
    void shouldSayFirstThatItsContextIsClosed() {
        // given
        JMSContext context = broker.factory().createContext();
        JMSProducer producer = context.createProducer();

        // when
        context.close();

        // then
        List<Runnable> calls =
                List.of(
                        () -> producer.send(NOWHERE, NO_MESSAGE),
                        () -> producer.send(NOWHERE, "text"),
                        () -> producer.send(NOWHERE, Map.of("", 'x')),
                        () -> producer.send(NOWHERE, new byte[1]),
                        () -> producer.send(NOWHERE, (Serializable) 5),
                        () -> producer.setPriority(BAD),
                        producer::getPriority);
        for (Runnable call : calls) {
            assertThatThrownBy(call::run).isInstanceOf(IllegalStateRuntimeException.class);
        }
    }
}

package winnow.tests.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static winnow.tests.jms.JmsBroker.receive;

import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Messages of a high priority go past what a consumer was sent ahead.
class PriorityTest {
    private static final int WINDOW = 500;

    private JmsBroker broker;
    private Connection connection;
    private Session session;
    private Session sending;
    private MessageProducer producer;

    @BeforeEach
    void connect() throws IOException, JMSException {
        broker = new JmsBroker();
        connection = broker.connect("?queuePrefetchMessages=" + WINDOW);
        session = connection.createSession();
        sending = broker.connect().createSession();
        producer = sending.createProducer(null);
    }

    @AfterEach
    void close() {
        broker.close();
    }

    private void send(Destination destination, int count, int priority) throws JMSException {
        for (int i = 0; i < count; i++) {
            producer.send(
                    destination, sending.createMessage(), DeliveryMode.NON_PERSISTENT, priority, 0);
        }
        sending.createConsumer(sending.createQueue("empty")).receiveNoWait();
    }

    /// All has come to the connection that was sent.
    private void awaitArrival() throws JMSException {
        MessageConsumer other =
                connection.createSession().createConsumer(session.createQueue("empty"));
        assertThat(other.receiveNoWait()).isNull();
    }

    private static List<Integer> priorities(MessageConsumer consumer, int count)
            throws JMSException {
        List<Integer> priorities = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            priorities.add(receive(consumer).getJMSPriority());
        }
        return priorities;
    }

    @Test
    void shouldDeliverTheMoreImportantFirstThoughOthersWereSentAhead() throws Exception {
        // given
        Destination queue = session.createQueue("orders");
        MessageConsumer consumer = session.createConsumer(queue);
        send(queue, 10, 4);
        awaitArrival();
        assertThat(receive(consumer).getJMSPriority()).isEqualTo(4);

        // when
        send(queue, 1, 9);
        send(queue, 1, 0);
        send(queue, 2, 5);
        awaitArrival();

        // then
        assertThat(priorities(consumer, 4)).containsExactly(9, 5, 5, 4);
        assertThat(priorities(consumer, 9)).containsExactly(4, 4, 4, 4, 4, 4, 4, 4, 0);
    }

    @Test
    void shouldLetImportantMessagesPassAFullWindow() throws Exception {
        // given
        Destination queue = session.createQueue("orders");
        MessageConsumer consumer = session.createConsumer(queue);
        send(queue, 2 * WINDOW, 4);
        awaitArrival();
        assertThat(receive(consumer).getJMSPriority()).isEqualTo(4);

        for (int i = 0; i < 100; i++) {
            // when
            send(queue, 1, 9);
            awaitArrival();

            // then
            assertThat(receive(consumer).getJMSPriority()).as("message %d", i).isEqualTo(9);
        }
        assertThat(priorities(consumer, 2 * WINDOW - 1))
                .containsExactlyElementsOf(
                        IntStream.range(0, 2 * WINDOW - 1).mapToObj(i -> 4).toList());
        assertThat(consumer.receiveNoWait()).isNull();
    }

    @Test
    void shouldOrderWhatWasSentAheadOfATopic() throws Exception {
        // given
        Destination topic = session.createTopic("news");
        MessageConsumer consumer = session.createConsumer(topic);

        // when
        send(topic, 3, 4);
        send(topic, 1, 9);
        send(topic, 1, 1);
        awaitArrival();

        // then
        assertThat(priorities(consumer, 5)).containsExactly(9, 4, 4, 4, 1);
    }
}

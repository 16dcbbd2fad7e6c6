package winnow.tests.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static winnow.tests.jms.JmsBroker.DEADLINE_MILLIS;
import static winnow.tests.jms.JmsBroker.receive;
import static winnow.tests.jms.JmsBroker.text;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.Session;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Sessions that leave much unacknowledged: they go on, or are told why not.
class UnacknowledgedTest {
    private static final int COUNT = 50;
    private static final String SMALL = "?prefetchBytes=2000000&maxUnacknowledgedBytes=1000000";

    private JmsBroker broker;
    private Session sending;

    @BeforeEach
    void connect() throws IOException, JMSException {
        broker = new JmsBroker(Map.of("queue.max-unacknowledged", "100"));
        sending = broker.connect().createSession();
    }

    @AfterEach
    void close() {
        broker.close();
    }

    /// Sends in a thread of its own, because the consumer may hold the producer up.
    private void send(Destination destination, int count, int bytes) {
        Thread sender =
                new Thread(() -> {
                    try {
                        sendAll(destination, count, bytes);
                    } catch (JMSException e) {
                        // The broker of the test is gone, or the consumer takes nothing more.
                    }
                });
        sender.setDaemon(true);
        sender.start();
    }

    private void sendAll(Destination destination, int count, int bytes) throws JMSException {
        MessageProducer producer = sending.createProducer(destination);
        producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
        for (int i = 0; i < count; i++) {
            BytesMessage message = sending.createBytesMessage();
            message.writeBytes(new byte[bytes]);
            message.setIntProperty("n", i);
            producer.send(message);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {Session.CLIENT_ACKNOWLEDGE, Session.SESSION_TRANSACTED})
    void shouldGoOnThoughMuchOfATopicIsNotAcknowledged(int mode) throws Exception {
        // given
        Session session = broker.connect("?maxUnacknowledgedBytes=20000000").createSession(mode);
        MessageConsumer consumer = session.createConsumer(session.createTopic("news"));

        // when
        send(sending.createTopic("news"), COUNT, 100_000);

        // then
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < COUNT; i++) {
                Message message = receive(consumer);
                assertThat(message.getIntProperty("n")).isEqualTo(i);
                assertThat(message.getJMSRedelivered()).isEqualTo(round > 0);
            }
            if (round == 0 && mode == Session.SESSION_TRANSACTED) {
                session.rollback();
            } else if (round == 0) {
                session.recover();
            }
        }
    }

    @Test
    void shouldNameTheLimitOfATopicsMessages() throws Exception {
        // given
        Session session = broker.connect(SMALL).createSession(Session.SESSION_TRANSACTED);
        MessageConsumer consumer = session.createConsumer(session.createTopic("news"));
        send(sending.createTopic("news"), COUNT, 100_000);

        // when, then
        assertThatThrownBy(
                        () -> {
                            while (true) {
                                receive(consumer);
                            }
                        })
                .isInstanceOf(ResourceAllocationException.class)
                .hasMessageContaining("maxUnacknowledgedBytes");
        session.rollback();
        for (int i = 0; i < 10; i++) {
            assertThat(receive(consumer).getIntProperty("n")).isEqualTo(i);
        }
        session.commit();
        for (int i = 10; i < 20; i++) {
            assertThat(receive(consumer).getIntProperty("n")).isEqualTo(i);
        }
    }

    @Test
    void shouldTellTheExceptionListenerOfTheLimitOfATopic() throws Exception {
        // given
        Connection connection = broker.connect(SMALL);
        CompletableFuture<JMSException> told = new CompletableFuture<>();
        connection.setExceptionListener(told::complete);
        Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        session.createConsumer(session.createTopic("news")).setMessageListener(message -> {});

        // when
        send(sending.createTopic("news"), COUNT, 100_000);

        // then
        assertThat(told.get(DEADLINE_MILLIS, TimeUnit.MILLISECONDS))
                .hasMessageContaining("maxUnacknowledgedBytes");
    }

    @ParameterizedTest
    @ValueSource(ints = {Session.CLIENT_ACKNOWLEDGE, Session.SESSION_TRANSACTED})
    void shouldNameTheLimitOfAQueuesMessages(int mode) throws Exception {
        // given
        Session session = broker.connect().createSession(mode);
        MessageConsumer consumer = session.createConsumer(session.createQueue("orders"));
        send(sending.createQueue("orders"), 200, 1);

        // when, then
        for (int i = 0; i < 100; i++) {
            assertThat(receive(consumer).getIntProperty("n")).isEqualTo(i);
        }
        assertThatThrownBy(() -> consumer.receive())
                .isInstanceOf(ResourceAllocationException.class)
                .hasMessageContaining("queue.max-unacknowledged");
        if (mode == Session.SESSION_TRANSACTED) {
            session.commit();
        } else {
            session.recover();
        }
        assertThat(receive(consumer).getIntProperty("n"))
                .isEqualTo(mode == Session.SESSION_TRANSACTED ? 100 : 0);
    }

    @Test
    void shouldTellTheExceptionListenerOfTheLimitOfAQueue() throws Exception {
        // given
        Connection connection = broker.connect();
        CompletableFuture<JMSException> told = new CompletableFuture<>();
        connection.setExceptionListener(told::complete);
        Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        session.createConsumer(session.createQueue("orders")).setMessageListener(message -> {});

        // when
        send(sending.createQueue("orders"), 200, 1);

        // then
        assertThat(told.get(DEADLINE_MILLIS, TimeUnit.MILLISECONDS))
                .hasMessageContaining("queue.max-unacknowledged");
    }

    @Test
    void shouldGiveTheMemoryBackWhenASessionIsClosed() throws Exception {
        // given
        Connection connection = broker.connect("?maxUnacknowledgedBytes=3000000");
        for (int round = 0; round < 4; round++) {
            Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
            MessageConsumer consumer = session.createConsumer(session.createTopic("news"));

            // when
            send(sending.createTopic("news"), 25, 100_000);

            // then
            for (int i = 0; i < 25; i++) {
                assertThat(receive(consumer).getIntProperty("n")).isEqualTo(i);
            }
            session.close();
        }
        Session last = connection.createSession();
        MessageConsumer consumer = last.createConsumer(last.createQueue("orders"));
        sending.createProducer(sending.createQueue("orders")).send(sending.createTextMessage("x"));
        assertThat(text(consumer)).isEqualTo("x");
    }
}

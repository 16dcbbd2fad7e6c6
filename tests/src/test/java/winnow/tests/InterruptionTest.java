package winnow.tests;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import winnow.client.WinnowConnectionFactory;

/// Threads that are interrupted while they wait for a real broker.
class InterruptionTest {
    private static final int ROUNDS = 50;
    private static final int MESSAGES = 2_000;

    private RunningBroker broker;
    private Connection connection;
    private Session session;
    private Topic topic;
    private MessageProducer producer;

    @BeforeEach
    void connect() throws Exception {
        broker =
                new RunningBroker(
                        Map.of(
                                "subscription.buffer", "8KiB",
                                "destination.slow-consumers", "*=block"));
        connection = new WinnowConnectionFactory(broker.url()).createConnection();
        connection.start();
        session = connection.createSession();
        topic = session.createTopic("flooded");
        producer = session.createProducer(topic);
        producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
    }

    @AfterEach
    void disconnect() throws Exception {
        connection.close();
        broker.close();
    }

    @Test
    void shouldLeaveNoSubscriptionBehind() throws Exception {
        for (String selector : new String[] {null, "price > 3"}) {
            // given
            Thread.currentThread().interrupt();
            createInterrupted(selector);
            assertThat(Thread.interrupted()).isTrue();

            // when
            try (MessageConsumer next = session.createConsumer(topic, selector)) {
                // then
                assertThat(next).isNotNull();
            }
        }
        for (int i = 0; i < MESSAGES; i++) {
            producer.send(session.createTextMessage("x".repeat(1000)));
        }
    }

    /// The broker's answer may come before the thread begins to wait for it.
    private void createInterrupted(@Nullable String selector) {
        try {
            session.createConsumer(topic, selector).close();
        } catch (JMSException e) {
            assertThat(e).hasMessageContaining("interrupted");
        }
    }

    @Test
    void shouldKeepMessagesAwayFromTheNextConsumer() throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            // given
            MessageConsumer flooded = session.createConsumer(topic);
            for (int sent = 0; sent < 100; sent++) {
                producer.send(session.createTextMessage("for flooded"));
            }
            Thread.currentThread().interrupt();
            flooded.close();
            assertThat(Thread.interrupted()).isTrue();

            // when
            try (MessageConsumer quiet = session.createConsumer(session.createTopic("quiet"))) {
                // then
                assertThat(quiet.receive(5)).isNull();
            }
        }
    }
}

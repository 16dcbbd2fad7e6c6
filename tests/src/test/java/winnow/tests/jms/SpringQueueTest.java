package winnow.tests.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static winnow.tests.jms.JmsBroker.DEADLINE_MILLIS;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jms.connection.CachingConnectionFactory;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.jms.listener.DefaultMessageListenerContainer;
import org.springframework.jms.listener.adapter.MessageListenerAdapter;

/// Spring's defaults: queues, transacted listeners, and replies to temporary queues.
class SpringQueueTest {
    private JmsBroker broker;
    private CachingConnectionFactory connections;
    private JmsTemplate template;

    @BeforeEach
    void start() throws IOException {
        broker = new JmsBroker();
        connections = new CachingConnectionFactory(broker.factory(""));
        template = new JmsTemplate(connections);
        template.setReceiveTimeout(DEADLINE_MILLIS);
    }

    @AfterEach
    void stop() {
        connections.destroy();
        broker.close();
    }

    private DefaultMessageListenerContainer container(Object listener, boolean transacted) {
        DefaultMessageListenerContainer container = new DefaultMessageListenerContainer();
        container.setConnectionFactory(connections);
        container.setSessionTransacted(transacted);
        container.setConcurrentConsumers(2);
        container.setDestinationName("orders");
        container.setMessageListener(listener);
        container.afterPropertiesSet();
        container.start();
        return container;
    }

    @Test
    void shouldSendAndReceiveByATemplate() {
        // given
        template.convertAndSend("orders", "a");
        template.convertAndSend("orders", "b");

        // when
        List<Object> received =
                List.of(template.receiveAndConvert("orders"), template.receiveAndConvert("orders"));

        // then
        assertThat(received).containsExactly("a", "b");
    }

    @Test
    void shouldSendAndReceiveByATransactedTemplate() {
        // given
        template.setSessionTransacted(true);
        template.convertAndSend("orders", "a");

        // when
        Object received = template.receiveAndConvert("orders");

        // then
        assertThat(received).isEqualTo("a");
    }

    @Test
    void shouldAnswerARequest() throws Exception {
        // given
        MessageListenerAdapter answering = new MessageListenerAdapter(new Exclaiming());
        answering.setDefaultListenerMethod("answer");
        DefaultMessageListenerContainer container = container(answering, true);
        try {
            // when
            Message reply =
                    template.sendAndReceive("orders", session -> session.createTextMessage("who"));

            // then
            assertThat(Objects.requireNonNull(reply).getBody(String.class)).isEqualTo("who!");
        } finally {
            container.shutdown();
        }
    }

    /// Called by Spring for the text of each message.
    public static final class Exclaiming {
        /// The answer to a text.
        public String answer(String text) {
            return text + "!";
        }
    }

    @Test
    void shouldBringAMessageAgainWhoseTransactedListenerFailed() throws Exception {
        // given
        BlockingQueue<Integer> counts = new LinkedBlockingQueue<>();
        MessageListener failing =
                message -> {
                    int count = count(message);
                    counts.add(count);
                    if (count < 3) {
                        throw new IllegalArgumentException("a test's failure");
                    }
                };
        DefaultMessageListenerContainer container = container(failing, true);
        try {
            // when
            template.convertAndSend("orders", "a");

            // then
            for (int expected = 1; expected <= 3; expected++) {
                assertThat(counts.poll(DEADLINE_MILLIS, TimeUnit.MILLISECONDS)).isEqualTo(expected);
            }
        } finally {
            container.shutdown();
        }
        template.setReceiveTimeout(JmsBroker.SILENCE_MILLIS);
        assertThat(template.receive("orders")).isNull();
    }

    @Test
    void shouldServeATransactedListenerOfATopic() throws Exception {
        // given
        BlockingQueue<String> received = new LinkedBlockingQueue<>();
        DefaultMessageListenerContainer container = new DefaultMessageListenerContainer();
        container.setConnectionFactory(connections);
        container.setSessionTransacted(true);
        container.setPubSubDomain(true);
        container.setDestinationName("prices");
        container.setMessageListener(
                (MessageListener)
                        message -> {
                            received.add("delivery " + count(message));
                            if (count(message) == 1) {
                                throw new IllegalArgumentException("a test's failure");
                            }
                        });
        container.afterPropertiesSet();
        container.start();
        try {
            while (!container.isRegisteredWithDestination()) {
                Thread.onSpinWait();
            }

            // when
            template.setPubSubDomain(true);
            template.convertAndSend("prices", "a");

            // then
            assertThat(received.poll(DEADLINE_MILLIS, TimeUnit.MILLISECONDS))
                    .isEqualTo("delivery 1");
            assertThat(received.poll(DEADLINE_MILLIS, TimeUnit.MILLISECONDS))
                    .isEqualTo("delivery 2");
        } finally {
            container.shutdown();
        }
    }

    private static int count(Message message) {
        try {
            return message.getIntProperty("JMSXDeliveryCount");
        } catch (JMSException e) {
            throw new AssertionError(e);
        }
    }
}

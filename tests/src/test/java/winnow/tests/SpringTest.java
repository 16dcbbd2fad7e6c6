package winnow.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jms.InvalidSelectorException;
import org.springframework.jms.JmsException;
import org.springframework.jms.connection.CachingConnectionFactory;
import org.springframework.jms.connection.DelegatingConnectionFactory;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.jms.listener.DefaultMessageListenerContainer;
import winnow.client.WinnowConnectionFactory;

/// Drives broker and client as an application with Spring's JMS support does.
class SpringTest {
    private RunningBroker broker;
    private CachingConnectionFactory connections;
    private JmsTemplate template;

    @BeforeEach
    void start() throws IOException {
        broker = new RunningBroker(Map.of());
        connections = new CachingConnectionFactory(new WinnowConnectionFactory(broker.url()));
        template = new JmsTemplate(connections);
        template.setPubSubDomain(true);
        template.setReceiveTimeout(10_000);
    }

    @AfterEach
    void stop() {
        connections.destroy();
        broker.close();
    }

    @Test
    void shouldBringMessagesOfATemplateToListenerContainers() throws Exception {
        // given
        BlockingQueue<Message> all = new LinkedBlockingQueue<>();
        BlockingQueue<Message> europe = new LinkedBlockingQueue<>();
        DefaultMessageListenerContainer first = container("prices", "", all);
        DefaultMessageListenerContainer second = container("prices", "region = 'EU'", europe);
        try {
            // when
            for (String region : List.of("EU", "US", "EU")) {
                template.convertAndSend(
                        "prices",
                        "price in " + region,
                        message -> {
                            message.setStringProperty("region", region);
                            return message;
                        });
            }

            // then
            assertThat(texts(all, 3)).containsExactly("price in EU", "price in US", "price in EU");
            assertThat(texts(europe, 2)).containsExactly("price in EU", "price in EU");
            assertThat(europe).isEmpty();
        } finally {
            first.shutdown();
            second.shutdown();
        }
    }

    @Test
    void shouldFilterByTheCorrelationIdOfTheDestination() throws Exception {
        // given
        BlockingQueue<Message> some = new LinkedBlockingQueue<>();
        DefaultMessageListenerContainer container = container("t?correlationId=[#7;#13]", "", some);
        try {
            // when
            for (int i = 5; i < 16; i++) {
                String correlationId = "#" + i;
                template.convertAndSend(
                        "t",
                        "m" + i,
                        message -> {
                            message.setJMSCorrelationID(correlationId);
                            return message;
                        });
            }

            // then
            assertThat(texts(some, 7))
                    .containsExactly("m7", "m8", "m9", "m10", "m11", "m12", "m13");
        } finally {
            container.shutdown();
        }
    }

    @Test
    void shouldReceiveBrowseFreeWithATemplate() throws Exception {
        // given a template that waits on a thread of its own
        BlockingQueue<Object> answers = new LinkedBlockingQueue<>();
        Thread receiver =
                Thread.ofVirtual()
                        .start(() -> answers.add(template.receiveSelectedAndConvert("t", "n = 7")));

        // when the message is sent until the subscription is there
        while (answers.isEmpty() && receiver.isAlive()) {
            template.convertAndSend(
                    "t",
                    Map.of("a", 1, "b", "two"),
                    message -> {
                        message.setIntProperty("n", 7);
                        return message;
                    });
        }
        receiver.join();

        // then
        assertThat(answers.poll(1, TimeUnit.SECONDS)).isEqualTo(Map.of("a", 1, "b", "two"));
    }

    @Test
    void shouldTellABadSelectorByItsPlace() {
        assertThatThrownBy(() -> template.receiveSelected("t", "price >"))
                .isInstanceOf(InvalidSelectorException.class)
                .hasMessageContaining("column");
    }

    @Test
    void shouldDeliverAgainWhatAListenerFailedWithIfItAcknowledgesAsClient() throws Exception {
        // given listeners that fail with their first message
        BlockingQueue<String> automatic = new LinkedBlockingQueue<>();
        BlockingQueue<String> byClient = new LinkedBlockingQueue<>();
        DefaultMessageListenerContainer first =
                container("t", "", failingOnce(automatic), Session.AUTO_ACKNOWLEDGE);
        DefaultMessageListenerContainer second =
                container("t", "", failingOnce(byClient), Session.CLIENT_ACKNOWLEDGE);
        try {
            // when
            template.convertAndSend("t", "one");
            template.convertAndSend("t", "two");

            // then
            assertThat(next(byClient, 3)).containsExactly("one", "one", "two");
            assertThat(next(automatic, 2)).containsExactly("one", "two");
            assertThat(automatic).isEmpty();
        } finally {
            first.shutdown();
            second.shutdown();
        }
    }

    private static MessageListener failingOnce(BlockingQueue<String> received) {
        AtomicBoolean failed = new AtomicBoolean();
        return message -> {
            try {
                received.add(message.getBody(String.class));
            } catch (JMSException e) {
                throw new IllegalStateException(e);
            }
            if (!failed.getAndSet(true)) {
                throw new IllegalStateException("the listener fails once");
            }
        };
    }

    private static List<String> next(BlockingQueue<String> from, int count) throws Exception {
        List<String> found = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            found.add(from.poll(20, TimeUnit.SECONDS));
        }
        return found;
    }

    @Test
    void shouldOpenAConnectionForEachSendWithoutACache() {
        // given
        AtomicInteger opened = new AtomicInteger();
        DelegatingConnectionFactory counting =
                new DelegatingConnectionFactory() {
                    @Override
                    public Connection createConnection() throws JMSException {
                        opened.incrementAndGet();
                        return super.createConnection();
                    }
                };
        counting.setTargetConnectionFactory(new WinnowConnectionFactory(broker.url()));
        JmsTemplate plain = new JmsTemplate(counting);
        plain.setPubSubDomain(true);

        // when
        for (int i = 0; i < 3; i++) {
            plain.convertAndSend("t", "hello");
        }

        // then
        assertThat(opened).hasValue(3);
    }

    @Test
    void shouldConnectAndSubscribeAgainWhenTheBrokerIsBack() throws Exception {
        // given
        BlockingQueue<Message> received = new LinkedBlockingQueue<>();
        DefaultMessageListenerContainer container = container("t", "", received);
        try {
            template.convertAndSend("t", "before");
            assertThat(texts(received, 1)).containsExactly("before");

            // when
            broker = broker.restarted();

            // then messages come as soon as both sides are connected again
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            int failures = 0;
            while (received.isEmpty() && System.nanoTime() < deadline) {
                try {
                    template.convertAndSend("t", "after");
                } catch (JmsException e) {
                    failures++;
                }
            }
            assertThat(texts(received, 1)).containsExactly("after");
            assertThat(failures).as("sends that found the lost connection").isLessThan(3);
        } finally {
            container.shutdown();
        }
    }

    private DefaultMessageListenerContainer container(
            String topic, String selector, BlockingQueue<Message> received) throws Exception {
        return container(
                topic, selector, (MessageListener) received::add, Session.AUTO_ACKNOWLEDGE);
    }

    private DefaultMessageListenerContainer container(
            String topic, String selector, MessageListener listener, int acknowledgeMode)
            throws Exception {
        DefaultMessageListenerContainer container = new DefaultMessageListenerContainer();
        container.setConnectionFactory(new WinnowConnectionFactory(broker.url()));
        container.setSessionAcknowledgeMode(acknowledgeMode);
        container.setRecoveryInterval(100);
        container.setPubSubDomain(true);
        container.setDestinationName(topic);
        container.setMessageSelector(selector);
        container.setMessageListener(listener);
        container.afterPropertiesSet();
        container.start();
        while (!container.isRegisteredWithDestination()) {
            Thread.onSpinWait();
        }
        return container;
    }

    private static List<String> texts(BlockingQueue<Message> from, int count) throws Exception {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Message message = from.poll(10, TimeUnit.SECONDS);
            assertThat(message).as("message " + i + " after " + new TreeSet<>(texts)).isNotNull();
            texts.add(((TextMessage) message).getText());
        }
        return texts;
    }
}

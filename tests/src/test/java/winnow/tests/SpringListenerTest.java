package winnow.tests;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jms.annotation.EnableJms;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.jms.config.DefaultJmsListenerContainerFactory;
import org.springframework.jms.config.JmsListenerEndpointRegistry;
import org.springframework.jms.connection.CachingConnectionFactory;
import org.springframework.jms.connection.JmsTransactionManager;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.jms.listener.DefaultMessageListenerContainer;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.transaction.support.TransactionTemplate;
import winnow.client.WinnowConnectionFactory;

/// Methods with `@JmsListener`, as Spring Boot sets them up: queues, and transacted sessions.
class SpringListenerTest {
    private static final long DEADLINE_MILLIS = 20_000;

    @TempDir private Path directory = Path.of("");

    private RunningBroker broker;
    private CachingConnectionFactory connections;
    private JmsTemplate template;

    @BeforeEach
    void start() throws IOException {
        broker =
                new RunningBroker(
                        Map.of(
                                "queue.max-deliveries",
                                "3",
                                "storage.directory",
                                directory.resolve("store").toString()));
        connections =
                new CachingConnectionFactory(
                        new WinnowConnectionFactory(broker.url() + "?queuePrefetchMessages=1"));
        connections.setCacheConsumers(false);
        template = new JmsTemplate(connections);
        template.setReceiveTimeout(DEADLINE_MILLIS);
    }

    @AfterEach
    void stop() {
        connections.destroy();
        broker.close();
    }

    /// What Spring Boot makes by itself, and the same for topics.
    @Configuration
    @EnableJms
    static class Defaults {
        @Bean
        DefaultJmsListenerContainerFactory jmsListenerContainerFactory(ConnectionFactory factory) {
            return containers(factory);
        }

        @Bean
        DefaultJmsListenerContainerFactory topics(ConnectionFactory factory) {
            DefaultJmsListenerContainerFactory containers = containers(factory);
            containers.setPubSubDomain(true);
            containers.setSubscriptionShared(true);
            containers.setSubscriptionDurable(true);
            return containers;
        }

        private static DefaultJmsListenerContainerFactory containers(ConnectionFactory factory) {
            DefaultJmsListenerContainerFactory containers =
                    new DefaultJmsListenerContainerFactory();
            containers.setConnectionFactory(factory);
            containers.setSessionTransacted(true);
            containers.setRecoveryInterval(100L);
            return containers;
        }
    }

    private AnnotationConfigApplicationContext listen(Class<?> listener) {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        context.registerBean(ConnectionFactory.class, () -> connections);
        context.register(Defaults.class, listener);
        context.refresh();
        for (var container :
                context.getBean(JmsListenerEndpointRegistry.class).getListenerContainers()) {
            while (!((DefaultMessageListenerContainer) container).isRegisteredWithDestination()) {
                Thread.onSpinWait();
            }
        }
        return context;
    }

    private static List<String> next(BlockingQueue<String> from, int count) throws Exception {
        List<String> found = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String text = from.poll(DEADLINE_MILLIS, TimeUnit.MILLISECONDS);
            assertThat(text).as("what comes after %s", found).isNotNull();
            found.add(text);
        }
        return found;
    }

    /// Fails with every message `bad`.
    static class Failing {
        final BlockingQueue<String> attempts = new LinkedBlockingQueue<>();

        @JmsListener(destination = "orders")
        void onOrder(String text, @Header("JMSXDeliveryCount") int count) {
            attempts.add(text + " " + count);
            if (text.equals("bad")) {
                throw new IllegalArgumentException("a test's failure");
            }
        }
    }

    @Test
    void shouldBuryWhatAListenerFailsWithTooOften() throws Exception {
        try (var context = listen(Failing.class)) {
            // when
            template.convertAndSend("orders", "bad");
            template.convertAndSend("orders", "good");

            // then
            assertThat(next(context.getBean(Failing.class).attempts, 4))
                    .containsExactlyInAnyOrder("bad 1", "bad 2", "bad 3", "good 1");
            Message dead = Objects.requireNonNull(template.receive("winnow.dead"));
            assertThat(dead.getBody(String.class)).isEqualTo("bad");
            assertThat(dead.getStringProperty("JMS_WINNOW_DeadReason"))
                    .isEqualTo("3 failed deliveries");
            assertThat(dead.getStringProperty("JMS_WINNOW_DeadFrom")).isEqualTo("queue orders");
            assertThat(dead.getIntProperty("JMS_WINNOW_DeadDeliveries")).isEqualTo(3);
        }
    }

    /// Handles nothing before five threads have a message.
    static class Concurrent {
        final BlockingQueue<String> handled = new LinkedBlockingQueue<>();
        private final CountDownLatch busy = new CountDownLatch(5);

        @JmsListener(destination = "orders", concurrency = "1-5")
        void onOrder(String text) throws Exception {
            busy.countDown();
            assertThat(busy.await(DEADLINE_MILLIS, TimeUnit.MILLISECONDS)).isTrue();
            handled.add(text);
        }
    }

    @Test
    void shouldShareAQueueAmongThreads() throws Exception {
        try (var context = listen(Concurrent.class)) {
            // when
            String[] texts = IntStream.range(0, 50).mapToObj(i -> "m" + i).toArray(String[]::new);
            for (String text : texts) {
                template.convertAndSend("orders", text);
            }

            // then
            BlockingQueue<String> handled = context.getBean(Concurrent.class).handled;
            assertThat(next(handled, texts.length)).containsExactlyInAnyOrder(texts);
            assertThat(handled).isEmpty();
        }
    }

    /// Answers with the text and an exclamation mark.
    static class Answering {
        @JmsListener(destination = "questions")
        String onQuestion(String text) {
            return text + "!";
        }
    }

    @Test
    void shouldAnswerWithWhatAListenerReturns() throws Exception {
        try (var context = listen(Answering.class)) {
            for (String question : List.of("who", "where")) {
                // when
                Message reply =
                        template.sendAndReceive(
                                "questions", session -> session.createTextMessage(question));

                // then
                assertThat(Objects.requireNonNull(reply).getBody(String.class))
                        .isEqualTo(question + "!");
            }
            assertThat(context.isRunning()).isTrue();
        }
    }

    /// Has a durable subscription, which two threads share.
    static class Durable {
        final BlockingQueue<String> received = new LinkedBlockingQueue<>();

        @JmsListener(
                destination = "prices",
                subscription = "audit",
                selector = "price > 10",
                concurrency = "2",
                containerFactory = "topics")
        void onPrice(String text) {
            received.add(text);
        }
    }

    private void publish(String text, int price) {
        JmsTemplate topics = new JmsTemplate(connections);
        topics.setPubSubDomain(true);
        topics.convertAndSend(
                "prices",
                text,
                message -> {
                    message.setIntProperty("price", price);
                    return message;
                });
    }

    @Test
    void shouldKeepForADurableSubscriptionWhatComesMeanwhile() throws Exception {
        // given
        try (var context = listen(Durable.class)) {
            publish("first", 11);
            assertThat(next(context.getBean(Durable.class).received, 1)).containsExactly("first");
        }

        // when
        publish("meanwhile", 12);
        publish("cheap", 9);
        broker = broker.restarted();
        connections.resetConnection();

        // then
        try (var context = listen(Durable.class)) {
            publish("last", 13);
            BlockingQueue<String> received = context.getBean(Durable.class).received;
            assertThat(next(received, 2)).containsExactlyInAnyOrder("meanwhile", "last");
            assertThat(received).isEmpty();
        }
    }

    @Test
    void shouldGoOnWithAQueueWhenTheBrokerIsBack() throws Exception {
        // given
        template.convertAndSend("orders", "before");
        try (var context = listen(Failing.class)) {
            BlockingQueue<String> attempts = context.getBean(Failing.class).attempts;
            assertThat(next(attempts, 1)).containsExactly("before 1");

            // when
            broker = broker.restarted();
            connections.resetConnection();
            template.convertAndSend("orders", "after");

            // then the one before comes again only if its commit had no answer
            List<String> after = next(attempts, 1);
            if (after.contains("before 2")) {
                after = next(attempts, 1);
            }
            assertThat(after).containsExactly("after 1");
        }
    }

    @Test
    void shouldCommitAndRollBackWithATransactionManager() throws JMSException {
        // given
        TransactionTemplate transaction =
                new TransactionTemplate(new JmsTransactionManager(connections));
        template.convertAndSend("in", "one");

        // when
        transaction.executeWithoutResult(status -> {
            template.convertAndSend("out", template.receiveAndConvert("in") + " undone");
            status.setRollbackOnly();
        });
        transaction.executeWithoutResult(status ->
                template.convertAndSend("out", template.receiveAndConvert("in") + " done"));

        // then
        assertThat(template.receiveAndConvert("out")).isEqualTo("one done");
        assertThat(browse("in")).isEmpty();
        assertThat(browse("out")).isEmpty();
    }

    @Test
    void shouldBrowseAQueue() throws JMSException {
        // given
        template.convertAndSend("orders", "a");
        template.convertAndSend("orders", "b");

        // when
        List<String> waiting = browse("orders");

        // then
        assertThat(waiting).containsExactly("a", "b");
        assertThat(template.receiveAndConvert("orders")).isEqualTo("a");
        assertThat(browse("orders")).containsExactly("b");
    }

    private List<String> browse(String queue) throws JMSException {
        List<String> texts = new ArrayList<>();
        template.browse(
                queue,
                (session, browser) -> {
                    Enumeration<?> waiting = browser.getEnumeration();
                    while (waiting.hasMoreElements()) {
                        texts.add(((Message) waiting.nextElement()).getBody(String.class));
                    }
                    return texts;
                });
        return texts;
    }
}

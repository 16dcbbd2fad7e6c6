package winnow.tests;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import winnow.client.WinnowConnectionFactory;

/// One listener that hangs, a healthy one, and a producer of messages of a kibibyte.
class HungListenerTest {
    private static final int MESSAGES = 20_000;
    private static final String BODY = "x".repeat(1000);

    @TempDir private Path directory = Path.of("");

    private final CountDownLatch released = new CountDownLatch(1);

    /// Lets listeners go before their connections are closed, which wait for them.
    private interface Release extends AutoCloseable {
        @Override
        void close();
    }

    private RunningBroker broker(String... more) throws Exception {
        Map<String, String> settings =
                new HashMap<>(
                        Map.of(
                                "subscription.buffer",
                                "256KiB",
                                "subscription.total-buffer",
                                "4MiB",
                                "subscription.spill-directory",
                                directory.resolve("spill").toString()));
        for (int i = 0; i < more.length; i += 2) {
            settings.put(more[i], more[i + 1]);
        }
        return new RunningBroker(settings);
    }

    private static Connection connect(RunningBroker broker) throws JMSException {
        return new WinnowConnectionFactory(broker.url() + "?sendTimeout=10000").createConnection();
    }

    private static LinkedBlockingQueue<Integer> listen(Connection connection, CountDownLatch after)
            throws JMSException {
        LinkedBlockingQueue<Integer> numbers = new LinkedBlockingQueue<>();
        Session session = connection.createSession();
        session.createConsumer(session.createTopic("hung"))
                .setMessageListener(message -> {
                    try {
                        after.await();
                        numbers.add(message.getIntProperty("number"));
                    } catch (InterruptedException | JMSException e) {
                        Thread.currentThread().interrupt();
                    }
                });
        connection.start();
        return numbers;
    }

    private static void publish(RunningBroker broker, boolean transacted) throws JMSException {
        try (Connection connection = connect(broker)) {
            Session session =
                    transacted
                            ? connection.createSession(Session.SESSION_TRANSACTED)
                            : connection.createSession();
            MessageProducer producer = session.createProducer(session.createTopic("hung"));
            producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
            for (int i = 0; i < MESSAGES; i++) {
                var message = session.createTextMessage(BODY);
                message.setIntProperty("number", i);
                message.setIntProperty("name" + i / 500, i);
                producer.send(message);
                if (transacted && i % 100 == 99) {
                    session.commit();
                }
            }
        }
    }

    private static void check(LinkedBlockingQueue<Integer> numbers) throws InterruptedException {
        for (int i = 0; i < MESSAGES; i++) {
            assertThat(numbers.poll(20, TimeUnit.SECONDS)).isEqualTo(i);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldHarmOnlyItselfAndCatchUpInOrder(boolean transacted) throws Exception {
        try (RunningBroker broker = broker();
                Connection hung = connect(broker);
                Connection quick = connect(broker);
                Release _ = released::countDown) {
            // given
            LinkedBlockingQueue<Integer> late = listen(hung, released);
            LinkedBlockingQueue<Integer> healthy = listen(quick, new CountDownLatch(0));

            // when
            publish(broker, transacted);

            // then
            check(healthy);
            released.countDown();
            check(late);
        }
    }

    @Test
    void shouldTellItsApplicationWhyItIsDisconnected() throws Exception {
        try (RunningBroker broker = broker("subscription.spill-buffer", "4MiB");
                Connection hung = connect(broker);
                Connection quick = connect(broker);
                Release _ = released::countDown) {
            // given
            CompletableFuture<JMSException> told = new CompletableFuture<>();
            hung.setExceptionListener(told::complete);
            LinkedBlockingQueue<Integer> late = listen(hung, released);
            LinkedBlockingQueue<Integer> healthy = listen(quick, new CountDownLatch(0));

            // when
            publish(broker, false);

            // then
            check(healthy);
            assertThat(told.get(20, TimeUnit.SECONDS))
                    .hasMessageContainingAll(
                            "topic 'hung'",
                            "subscription.spill-buffer",
                            "destination.slow-consumers=hung=block");
            assertThat(late).isEmpty();
        }
    }
}

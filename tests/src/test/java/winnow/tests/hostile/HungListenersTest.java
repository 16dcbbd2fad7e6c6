package winnow.tests.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import winnow.client.WinnowConnectionFactory;

/// A hundred listeners that hang, of a broker with a heap of 48 MB: it lives, and a healthy one
/// gets everything.
class HungListenersTest {
    private static final int HUNG = 100;
    private static final int CONNECTIONS = 10;
    private static final int MESSAGES = 30_000;
    private static final int BODY_BYTES = 1000;

    @TempDir private Path directory = Path.of("");

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldHarmOnlyThemselves(boolean onDisk) throws Exception {
        // given
        Map<String, String> settings = new HashMap<>();
        if (onDisk) {
            settings.put("subscription.spill-directory", directory.resolve("spill").toString());
        }
        List<Connection> open = new ArrayList<>();
        CountDownLatch released = new CountDownLatch(1);
        try (SmallBroker broker = new SmallBroker(directory.resolve("log"), settings)) {
            List<Listener> hung = new ArrayList<>();
            for (int i = 0; i < CONNECTIONS; i++) {
                Connection connection = connect(broker, "?prefetchMessages=10");
                open.add(connection);
                for (int j = 0; j < HUNG / CONNECTIONS; j++) {
                    hung.add(new Listener(connection, released));
                }
                connection.start();
            }
            Connection quick = connect(broker, "");
            open.add(quick);
            Listener healthy = new Listener(quick, new CountDownLatch(0));
            quick.start();

            // when
            publish(broker);

            // then
            assertThat(healthy.awaitAll()).as("messages of the healthy one").isEqualTo(MESSAGES);
            assertThat(healthy.wrong.get()).isEqualTo(-1);
            assertThat(broker.isAlive()).isTrue();
            assertThat(broker.status("/health/live")).isEqualTo(200);

            // and those that are let loose get everything in order, or were told to go
            released.countDown();
            for (Listener one : hung) {
                if (onDisk) {
                    assertThat(one.awaitAll()).isEqualTo(MESSAGES);
                }
                assertThat(one.wrong.get()).isEqualTo(-1);
            }
            if (!onDisk) {
                assertThat(broker.metrics().get("winnow_slow_consumers_disconnected_total"))
                        .isPositive();
            }
            assertThat(broker.errors()).doesNotContain("OutOfMemoryError", "Fault of the broker");
        } finally {
            released.countDown();
            for (Connection one : open) {
                one.close();
            }
        }
    }

    private static Connection connect(SmallBroker broker, String options) throws JMSException {
        return new WinnowConnectionFactory(broker.url() + options).createConnection();
    }

    private static Topic topic(Session session) throws JMSException {
        return session.createTopic("hung");
    }

    private static void publish(SmallBroker broker) throws JMSException {
        try (Connection connection = connect(broker, "?sendTimeout=20000")) {
            Session session = connection.createSession();
            MessageProducer producer = session.createProducer(topic(session));
            producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
            for (int i = 0; i < MESSAGES; i++) {
                BytesMessage message = session.createBytesMessage();
                message.writeBytes(new byte[BODY_BYTES]);
                message.setIntProperty("number", i);
                message.setIntProperty("name" + i % 50, i);
                producer.send(message);
            }
        }
    }

    /// A listener that counts, once it is released.
    private static final class Listener {
        private static final long TIMEOUT_SECONDS = 120;

        final CountDownLatch all = new CountDownLatch(MESSAGES);

        /// Number of the first message that came out of turn, -1 if none did.
        final AtomicInteger wrong = new AtomicInteger(-1);

        private final AtomicInteger next = new AtomicInteger();

        Listener(Connection connection, CountDownLatch released) throws JMSException {
            Session session = connection.createSession();
            session.createConsumer(topic(session))
                    .setMessageListener(message -> {
                        try {
                            released.await();
                            int number = message.getIntProperty("number");
                            if (number != next.getAndIncrement()) {
                                wrong.compareAndSet(-1, number);
                            }
                            all.countDown();
                        } catch (InterruptedException | JMSException e) {
                            Thread.currentThread().interrupt();
                        }
                    });
        }

        /// @return how many have come
        int awaitAll() throws InterruptedException {
            boolean whole = all.await(TIMEOUT_SECONDS, TimeUnit.SECONDS);
            return whole ? MESSAGES : MESSAGES - (int) all.getCount();
        }
    }
}

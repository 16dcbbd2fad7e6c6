package winnow.tests.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static winnow.tests.jms.JmsBroker.send;
import static winnow.tests.jms.JmsBroker.text;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TemporaryTopic;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import winnow.client.WinnowConnectionFactory;
import winnow.tests.RunningBroker;

/// Delayed messages to topics that cannot be used as before when their time has come.
class DelayedTopicTest {
    private static final int TOPICS = 4;

    private static Connection connect(RunningBroker broker) throws JMSException {
        Connection connection = new WinnowConnectionFactory(broker.url()).createConnection();
        connection.start();
        return connection;
    }

    private static String queues(RunningBroker broker) throws Exception {
        URI page = URI.create("http://127.0.0.1:" + broker.httpPort() + "/api/v1/queues");
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                            HttpRequest.newBuilder(page).build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }

    @Test
    void shouldDropMessagesForATemporaryTopicThatHasEnded() throws Exception {
        try (RunningBroker broker = new RunningBroker(Map.of());
                Connection connection = connect(broker);
                Session session = connection.createSession()) {
            // given
            TemporaryTopic topic = session.createTemporaryTopic();
            MessageProducer producer = session.createProducer(topic);
            producer.setDeliveryDelay(2000);
            for (int i = 0; i < 10; i++) {
                send(session, producer, "late");
            }
            assertThat(queues(broker)).contains("winnow.delayed/");

            // when
            producer.close();
            topic.delete();

            // then: what is unused goes at the second look, and looks are 10 s apart
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            while (queues(broker).contains("winnow.delayed/") && System.nanoTime() < end) {
                Thread.sleep(50);
            }
            assertThat(queues(broker)).doesNotContain("winnow.delayed/");
        }
    }

    @Test
    void shouldDeliverWhereMemoryIsFull() throws Exception {
        try (RunningBroker broker = new RunningBroker(Map.of("storage.memory", "1MiB"));
                Connection connection = connect(broker);
                Session session = connection.createSession()) {
            // given
            MessageConsumer consumer = session.createConsumer(session.createTopic("later"));
            MessageProducer producer = session.createProducer(session.createTopic("later"));
            producer.setDeliveryDelay(3000);
            for (int i = 0; i < 10; i++) {
                send(session, producer, "late " + i);
            }

            // when
            String large = "x".repeat(300_000);
            for (int queue = 0; isTaken(session, "full" + queue, large); queue++) {
                while (isTaken(session, "full" + queue, large)) {}
            }

            // then
            for (int i = 0; i < 10; i++) {
                assertThat(text(consumer)).isEqualTo("late " + i);
            }
        }
    }

    private static boolean isTaken(Session session, String queue, String text) throws JMSException {
        try (MessageProducer producer = session.createProducer(session.createQueue(queue))) {
            send(session, producer, text);
            return true;
        } catch (JMSException e) {
            assertThat(e).hasMessageContaining("storage.memory");
            return false;
        }
    }

    @Test
    void shouldDeliverWhereAllTopicsAreInUse() throws Exception {
        Map<String, String> settings = Map.of("destination.max-topics", String.valueOf(TOPICS));
        try (RunningBroker broker = new RunningBroker(settings);
                Connection connection = connect(broker)) {
            // given more messages than are published at the same time
            try (Connection other = connect(broker);
                    Session sending = other.createSession()) {
                MessageProducer producer = sending.createProducer(sending.createTopic("later"));
                producer.setDeliveryDelay(500);
                for (int i = 0; i < 100; i++) {
                    send(sending, producer, "before " + i);
                }
            }

            // when
            try (Session taking = connection.createSession()) {
                for (int i = 0; i < TOPICS; i++) {
                    takeTopic(taking, i);
                }
                Thread.sleep(600);
            }

            // then
            shouldStillDeliver(connection);
        }
    }

    /// The topic of a connection that was closed goes a moment later.
    private static void takeTopic(Session session, int number) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (true) {
            try {
                session.createConsumer(session.createTopic("other" + number));
                return;
            } catch (JMSException e) {
                if (System.nanoTime() > end) {
                    throw e;
                }
                Thread.sleep(20);
            }
        }
    }

    private static void shouldStillDeliver(Connection connection) throws JMSException {
        try (Session session = connection.createSession()) {
            MessageConsumer consumer = session.createConsumer(session.createTopic("later"));
            MessageProducer producer = session.createProducer(session.createTopic("later"));
            producer.setDeliveryDelay(100);
            send(session, producer, "after");

            assertThat(text(consumer)).isEqualTo("after");
        }
    }
}

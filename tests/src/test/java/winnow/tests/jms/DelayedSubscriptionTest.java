package winnow.tests.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static winnow.tests.jms.JmsBroker.expectNothing;
import static winnow.tests.jms.JmsBroker.send;
import static winnow.tests.jms.JmsBroker.text;
import static winnow.tests.jms.JmsBroker.texts;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.client.WinnowConnectionFactory;
import winnow.tests.RunningBroker;

/// Which subscriptions a delayed message reaches: those that exist when it is sent (Jakarta
/// Messaging 3.1, 7.9).
class DelayedSubscriptionTest {
    private static final String SELECTOR = "JMSPriority >= 0";

    private static Connection connect(RunningBroker broker) throws JMSException {
        WinnowConnectionFactory factory = new WinnowConnectionFactory(broker.url());
        factory.setClientID("meter");
        Connection connection = factory.createConnection();
        connection.start();
        return connection;
    }

    private static List<MessageConsumer> allKinds(Session session, Topic topic, String prefix)
            throws JMSException {
        List<MessageConsumer> consumers = new ArrayList<>();
        consumers.add(session.createConsumer(topic));
        consumers.add(session.createConsumer(topic, SELECTOR));
        consumers.add(session.createDurableConsumer(topic, prefix + "d"));
        consumers.add(session.createDurableConsumer(topic, prefix + "ds", SELECTOR, false));
        consumers.add(session.createSharedConsumer(topic, prefix + "s"));
        consumers.add(session.createSharedDurableConsumer(topic, prefix + "sd"));
        return consumers;
    }

    @Test
    void shouldReachThoseThatExistWhenItIsSent() throws Exception {
        try (RunningBroker broker = new RunningBroker(Map.of());
                Connection connection = connect(broker);
                Session session = connection.createSession()) {
            // given
            Topic topic = session.createTopic("later");
            List<MessageConsumer> early = allKinds(session, topic, "early");
            MessageProducer producer = session.createProducer(topic);
            producer.setDeliveryDelay(1500);

            // when
            send(session, producer, "first");
            List<MessageConsumer> late = allKinds(session, topic, "late");
            send(session, producer, "second");
            producer.setDeliveryDelay(0);
            send(session, producer, "at once");

            // then
            for (MessageConsumer consumer : early) {
                assertThat(texts(consumer, 3)).containsExactly("at once", "first", "second");
            }
            for (MessageConsumer consumer : late) {
                assertThat(texts(consumer, 2)).containsExactly("at once", "second");
                expectNothing(consumer);
            }
            for (MessageConsumer consumer : allKinds(session, topic, "last")) {
                send(session, producer, "end");
                assertThat(text(consumer)).isEqualTo("end");
            }
        }
    }

    @Test
    void shouldKnowAfterARestart(@TempDir Path store) throws Exception {
        // given
        Map<String, String> settings = Map.of("storage.directory", store.toString());
        try (RunningBroker broker = new RunningBroker(settings);
                Connection connection = connect(broker);
                Session session = connection.createSession()) {
            Topic topic = session.createTopic("later");
            session.createDurableConsumer(topic, "early").close();
            MessageProducer producer = session.createProducer(topic);
            producer.setDeliveryDelay(3000);
            send(session, producer, "first");
            session.createDurableConsumer(topic, "late").close();
            send(session, producer, "second");
        }

        // when
        try (RunningBroker broker = new RunningBroker(settings);
                Connection connection = connect(broker);
                Session session = connection.createSession()) {
            Topic topic = session.createTopic("later");

            // then
            assertThat(texts(session.createDurableConsumer(topic, "early"), 2))
                    .containsExactly("first", "second");
            MessageConsumer late = session.createDurableConsumer(topic, "late");
            assertThat(text(late)).isEqualTo("second");
            expectNothing(late);
        }
    }
}

package winnow.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.QueueSession;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import jakarta.jms.TopicSession;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import winnow.client.error.ErrorCodes;
import winnow.client.error.JmsErrors;

/// Features that a broker does not offer, and that a domain forbids.
class UnsupportedTest {
    @Test
    void shouldSayWhatABrokerWithoutStoreDoesNotOffer() throws Exception {
        try (ScriptedBroker broker = new ScriptedBroker()) {
            // given
            broker.onHello(hello -> ScriptedBroker.welcome(1024, 0, 0));
            try (Connection connection = broker.factory().createConnection()) {
                Session session = connection.createSession();
                Queue queue = session.createQueue("q");
                Topic topic = session.createTopic("t");
                List<JmsErrors.Action> calls =
                        List.of(
                                () -> connection.createSession(true, 0),
                                () -> session.createConsumer(queue),
                                () -> session.createBrowser(queue).getEnumeration(),
                                () -> session.createSharedConsumer(topic, "s"),
                                () -> session.unsubscribe("s"),
                                session::createTemporaryQueue);

                // when, then
                for (JmsErrors.Action call : calls) {
                    assertThatThrownBy(call::run)
                            .isInstanceOf(JMSException.class)
                            .hasMessageContaining("has no queues, transactions")
                            .extracting(failure -> ((JMSException) failure).getErrorCode())
                            .isEqualTo(ErrorCodes.NOT_SUPPORTED);
                }
            }
        }
    }

    @Test
    void shouldKeepTheDomainsApart() throws Exception {
        try (ScriptedBroker broker = new ScriptedBroker();
                Connection topics = broker.factory().createTopicConnection();
                Connection queues = broker.factory().createQueueConnection()) {
            // given
            Session topicSession = topics.createSession();
            Session queueSession = queues.createSession();

            // when, then
            assertThat(topicSession).isInstanceOf(TopicSession.class);
            assertThat(queueSession).isInstanceOf(QueueSession.class);
            assertThatThrownBy(() -> topicSession.createQueue("q"))
                    .isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> topicSession.createTemporaryQueue())
                    .isInstanceOf(IllegalStateException.class);
            Map<String, JmsErrors.Action> calls = new LinkedHashMap<>();
            calls.put("createTopic", () -> queueSession.createTopic("t"));
            calls.put("createDurableConsumer", () -> queueSession.createDurableConsumer(null, "s"));
            calls.put("createSharedConsumer", () -> queueSession.createSharedConsumer(null, "s"));
            calls.put(
                    "createSharedDurableConsumer",
                    () -> queueSession.createSharedDurableConsumer(null, "s"));
            calls.put(
                    "createSharedConnectionConsumer",
                    () -> queues.createSharedConnectionConsumer(null, "s", null, null, 1));
            calls.put(
                    "createDurableConnectionConsumer",
                    () -> queues.createDurableConnectionConsumer(null, "s", null, null, 1));
            calls.put(
                    "createSharedDurableConnectionConsumer",
                    () -> queues.createSharedDurableConnectionConsumer(null, "s", null, null, 1));
            calls.forEach((method, call) ->
                    assertThatThrownBy(call::run)
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageStartingWith(method + "() is not for a QueueConnection"));
        }
    }

    @Test
    void shouldRefuseUnusableArguments() throws Exception {
        try (ScriptedBroker broker = new ScriptedBroker();
                Connection connection = broker.factory().createConnection()) {
            // given
            Session session = connection.createSession();

            // when, then
            assertThatThrownBy(() -> session.createConsumer(null))
                    .isInstanceOf(InvalidDestinationException.class);
            assertThatThrownBy(() -> session.createTopic("t?colour=red"))
                    .isInstanceOf(InvalidDestinationException.class)
                    .hasMessageContaining("expected the option correlationId, found 'colour'");
            assertThatThrownBy(() -> connection.createSession(9)).isInstanceOf(JMSException.class);
            assertThatThrownBy(session::commit).isInstanceOf(IllegalStateException.class);
        }
    }
}

package winnow.tests.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static winnow.tests.jms.JmsBroker.expectNothing;
import static winnow.tests.jms.JmsBroker.receive;
import static winnow.tests.jms.JmsBroker.send;
import static winnow.tests.jms.JmsBroker.text;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Deliveries that nobody settles: what the application had counts as an attempt, however its
/// session ends, and what was only sent ahead does not.
class AttemptsTest {
    private static final int MAX_DELIVERIES = 4;

    private JmsBroker broker;
    private Session session;

    @BeforeEach
    void connect() throws IOException, JMSException {
        broker =
                new JmsBroker(
                        Map.of(
                                "queue.max-deliveries",
                                String.valueOf(MAX_DELIVERIES),
                                "queue.redelivery-delay",
                                "0s"));
        session = broker.connect().createSession();
        send(session, session.createProducer(session.createQueue("orders")), "bad", "ahead");
    }

    @AfterEach
    void close() {
        broker.close();
    }

    private MessageConsumer consumer(Session of) throws JMSException {
        return of.createConsumer(of.createQueue("orders"));
    }

    private static int count(Message message) throws JMSException {
        return message.getIntProperty("JMSXDeliveryCount");
    }

    /// Ends what has received a message and not settled it.
    @FunctionalInterface
    private interface End {
        void of(Connection connection, Session session, MessageConsumer consumer)
                throws JMSException;
    }

    private void attempt(int mode, End end) throws JMSException {
        List<Integer> counts = new ArrayList<>();
        for (int attempt = 0; attempt < MAX_DELIVERIES; attempt++) {
            try (Connection connection = broker.factory("").createConnection()) {
                connection.start();
                Session attempting = connection.createSession(mode);
                MessageConsumer consumer = consumer(attempting);
                Message bad = receive(consumer);
                assertThat(((TextMessage) bad).getText()).isEqualTo("bad");
                counts.add(count(bad));
                end.of(connection, attempting, consumer);
            }
        }
        assertThat(counts).containsExactly(1, 2, 3, 4);
    }

    private void expectBuried(int countAhead) throws JMSException {
        assertThat(text(session.createConsumer(session.createQueue("winnow.dead"))))
                .isEqualTo("bad");
        MessageConsumer rest = consumer(session);
        Message ahead = receive(rest);
        assertThat(((TextMessage) ahead).getText()).isEqualTo("ahead");
        assertThat(count(ahead)).isEqualTo(countAhead);
        expectNothing(rest);
    }

    @ParameterizedTest
    @ValueSource(ints = {Session.CLIENT_ACKNOWLEDGE, Session.SESSION_TRANSACTED})
    void shouldCountWhatAClosedSessionHad(int mode) throws JMSException {
        attempt(mode, (connection, attempting, consumer) -> attempting.close());

        expectBuried(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {Session.CLIENT_ACKNOWLEDGE, Session.SESSION_TRANSACTED})
    void shouldCountWhatAClosedConsumerHad(int mode) throws JMSException {
        attempt(
                mode,
                (connection, attempting, consumer) -> {
                    consumer.close();
                    attempting.close();
                });

        expectBuried(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {Session.CLIENT_ACKNOWLEDGE, Session.SESSION_TRANSACTED})
    void shouldCountWhatAClosedConnectionHad(int mode) throws JMSException {
        attempt(mode, (connection, attempting, consumer) -> connection.close());

        expectBuried(1);
    }

    /// Checks that what was sent ahead is marked as perhaps delivered, and counted no further.
    @ParameterizedTest
    @ValueSource(ints = {0, Session.CLIENT_ACKNOWLEDGE, Session.SESSION_TRANSACTED})
    void shouldCountWhatAKilledClientHad(int mode) throws Exception {
        // when
        List<Integer> counts = new ArrayList<>();
        for (int attempt = 0; attempt < MAX_DELIVERIES; attempt++) {
            counts.add(KilledClient.run(broker.url(), mode));
        }

        // then
        assertThat(counts).containsExactly(1, 2, 3, 4);
        expectBuried(2);
    }
}

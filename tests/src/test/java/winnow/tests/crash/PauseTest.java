package winnow.tests.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.client.WinnowConnectionFactory;

/// A broker whose process stands still for longer than two heartbeats of a client.
class PauseTest {
    private static final long DEADLINE_SECONDS = 30;
    private static final long DEADLINE_MILLIS = TimeUnit.SECONDS.toMillis(DEADLINE_SECONDS);
    private static final long SILENCE_MILLIS = 200;

    @TempDir private Path temporary = Path.of("");

    @Test
    void shouldGoOnWhereItStoodStill() throws Exception {
        // given a client that gives up early, with a message that it has not acknowledged, and one
        // that is patient
        try (BrokerProcess broker =
                        BrokerProcess.start(
                                temporary.resolve("data"), List.of("-Xmx128m"), List.of());
                Connection patient = connect(broker, "");
                Connection hasty =
                        connect(
                                broker,
                                "?heartbeat=1000&queuePrefetchMessages=1&maxReconnectAttempts=0")) {
            CompletableFuture<JMSException> lost = new CompletableFuture<>();
            hasty.setExceptionListener(lost::complete);
            Session session = hasty.createSession(Session.CLIENT_ACKNOWLEDGE);
            MessageProducer producer = session.createProducer(session.createQueue("q"));
            producer.send(message(session, 1));
            producer.send(message(session, 2));
            Arrival first = receive(session.createConsumer(session.createQueue("q")));

            // when
            broker.signal("STOP");
            JMSException failure;
            try {
                assertThatThrownBy(() -> producer.send(message(session, 3)))
                        .isInstanceOf(JMSException.class);
                failure = lost.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
            } finally {
                broker.signal("CONT");
            }

            // then
            assertThat(failure.getErrorCode()).isEqualTo("HEARTBEAT_TIMEOUT");
            assertThat(first.key().number()).isEqualTo(1);
            Session own = patient.createSession();
            own.createProducer(own.createQueue("end")).send(message(own, 4));
            assertThat(receive(own.createConsumer(own.createQueue("end"))).redelivered()).isFalse();
            MessageConsumer next = own.createConsumer(own.createQueue("q"));
            // The second one may come while the broker has not noticed that the client has gone.
            Map<Long, Boolean> marks = new TreeMap<>();
            for (int i = 0; i < 2; i++) {
                Arrival arrival = receive(next);
                marks.put(arrival.key().number(), arrival.redelivered());
            }
            assertThat(marks).containsOnlyKeys(1L, 2L).containsEntry(1L, true);
            // Nobody knows whether the third one came before the broker stood still.
            Message third = next.receive(SILENCE_MILLIS);
            if (third != null) {
                assertThat(Arrival.of(third).key().number()).isEqualTo(3);
                assertThat(next.receive(SILENCE_MILLIS)).isNull();
            }
            assertThat(broker.stop()).isZero();
        }
    }

    private static Connection connect(BrokerProcess broker, String options) throws JMSException {
        Connection connection =
                new WinnowConnectionFactory(broker.url() + options).createConnection();
        connection.start();
        return connection;
    }

    private static Message message(Session session, long number) throws JMSException {
        return Arrival.write(session, new MessageKey(1, number), 0, 0);
    }

    private static Arrival receive(MessageConsumer consumer) throws JMSException {
        Message message = consumer.receive(DEADLINE_MILLIS);
        assertThat(message).as("a message").isNotNull();
        return Arrival.of(message);
    }
}

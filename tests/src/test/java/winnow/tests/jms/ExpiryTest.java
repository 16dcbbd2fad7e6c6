package winnow.tests.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static winnow.tests.jms.JmsBroker.expectNothing;
import static winnow.tests.jms.JmsBroker.receive;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Messages that expire go to the dead-letter queue, if that is set, wherever they are.
class ExpiryTest {
    private static final int EACH = 15;

    private JmsBroker broker;
    private Session session;

    @BeforeEach
    void connect() throws IOException, JMSException {
        broker = new JmsBroker(Map.of("queue.bury-expired", "true"));
        session = broker.connect().createSession();
    }

    @AfterEach
    void close() {
        broker.close();
    }

    private static void send(Session in, String queue, long lifeMillis) throws JMSException {
        try (MessageProducer producer = in.createProducer(in.createQueue(queue))) {
            producer.setTimeToLive(lifeMillis);
            for (int i = 0; i < EACH; i++) {
                producer.send(in.createTextMessage(queue));
            }
        }
    }

    @Test
    void shouldBuryWhatExpiresOnItsWayInItsQueueAndAheadOfItsReceiver() throws Exception {
        // given
        MessageConsumer ahead = session.createConsumer(session.createQueue("ahead"));
        MessageConsumer other = session.createConsumer(session.createQueue("other"));
        Session transacted = broker.connect().createSession(Session.SESSION_TRANSACTED);

        // when
        send(transacted, "arriving", 1);
        send(session, "ahead", 100);
        send(session, "waiting", 100);
        expectNothing(other);
        transacted.commit();

        // then
        expectNothing(ahead);
        MessageConsumer dead = session.createConsumer(session.createQueue("winnow.dead"));
        for (int i = 0; i < 3 * EACH; i++) {
            Message buried = receive(dead);
            assertThat(buried.getStringProperty("JMS_WINNOW_DeadReason")).isEqualTo("expired");
        }
        expectNothing(dead);
    }
}

package winnow.client;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import winnow.wire.FrameType;

/// Connections that are lost and come back: when the next one is made and used.
class ReturningLinkTest {
    private ScriptedBroker broker;
    private WinnowConnection connection;

    @BeforeEach
    void connect() throws IOException, JMSException {
        broker = new ScriptedBroker();
        connection =
                (WinnowConnection) broker.returningFactory("reconnectDelay=500").createConnection();
        broker.await(FrameType.HELLO);
    }

    @AfterEach
    void close() throws IOException, JMSException {
        connection.close();
        broker.close();
    }

    @Test
    void shouldComeBackSlowlyWhereEachConnectionIsLostSoon() throws Exception {
        // given
        Session session = connection.createSession();
        MessageProducer producer = session.createProducer(session.createTopic("t"));
        producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);

        // when
        long begin = System.nanoTime();
        for (int i = 0; i < 7; i++) {
            broker.cut();
            broker.await(FrameType.HELLO);
            producer.send(session.createMessage());
        }

        // then: six pauses, each of up to half a second or more
        assertThat(Duration.ofNanos(System.nanoTime() - begin))
                .isGreaterThan(Duration.ofMillis(300));
    }
}

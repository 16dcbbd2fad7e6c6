package winnow.client.link;

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
import winnow.client.Awaiting;
import winnow.client.ScriptedBroker;
import winnow.client.session.WinnowConnection;
import winnow.client.transport.WireConnection;
import winnow.client.transport.connect.ConnectRounds;
import winnow.client.transport.endpoint.TransportException;
import winnow.wire.FrameType;

/// Connections that are lost and come back: when the next one is made and used.
class ReturningLinkTest {
    private static final long DEADLINE_MILLIS = 10_000;

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

    private WireConnection lostBeforeUse(BrokerLink link) throws TransportException {
        WireConnection made = new ConnectRounds(link.target(), link.events()).connect();
        broker.cut();
        Awaiting.until(made::hasEnded);
        // Then the link has been told.
        made.awaitQuiet(DEADLINE_MILLIS);
        return made;
    }

    @Test
    void shouldUseNoneOfSeveralConnectionsThatWereLostBefore() throws Exception {
        // given
        BrokerLink link = connection.link();
        WireConnection first = lostBeforeUse(link);
        WireConnection second = lostBeforeUse(link);

        // when, then
        assertThat(link.use(Current.of(first, 2), Duration.ZERO)).isFalse();
        assertThat(link.use(Current.of(second, 2), Duration.ZERO)).isFalse();
    }
}

package winnow.tests.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import winnow.client.WinnowConnectionFactory;
import winnow.tests.StoredParts;
import winnow.tests.jms.ThrottledProxy;

/// Bodies that are larger than the heap of the broker, through a topic.
class LargeTopicBodyHeapTest {
    private static final int MIB = 1 << 20;
    private static final int WAIT_MILLIS = 120_000;

    @TempDir private Path directory = Path.of("");

    private static Connection connect(String url) throws JMSException {
        Connection made = new WinnowConnectionFactory(url).createConnection();
        made.start();
        return made;
    }

    private static byte[] piece(int number) {
        byte[] bytes = new byte[MIB];
        new Random(number).nextBytes(bytes);
        return bytes;
    }

    private static void publish(Session session, Topic topic, int mebibytes) throws JMSException {
        BytesMessage message = session.createBytesMessage();
        for (int i = 0; i < mebibytes; i++) {
            message.writeBytes(piece(i));
        }
        session.createProducer(topic).send(message);
    }

    private static void check(BytesMessage message, int mebibytes) throws JMSException {
        assertThat(message.getBodyLength()).isEqualTo((long) mebibytes * MIB);
        byte[] read = new byte[MIB];
        for (int i = 0; i < mebibytes; i++) {
            assertThat(message.readBytes(read)).isEqualTo(MIB);
            assertThat(read).isEqualTo(piece(i));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {64, 256})
    void shouldReachOneWhileAnotherStallsAndGoes(int mebibytes) throws Exception {
        Path store = directory.resolve("store");
        Map<String, String> settings = Map.of("storage.directory", store.toString());
        try (SmallBroker broker = new SmallBroker(directory.resolve("log"), settings)) {
            // when
            bring(broker, mebibytes);

            // then
            assertThat(broker.stop()).as(broker.errors()).isZero();
            assertThat(broker.errors()).doesNotContain("OutOfMemoryError", "ERROR");
        }
        assertThat(StoredParts.count(store)).isZero();
    }

    private static void bring(SmallBroker broker, int mebibytes) throws Exception {
        try (ThrottledProxy proxy = new ThrottledProxy(broker.address().getPort());
                Connection healthy = connect(broker.url());
                Connection stalling = connect(proxy.url());
                Connection producing = connect(broker.url())) {
            // given
            proxy.stallAfter((long) mebibytes * MIB / 4);
            Session session = healthy.createSession();
            Topic topic = session.createTopic("files");
            MessageConsumer consumer = session.createConsumer(topic);
            stalling.createSession().createConsumer(topic);

            // when
            publish(producing.createSession(), topic, mebibytes);

            // then
            proxy.awaitStall();
            check((BytesMessage) consumer.receive(WAIT_MILLIS), mebibytes);
            proxy.cut();
        }
    }
}

package winnow.tests.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.BytesMessage;
import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageProducer;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import winnow.client.WinnowConnectionFactory;
import winnow.client.message.WinnowBytesMessage;
import winnow.store.Table;
import winnow.store.rocksdb.RocksSettings;
import winnow.store.rocksdb.RocksShardLog;
import winnow.tests.RunningBroker;

/// Messages that travel in parts, because they are longer than 1 MiB.
class LargeMessageTest {
    private static final int MIB = 1 << 20;

    @TempDir private Path directory = Path.of("");
    private final List<Connection> connections = new ArrayList<>();
    private RunningBroker broker;
    private Session session;

    @BeforeEach
    void connect() throws IOException, JMSException {
        broker =
                new RunningBroker(
                        Map.of(
                                "storage.directory", directory.resolve("store").toString(),
                                "transport.max-frame", "2MiB",
                                "queue.policies", "short=max-message-bytes:3MiB",
                                "queue.max-deliveries", "2"));
        session = connection(broker.url()).createSession();
    }

    @AfterEach
    void close() throws JMSException {
        for (Connection connection : connections) {
            connection.close();
        }
        broker.close();
    }

    private Connection connection(String url) throws JMSException {
        Connection made = new WinnowConnectionFactory(url).createConnection();
        connections.add(made);
        made.start();
        return made;
    }

    private Queue queue() throws JMSException {
        return session.createQueue("large");
    }

    private static byte[] bytes(int seed, int length) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private static BytesMessage message(Session session, byte[] body) throws JMSException {
        BytesMessage message = session.createBytesMessage();
        message.writeBytes(body);
        message.setIntProperty("length", body.length);
        return message;
    }

    private void send(Queue queue, byte[] body) throws JMSException {
        try (MessageProducer producer = session.createProducer(queue)) {
            producer.send(message(session, body));
        }
    }

    private static BytesMessage receive(MessageConsumer consumer) throws JMSException {
        return (BytesMessage) JmsBroker.receive(consumer);
    }

    private static byte[] body(BytesMessage message) throws JMSException {
        byte[] body = new byte[Math.toIntExact(message.getBodyLength())];
        assertThat(message.readBytes(body)).isEqualTo(body.length == 0 ? -1 : body.length);
        return body;
    }

    private static List<Message> shown(QueueBrowser browser) throws JMSException {
        List<Message> shown = new ArrayList<>();
        Enumeration<?> messages = browser.getEnumeration();
        while (messages.hasMoreElements()) {
            shown.add((Message) messages.nextElement());
        }
        return shown;
    }

    /// The rows of parts that are in the store of a broker, which is closed.
    private int partsInStore() {
        broker.close();
        int[] rows = new int[1];
        try (RocksShardLog log =
                RocksShardLog.open(
                        directory.resolve("store"), Runnable::run, RocksSettings.defaults())) {
            log.scan(
                    Table.PARTS,
                    new byte[0],
                    new byte[] {-1, -1},
                    (key, row) -> {
                        rows[0]++;
                        return true;
                    });
        }
        return rows[0];
    }

    @ParameterizedTest
    @ValueSource(ints = {MIB - 1, MIB, MIB + 1, 2 * MIB, 7 * MIB + 13})
    void shouldBringABodyOfAnyLength(int length) throws Exception {
        // given
        byte[] body = bytes(length, length);

        // when
        send(queue(), body);

        // then
        BytesMessage received = receive(session.createConsumer(queue()));
        assertThat(received.getBodyLength()).isEqualTo(length);
        assertThat(received.getIntProperty("length")).isEqualTo(length);
        assertThat(body(received)).isEqualTo(body);
        received.reset();
        assertThat(received.getBody(byte[].class)).isEqualTo(body);
        assertThat(received.readByte()).isEqualTo(body[0]);
    }

    @Test
    void shouldReadWhatWasWrittenValueByValue() throws Exception {
        // given
        BytesMessage message = session.createBytesMessage();
        for (int i = 0; i < 150_000; i++) {
            message.writeInt(i);
            message.writeUTF("text " + i % 10);
        }

        // when
        try (MessageProducer producer = session.createProducer(queue())) {
            producer.send(message);
        }

        // then
        BytesMessage received = receive(session.createConsumer(queue()));
        assertThat(received.getBodyLength()).isGreaterThan(MIB);
        for (int i = 0; i < 150_000; i++) {
            assertThat(received.readInt()).isEqualTo(i);
            assertThat(received.readUTF()).isEqualTo("text " + i % 10);
        }
        assertThatThrownBy(received::readByte).isInstanceOf(JMSException.class);
    }

    @Test
    void shouldCopyStreams() throws Exception {
        // given
        byte[] body = bytes(1, 3 * MIB);
        WinnowBytesMessage message = (WinnowBytesMessage) session.createBytesMessage();
        message.copyFrom(new ByteArrayInputStream(body));

        // when
        session.createProducer(queue()).send(message);

        // then
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        WinnowBytesMessage received =
                (WinnowBytesMessage) receive(session.createConsumer(queue()));
        assertThat(received.copyTo(out)).isEqualTo(body.length);
        assertThat(out.toByteArray()).isEqualTo(body);
    }

    @Test
    void shouldBringMessagesOfAllTypes() throws Exception {
        // given
        String text = "ä".repeat(MIB);
        byte[] body = bytes(1, 2 * MIB);
        MessageProducer producer = session.createProducer(queue());
        MapMessage map = session.createMapMessage();
        map.setBytes("body", body);

        // when
        producer.send(session.createTextMessage(text));
        producer.send(map);
        producer.send(session.createObjectMessage(text));

        // then
        MessageConsumer consumer =
                connection(broker.url() + "?allowedClasses=java.lang.String")
                        .createSession()
                        .createConsumer(queue());
        assertThat(((TextMessage) JmsBroker.receive(consumer)).getText()).isEqualTo(text);
        assertThat(((MapMessage) JmsBroker.receive(consumer)).getBytes("body")).isEqualTo(body);
        assertThat(((ObjectMessage) JmsBroker.receive(consumer)).getObject()).isEqualTo(text);
    }

    @Test
    void shouldKeepTheOrderAmongSmallMessages() throws Exception {
        // given
        MessageProducer producer = session.createProducer(queue());
        producer.send(session.createTextMessage("first"));
        producer.send(message(session, bytes(1, 5 * MIB)));
        producer.send(session.createTextMessage("last"));

        // when
        MessageConsumer consumer = session.createConsumer(queue());

        // then
        assertThat(JmsBroker.text(consumer)).isEqualTo("first");
        assertThat(receive(consumer).getBodyLength()).isEqualTo(5 * MIB);
        assertThat(JmsBroker.text(consumer)).isEqualTo("last");
    }

    @Test
    void shouldSendOthersWhileAMessageIsSent() throws Exception {
        // given
        Session other = connections.getFirst().createSession();
        MessageProducer small = other.createProducer(session.createQueue("small"));
        CountDownLatch sent = new CountDownLatch(1);
        byte[] body = bytes(1, 32 * MIB);
        Thread sender =
                Thread.ofPlatform()
                        .start(() -> {
                            try {
                                send(queue(), body);
                                sent.countDown();
                            } catch (JMSException e) {
                                throw new AssertionError(e);
                            }
                        });

        // when
        int between = 0;
        while (sent.getCount() > 0) {
            small.send(other.createTextMessage("text"));
            between++;
        }
        sender.join();

        // then
        assertThat(between).isGreaterThan(1);
        assertThat(body(receive(session.createConsumer(queue())))).isEqualTo(body);
    }

    @Test
    void shouldConfirmToACompletionListener() throws Exception {
        // given
        CountDownLatch completed = new CountDownLatch(2);
        MessageProducer producer = session.createProducer(queue());
        producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);

        // when
        for (int i = 0; i < 2; i++) {
            producer.send(
                    message(session, bytes(i, 3 * MIB)),
                    new CompletionListener() {
                        @Override
                        public void onCompletion(Message message) {
                            completed.countDown();
                        }

                        @Override
                        public void onException(Message message, Exception exception) {}
                    });
        }

        // then
        assertThat(completed.await(20, TimeUnit.SECONDS)).isTrue();
        MessageConsumer consumer = session.createConsumer(queue());
        assertThat(body(receive(consumer))).isEqualTo(bytes(0, 3 * MIB));
        assertThat(body(receive(consumer))).isEqualTo(bytes(1, 3 * MIB));
    }

    @Test
    void shouldKeepAMessageWhileTheBrokerRestarts() throws Exception {
        // given
        send(queue(), bytes(1, 5 * MIB));
        connections.removeFirst().close();

        // when
        broker = broker.restarted();
        session = connection(broker.url()).createSession();

        // then
        assertThat(body(receive(session.createConsumer(queue())))).isEqualTo(bytes(1, 5 * MIB));
        connections.removeFirst().close();
        assertThat(partsInStore()).isZero();
    }

    @Test
    void shouldLeaveNothingOfAMessageWhoseConnectionBreaks() throws Exception {
        // given
        try (ThrottledProxy proxy = new ThrottledProxy(broker.port())) {
            Session cut = connection(proxy.url()).createSession();
            MessageProducer producer = cut.createProducer(queue());
            proxy.breakAfter(4 * MIB);

            // when
            assertThatThrownBy(() -> producer.send(message(cut, bytes(1, 16 * MIB))))
                    .isInstanceOf(JMSException.class);
        }
        send(queue(), bytes(2, 3 * MIB));

        // then
        MessageConsumer consumer = session.createConsumer(queue());
        assertThat(body(receive(consumer))).isEqualTo(bytes(2, 3 * MIB));
        JmsBroker.expectNothing(consumer);
        connections.removeFirst().close();
        assertThat(partsInStore()).isZero();
    }

    @Test
    void shouldBringAMessageAgainWhoseConsumerBreaks() throws Exception {
        // given
        send(queue(), bytes(1, 16 * MIB));
        try (ThrottledProxy proxy = new ThrottledProxy(broker.port())) {
            proxy.breakAfter(4 * MIB);
            Session cut = connection(proxy.url()).createSession();
            assertThatThrownBy(() -> cut.createConsumer(queue()).receive(20_000))
                    .isInstanceOf(JMSException.class);
        }

        // when
        BytesMessage received = receive(session.createConsumer(queue()));

        // then
        assertThat(received.getJMSRedelivered()).isTrue();
        assertThat(body(received)).isEqualTo(bytes(1, 16 * MIB));
    }

    @Test
    void shouldServeOthersWhileAConsumerStalls() throws Exception {
        // given
        for (int i = 0; i < 4; i++) {
            send(queue(), bytes(i, 6 * MIB));
        }
        try (ThrottledProxy proxy = new ThrottledProxy(broker.port())) {
            Session stalled = connection(proxy.url()).createSession();
            proxy.stallAfter(MIB);
            stalled.createConsumer(queue());
            proxy.awaitStall();

            // when
            MessageConsumer consumer = session.createConsumer(queue());
            List<Integer> received = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                received.add((int) body(receive(consumer))[0]);
            }

            // then
            assertThat(received)
                    .containsExactly(
                            (int) bytes(1, 1)[0], (int) bytes(2, 1)[0], (int) bytes(3, 1)[0]);

            // when
            proxy.goOn();

            // then
            JmsBroker.expectNothing(consumer);
            proxy.close();
            assertThat(body(receive(consumer))).isEqualTo(bytes(0, 6 * MIB));
        }
    }

    @Test
    void shouldShareMessagesAmongTheConsumersOfAConnection() throws Exception {
        // given
        Connection connection = connections.getFirst();
        MessageConsumer first = connection.createSession().createConsumer(queue());
        MessageConsumer second = connection.createSession().createConsumer(queue());

        // when
        for (int i = 0; i < 4; i++) {
            send(queue(), bytes(i, 9 * MIB));
        }

        // then
        List<byte[]> found = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            found.add(body(receive(first)));
            found.add(body(receive(second)));
        }
        assertThat(found)
                .containsExactlyInAnyOrder(
                        bytes(0, 9 * MIB), bytes(1, 9 * MIB), bytes(2, 9 * MIB), bytes(3, 9 * MIB));
    }

    @Test
    void shouldShowTheHeadersToABrowser() throws Exception {
        // given
        send(queue(), bytes(1, 5 * MIB));
        send(queue(), bytes(2, 10));

        // when
        List<Message> shown;
        try (QueueBrowser browser = session.createBrowser(queue(), "length > 0")) {
            shown = shown(browser);
        }

        // then
        assertThat(shown).hasSize(2);
        BytesMessage large = (BytesMessage) shown.getFirst();
        assertThat(large.getBodyLength()).isEqualTo(5 * MIB);
        assertThat(large.getIntProperty("length")).isEqualTo(5 * MIB);
        assertThatThrownBy(large::readByte)
                .isInstanceOf(MessageFormatException.class)
                .hasMessageContaining("headers");
        assertThat(body((BytesMessage) shown.get(1))).isEqualTo(bytes(2, 10));
        assertThat(body(receive(session.createConsumer(queue(), "length > 100"))))
                .isEqualTo(bytes(1, 5 * MIB));
    }

    @Test
    void shouldSendAndReceiveInTransactions() throws Exception {
        // given
        Session sending = connections.getFirst().createSession(Session.SESSION_TRANSACTED);
        Session receiving = connections.getFirst().createSession(Session.SESSION_TRANSACTED);
        MessageProducer producer = sending.createProducer(queue());
        MessageConsumer consumer = receiving.createConsumer(queue());

        // when
        producer.send(message(sending, bytes(1, 5 * MIB)));
        sending.rollback();
        producer.send(message(sending, bytes(2, 5 * MIB)));
        producer.send(sending.createTextMessage("with it"));
        JmsBroker.expectNothing(consumer);
        sending.commit();

        // then
        assertThat(body(receive(consumer))).isEqualTo(bytes(2, 5 * MIB));
        receiving.rollback();
        BytesMessage again = receive(consumer);
        assertThat(again.getJMSRedelivered()).isTrue();
        assertThat(body(again)).isEqualTo(bytes(2, 5 * MIB));
        assertThat(JmsBroker.text(consumer)).isEqualTo("with it");
        receiving.commit();
        connections.removeFirst().close();
        assertThat(partsInStore()).isZero();
    }

    @Test
    void shouldMoveAMessageToTheDeadLetters() throws Exception {
        // given
        send(queue(), bytes(1, 5 * MIB));
        Session receiving = connections.getFirst().createSession(Session.SESSION_TRANSACTED);
        MessageConsumer consumer = receiving.createConsumer(queue());

        // when
        for (int i = 0; i < 2; i++) {
            receive(consumer);
            receiving.rollback();
        }

        // then
        MessageConsumer dead = session.createConsumer(session.createQueue("winnow.dead"));
        BytesMessage buried = receive(dead);
        assertThat(buried.getStringProperty("JMS_WINNOW_DeadFrom")).isEqualTo("queue large");
        assertThat(body(buried)).isEqualTo(bytes(1, 5 * MIB));
    }

    @Test
    void shouldRefuseAMessageThatIsTooLong() throws Exception {
        // given
        Queue small = session.createQueue("short");

        // when
        assertThatThrownBy(() -> send(small, bytes(1, 4 * MIB)))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("queue.max-message-bytes is 3145728");

        // then
        send(small, bytes(2, 2 * MIB));
        assertThat(body(receive(session.createConsumer(small)))).isEqualTo(bytes(2, 2 * MIB));
    }

    @Test
    void shouldRefuseATransactionWithAMessageThatIsTooLong() throws Exception {
        // given
        Session sending = connections.getFirst().createSession(Session.SESSION_TRANSACTED);
        MessageProducer producer = sending.createProducer(session.createQueue("short"));

        // when
        assertThatThrownBy(() -> {
                    producer.send(message(sending, bytes(1, 4 * MIB)));
                    sending.commit();
                })
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("queue.max-message-bytes");
        sending.rollback();

        // then
        producer.send(message(sending, bytes(2, 2 * MIB)));
        sending.commit();
        assertThat(receive(session.createConsumer(session.createQueue("short"))).getBodyLength())
                .isEqualTo(2 * MIB);
    }

    @Test
    void shouldBringAMessageToStoredSubscriptionsOfATopic() throws Exception {
        // given
        Topic topic = session.createTopic("files");
        MessageConsumer all = session.createSharedDurableConsumer(topic, "all");
        MessageConsumer some = session.createSharedDurableConsumer(topic, "some", "length > 0");
        MessageConsumer none = session.createSharedDurableConsumer(topic, "none", "length = 0");

        // when
        session.createProducer(topic).send(message(session, bytes(1, 5 * MIB)));

        // then
        assertThat(body(receive(all))).isEqualTo(bytes(1, 5 * MIB));
        assertThat(body(receive(some))).isEqualTo(bytes(1, 5 * MIB));
        JmsBroker.expectNothing(none);
    }

    @Test
    void shouldRefuseALongMessageForLiveSubscribers() throws Exception {
        // given
        Topic topic = session.createTopic("files");
        MessageConsumer live = session.createConsumer(topic);
        MessageProducer producer = session.createProducer(topic);

        // when
        assertThatThrownBy(() -> producer.send(message(session, bytes(1, 5 * MIB))))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("transport.max-frame");

        // then
        producer.send(message(session, bytes(2, 3 * MIB / 2)));
        assertThat(body(receive(live))).isEqualTo(bytes(2, 3 * MIB / 2));
    }

    @Test
    void shouldBringAMessageToATemporaryQueue() throws Exception {
        // given
        Queue temporary = session.createTemporaryQueue();

        // when
        send(temporary, bytes(1, 5 * MIB));

        // then
        assertThat(body(receive(session.createConsumer(temporary)))).isEqualTo(bytes(1, 5 * MIB));
    }

    @Test
    void shouldRefuseToWriteMoreThanTheDiskMayTake() throws Exception {
        // given
        Session limited = connection(broker.url() + "?largeMessageDisk=4").createSession();
        BytesMessage message = limited.createBytesMessage();
        message.writeBytes(bytes(1, 3 * MIB));

        // then
        assertThatThrownBy(() -> message.writeBytes(bytes(1, 2 * MIB)))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("largeMessageDisk");

        // when
        message.clearBody();

        // then
        message.writeBytes(bytes(1, 4 * MIB));
    }
}

package winnow.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import winnow.wire.BodyType;
import winnow.wire.ErrorCode;
import winnow.wire.FrameType;
import winnow.wire.MessageBlock;
import winnow.wire.Protocol;
import winnow.wire.WireWriter;
import winnow.wire.frame.ControlFrame;
import winnow.wire.frame.DeliveryCut;
import winnow.wire.frame.DeliveryInParts;
import winnow.wire.frame.DeliveryPart;
import winnow.wire.frame.PartsRefused;

/// Messages in parts, with a broker that does what a test wants.
class PartsTest {
    private static final long DEADLINE_MILLIS = 10_000;
    private static final int LENGTH = 3 << 20;

    private ScriptedBroker broker;
    private Connection connection;
    private Session session;

    @BeforeEach
    void connect() throws IOException, JMSException {
        connect(Protocol.STORED | Protocol.PARTS, 2 << 20);
    }

    private void connect(long capabilities, int window) throws IOException, JMSException {
        broker = new ScriptedBroker(window, 0);
        broker.onHello(hello -> ScriptedBroker.welcome(window, 0, capabilities));
        connection = broker.factory("sendTimeout=10000").createConnection();
        connection.start();
        session = connection.createSession();
    }

    @AfterEach
    void close() throws IOException, JMSException {
        connection.close();
        broker.close();
    }

    private static byte[] bytes(int seed, int length) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private BytesMessage message(int length) throws JMSException {
        BytesMessage message = session.createBytesMessage();
        message.writeBytes(bytes(1, length));
        return message;
    }

    private MessageProducer producer() throws JMSException {
        MessageProducer producer = session.createProducer(session.createQueue("large"));
        producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
        return producer;
    }

    @Test
    void shouldGiveUpWhenTheBrokerRefuses() throws Exception {
        // given
        MessageProducer producer = producer();
        Thread refusing =
                new Thread(() -> {
                    broker.await(FrameType.PUBLISH_PART);
                    refuse(1);
                });
        refusing.start();

        // when
        assertThatThrownBy(() -> producer.send(message(LENGTH)))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("as the test wants it");

        // then
        refusing.join();
        assertThat(broker.await(FrameType.CANCEL_PARTS).handle()).isEqualTo(1);
    }

    private void refuse(long number) {
        try {
            int code = ErrorCode.LIMIT_EXCEEDED.number();
            broker.send(new PartsRefused(1, number, code, "as the test wants it"));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldTakeALateRefusalForTheMessageThatItIsAbout() throws Exception {
        // given
        MessageProducer producer = producer();
        producer.send(message((1 << 20) + 1));
        Thread refusing =
                new Thread(() -> {
                    broker.await(FrameType.PUBLISH_IN_PARTS);
                    broker.await(FrameType.PUBLISH_IN_PARTS);
                    refuse(1);
                    try {
                        broker.grant(1, LENGTH);
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                });
        refusing.start();

        // when
        producer.send(message(LENGTH));

        // then
        refusing.join();
        connection.close();
        assertThat(broker.poll(FrameType.CANCEL_PARTS)).isNull();
    }

    @Test
    void shouldNotCountWhatWasNotBegun() throws Exception {
        // given
        close();
        connect(Protocol.STORED | Protocol.PARTS, 1);
        connection.close();
        connection = broker.factory("sendTimeout=1000").createConnection();
        session = connection.createSession();
        MessageProducer producer = producer();
        producer.send(message(1));
        assertThatThrownBy(() -> producer.send(message(LENGTH)))
                .hasMessageContaining("sendTimeout");
        Thread refusing =
                new Thread(() -> {
                    broker.await(FrameType.PUBLISH_IN_PARTS);
                    refuse(1);
                });
        refusing.start();

        // when
        broker.grant(1, 1 << 20);

        // then
        assertThatThrownBy(() -> producer.send(message(LENGTH)))
                .hasMessageContaining("as the test wants it");
        refusing.join();
    }

    @Test
    void shouldCancelWhatFindsNoCreditInTime() throws Exception {
        // given
        close();
        connect(Protocol.STORED | Protocol.PARTS, 1 << 19);
        connection.close();
        connection = broker.factory("sendTimeout=200").createConnection();
        session = connection.createSession();

        // then
        assertThatThrownBy(() -> producer().send(message(LENGTH)))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("sendTimeout");
        broker.await(FrameType.CANCEL_PARTS);
    }

    @Test
    void shouldRefuseALongMessageWhereTheBrokerKnowsNoParts() throws Exception {
        // given
        close();
        connect(Protocol.STORED, 1 << 20);

        // then
        assertThatThrownBy(() -> producer().send(message(LENGTH)))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("transport.max-frame");
    }

    private static void begin(WireWriter out, int consumer, long delivery, int bodyBytes) {
        byte[] head = {(byte) (BodyType.BYTES.number() << MessageBlock.BODY_TYPE_SHIFT), 0};
        DeliveryInParts.write(out, consumer, delivery, 0, bodyBytes, head.length);
        out.writeRaw(head, 0, head.length);
    }

    private static void part(WireWriter out, int consumer, byte[] part) {
        DeliveryPart.write(out, consumer, part.length);
        out.writeRaw(part, 0, part.length);
    }

    @Test
    void shouldForgetWhatIsCutAndGoOn() throws Exception {
        // given
        MessageConsumer consumer = session.createConsumer(session.createQueue("large"));
        int id = broker.consumers().get(0).consumer();
        WireWriter out = new WireWriter(1024);

        // when
        begin(out, id, 1, 10);
        part(out, id, bytes(1, 4));
        new DeliveryCut(id).write(out);
        begin(out, id, 2, 10);
        part(out, id, bytes(2, 7));
        part(out, id, bytes(3, 3));
        broker.sendBytes(out.toByteArray());
        broker.deliverStored(id, 3, 0, TestMessages.texts("next"));

        // then
        BytesMessage received = (BytesMessage) consumer.receive(DEADLINE_MILLIS);
        assertThat(received.getBodyLength()).isEqualTo(10);
        byte[] first = new byte[7];
        received.readBytes(first);
        assertThat(first).isEqualTo(bytes(2, 7));
        TextMessage next = (TextMessage) consumer.receive(DEADLINE_MILLIS);
        assertThat(next.getText()).isEqualTo("next");
    }

    @Test
    void shouldEndAConnectionWhosePartsBelongToNothing() throws Exception {
        // given
        MessageConsumer consumer = session.createConsumer(session.createQueue("large"));
        int id = broker.consumers().get(0).consumer();
        WireWriter out = new WireWriter(1024);

        // when
        begin(out, id, 1, 10);
        part(out, id, bytes(1, 11));
        broker.sendBytes(out.toByteArray());

        // then
        ControlFrame.Goodbye goodbye =
                (ControlFrame.Goodbye) broker.await(FrameType.GOODBYE).control();
        assertThat(goodbye.code()).isEqualTo(ErrorCode.UNEXPECTED_FRAME.number());
        assertThatThrownBy(() -> consumer.receive(DEADLINE_MILLIS))
                .isInstanceOf(JMSException.class);
    }

    @Test
    void shouldEndAConnectionThatBringsMoreThanTheDiskMayTake() throws Exception {
        // given
        connection.close();
        connection = broker.factory("largeMessageDisk=1").createConnection();
        connection.start();
        session = connection.createSession();
        MessageConsumer consumer = session.createConsumer(session.createQueue("large"));
        int id = broker.consumers().get(0).consumer();
        WireWriter out = new WireWriter(1024);

        // when
        begin(out, id, 1, 3 << 20);
        part(out, id, bytes(1, 1 << 20));
        part(out, id, bytes(1, 1 << 20));
        broker.sendBytes(out.toByteArray());

        // then
        assertThatThrownBy(() -> consumer.receive(DEADLINE_MILLIS))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("largeMessageDisk");
    }

    @Test
    void shouldEndAConnectionWhoseFolderCannotBeUsed() throws Exception {
        // given
        connection.close();
        connection = broker.factory("largeMessageFolder=/no/such/folder").createConnection();
        connection.start();
        session = connection.createSession();
        MessageConsumer consumer = session.createConsumer(session.createQueue("large"));
        int id = broker.consumers().get(0).consumer();
        WireWriter out = new WireWriter(1024);

        // when
        begin(out, id, 1, 10);
        broker.sendBytes(out.toByteArray());

        // then
        assertThatThrownBy(() -> consumer.receive(DEADLINE_MILLIS))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("/no/such/folder");
    }
}

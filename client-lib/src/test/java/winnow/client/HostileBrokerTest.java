package winnow.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.io.IOException;
import java.util.Collections;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import winnow.wire.BodyType;
import winnow.wire.DeliveryRanges;
import winnow.wire.ErrorCode;
import winnow.wire.FrameType;
import winnow.wire.MessageBlock;
import winnow.wire.Protocol;
import winnow.wire.WireWriter;
import winnow.wire.frame.ControlFrame;
import winnow.wire.frame.DeliveryInParts;
import winnow.wire.frame.DeliveryPart;
import winnow.wire.frame.Reject;
import winnow.wire.frame.StoredDelivery;

/// Brokers that send more than a client can keep, or more than they may.
class HostileBrokerTest {
    private static final long DEADLINE_MILLIS = 10_000;
    private static final int WINDOW = 10;
    private static final int LONG = 2 << 20;

    private ScriptedBroker broker;
    private Connection connection;
    private Session session;

    @BeforeEach
    void connect() throws IOException, JMSException {
        broker = new ScriptedBroker();
        broker.onHello(hello ->
                new ControlFrame.Welcome(
                        Protocol.MAJOR_VERSION,
                        Protocol.MINOR_VERSION,
                        Protocol.STORED | Protocol.PARTS | Protocol.RECALL,
                        ScriptedBroker.CONNECTION_ID,
                        0,
                        Integer.MAX_VALUE,
                        1 << 20,
                        "hostile",
                        null));
        connection =
                broker.factory(
                                "prefetchMessages=10&queuePrefetchMessages=10"
                                        + "&maxMessageBytes=1000000")
                        .createConnection();
        connection.start();
        session = connection.createSession();
    }

    @AfterEach
    void close() throws IOException, JMSException {
        connection.close();
        broker.close();
    }

    private MessageConsumer queueConsumer() throws JMSException {
        return session.createConsumer(session.createQueue("orders"));
    }

    private int consumerId() {
        return broker.consumers().get(0).consumer();
    }

    private static byte[][] messages(int count) throws JMSException {
        return TestMessages.texts(Collections.nCopies(count, "x").toArray(String[]::new));
    }

    private void expectEnd(ErrorCode code, MessageConsumer consumer, String text) {
        ControlFrame.Goodbye goodbye =
                (ControlFrame.Goodbye) broker.await(FrameType.GOODBYE).control();
        assertThat(goodbye.code()).isEqualTo(code.number());
        assertThat(goodbye.message()).contains(text);
        assertThatThrownBy(
                        () -> {
                            while (consumer.receive(DEADLINE_MILLIS) != null) {}
                        })
                .isInstanceOf(JMSException.class)
                .hasMessageContaining(text);
    }

    @Test
    void shouldEndTheConnectionWhenLiveMessagesExceedTheCredit() throws Exception {
        // given
        MessageConsumer consumer = session.createConsumer(session.createTopic("news"));
        int id = broker.subscriptionIds().iterator().next();

        // when
        broker.deliver(id, messages(WINDOW + Protocol.PASSING_MESSAGES + 1));

        // then
        expectEnd(ErrorCode.FLOW_CONTROL_VIOLATION, consumer, "credit");
    }

    @Test
    void shouldEndTheConnectionWhenStoredMessagesExceedTheCredit() throws Exception {
        // given
        MessageConsumer consumer = queueConsumer();

        // when
        broker.deliverStored(consumerId(), 1, 0, messages(WINDOW + Protocol.PASSING_MESSAGES + 1));

        // then
        expectEnd(ErrorCode.FLOW_CONTROL_VIOLATION, consumer, "credit");
    }

    @Test
    void shouldCountMessagesThatWereFetchedAndNotReceived() throws Exception {
        // given
        MessageConsumer consumer = queueConsumer();
        int many = WINDOW + Protocol.PASSING_MESSAGES - 6;
        broker.deliverStored(consumerId(), 1, 0, messages(many));
        assertThat(consumer.receive(DEADLINE_MILLIS)).isNotNull();

        // when
        broker.deliverStored(consumerId(), 1 + many, 0, messages(many));

        // then
        expectEnd(ErrorCode.FLOW_CONTROL_VIOLATION, consumer, "credit");
    }

    @Test
    void shouldEndTheConnectionWhenAMessageComesBeforeStart() throws Exception {
        // given
        connection.close();
        connection = broker.factory().createConnection();
        session = connection.createSession();
        broker.await(FrameType.GOODBYE);
        MessageConsumer consumer = queueConsumer();
        assertThat(broker.consumers()).allMatch(one -> one.creditMessages() == 0);

        // when
        broker.deliverStored(consumerId(), 1, 0, messages(1));

        // then
        expectEnd(ErrorCode.FLOW_CONTROL_VIOLATION, consumer, "credit");
    }

    private static void begin(WireWriter out, int consumer, long delivery, int bodyBytes) {
        byte[] head = {(byte) (BodyType.TEXT.number() << MessageBlock.BODY_TYPE_SHIFT), 0};
        DeliveryInParts.write(out, consumer, delivery, 0, bodyBytes, head.length);
        out.writeRaw(head, 0, head.length);
    }

    @Test
    void shouldRejectATextThatDoesNotFitBeforeItComes() throws Exception {
        // given
        MessageConsumer consumer = queueConsumer();
        WireWriter out = new WireWriter(1024);

        // when
        begin(out, consumerId(), 1, Integer.MAX_VALUE);
        byte[] part = new byte[1000];
        DeliveryPart.write(out, consumerId(), part.length);
        out.writeRaw(part, 0, part.length);
        broker.sendBytes(out.toByteArray());

        // then
        Reject reject = (Reject) broker.await(FrameType.REJECT).control();
        assertThat(reject.deliveries()).isEqualTo(DeliveryRanges.of(1));
        broker.deliverStored(consumerId(), 2, 0, TestMessages.texts("next"));
        assertThat(((TextMessage) consumer.receive(DEADLINE_MILLIS)).getText()).isEqualTo("next");
    }

    @Test
    void shouldRejectALongMessageOfOneFrame() throws Exception {
        // given
        MessageConsumer consumer = queueConsumer();
        byte[] block = TestMessages.text("x".repeat(LONG));
        WireWriter out = new WireWriter(LONG);

        // when
        StoredDelivery.write(out, consumerId(), 1, 0, block.length);
        out.writeRaw(block, 0, block.length);
        broker.sendBytes(out.toByteArray());

        // then
        Reject reject = (Reject) broker.await(FrameType.REJECT).control();
        assertThat(reject.deliveries()).isEqualTo(DeliveryRanges.of(1));
        broker.deliverStored(consumerId(), 2, 0, TestMessages.texts("next"));
        assertThat(((TextMessage) consumer.receive(DEADLINE_MILLIS)).getText()).isEqualTo("next");
    }

    @Test
    void shouldLeaveOutALongMessageOfALiveSubscription() throws Exception {
        // given
        MessageConsumer consumer = session.createConsumer(session.createTopic("news"));
        int id = broker.subscriptionIds().iterator().next();

        // when
        broker.deliver(id, TestMessages.texts("first", "x".repeat(LONG), "next"));

        // then
        assertThat(((TextMessage) consumer.receive(DEADLINE_MILLIS)).getText()).isEqualTo("first");
        assertThat(((TextMessage) consumer.receive(DEADLINE_MILLIS)).getText()).isEqualTo("next");
        assertThat(broker.await(FrameType.CONSUMER_CREDIT).varints())
                .startsWith(id, 1)
                .element(2)
                .matches(bytes -> bytes > LONG);
    }

    @Test
    void shouldEndTheConnectionWhenAnotherFrameIsTooLong() throws Exception {
        // given
        MessageConsumer consumer = queueConsumer();
        WireWriter out = new WireWriter(128);
        int mark = out.beginFrame(FrameType.NAMES);
        byte[] read = new byte[100_000];
        out.writeRaw(read, 0, read.length);
        out.endFrame(mark, 2_000_000_000);

        // when
        broker.sendBytes(out.toByteArray());

        // then
        expectEnd(ErrorCode.FRAME_TOO_LARGE, consumer, "maxMessageBytes");
    }
}

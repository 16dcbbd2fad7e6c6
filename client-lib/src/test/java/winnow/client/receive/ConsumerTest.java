package winnow.client.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidSelectorException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import winnow.client.Awaiting;
import winnow.client.ScriptedBroker;
import winnow.client.TestMessages;
import winnow.client.WinnowConnectionFactory;
import winnow.wire.ErrorCode;
import winnow.wire.FrameType;
import winnow.wire.WireWriter;
import winnow.wire.frame.ControlFrame;

class ConsumerTest {
    private static final long DEADLINE_MILLIS = 10_000;
    private static final int RACES = 500;

    private ScriptedBroker broker;
    private Connection connection;
    private Session session;
    private Topic topic;

    @BeforeEach
    void connect() throws Exception {
        broker = new ScriptedBroker();
        WinnowConnectionFactory factory = broker.factory("maxUnacknowledgedBytes=1");
        factory.setPrefetchMessages(8);
        connection = factory.createConnection();
        session = connection.createSession();
        topic = session.createTopic("prices");
        connection.start();
    }

    @AfterEach
    void disconnect() throws Exception {
        connection.close();
        broker.close();
    }

    private static String text(@Nullable Message message) throws JMSException {
        assertThat(message).isInstanceOf(TextMessage.class);
        return message instanceof TextMessage text ? text.getText() : "";
    }

    private static String receive(MessageConsumer consumer) throws JMSException {
        return text(consumer.receive(DEADLINE_MILLIS));
    }

    @Test
    void shouldReceiveWhenStartedWhileTheConsumerIsCreated() throws Exception {
        for (int i = 0; i < RACES; i++) {
            // given
            connection.stop();
            CompletableFuture<MessageConsumer> created = new CompletableFuture<>();
            Thread creator =
                    new Thread(() -> {
                        try {
                            created.complete(session.createConsumer(topic));
                        } catch (JMSException e) {
                            created.completeExceptionally(e);
                        }
                    });

            // when
            creator.start();
            broker.await(FrameType.SUBSCRIBE);
            connection.start();

            // then
            MessageConsumer consumer = created.get(DEADLINE_MILLIS, TimeUnit.MILLISECONDS);
            broker.deliver(1, TestMessages.text("hello"));
            assertThat(receive(consumer)).isEqualTo("hello");
            consumer.close();
        }
    }

    @Test
    void shouldSubscribeWithSelectorFilterAndWindow() throws Exception {
        // when
        MessageConsumer consumer =
                session.createConsumer(
                        session.createTopic("prices?correlationId=[#7;#13]"), "p > 3", true);

        // then
        ControlFrame.Subscribe subscribe =
                (ControlFrame.Subscribe) broker.await(FrameType.SUBSCRIBE).control();
        assertThat(subscribe.source().destination()).isEqualTo("prices");
        assertThat(subscribe.source().selector()).isEqualTo("p > 3");
        assertThat(subscribe.source().correlationIdFilter()).isEqualTo("[#7;#13]");
        assertThat(subscribe.noLocal()).isTrue();
        assertThat(subscribe.creditMessages()).isEqualTo(8);
        assertThat(subscribe.creditBytes())
                .isEqualTo(8 * 1024 * 1024 - 8 * PrefetchWindow.MESSAGE_HEAP_BYTES);
        assertThat(consumer.getMessageSelector()).isEqualTo("p > 3");
    }

    @Test
    void shouldRefuseWhatTheBrokerWouldEndTheConnectionFor() throws Exception {
        // given
        String selector = "name = '" + "x".repeat(1024 * 1024) + "'";
        Topic named = session.createTopic("x".repeat(1024 * 1024));

        // when, then
        assertThatThrownBy(() -> session.createConsumer(topic, selector))
                .isInstanceOf(ResourceAllocationException.class)
                .hasMessageContaining("Subscribe is too long: expected at most 1048576 bytes")
                .hasMessageContaining("transport.max-frame");
        assertThatThrownBy(() -> session.createProducer(named))
                .isInstanceOf(ResourceAllocationException.class)
                .hasMessageContaining("Open is too long: expected at most 1048576 bytes");
        MessageConsumer consumer = session.createConsumer(topic);
        broker.deliver(1, TestMessages.text("hello"));
        assertThat(receive(consumer)).isEqualTo("hello");
    }

    @Test
    void shouldReportARefusedSelector() throws Exception {
        // given
        broker.holdAnswers(FrameType.SUBSCRIBE);
        CompletableFuture<MessageConsumer> created = new CompletableFuture<>();
        Thread creator =
                new Thread(() -> {
                    try {
                        created.complete(session.createConsumer(topic, "p >"));
                    } catch (JMSException e) {
                        created.completeExceptionally(e);
                    }
                });

        // when
        creator.start();
        ControlFrame.Subscribe subscribe =
                (ControlFrame.Subscribe) broker.await(FrameType.SUBSCRIBE).control();
        broker.send(
                new ControlFrame.Refused(
                        subscribe.requestId(), ErrorCode.INVALID_SELECTOR.number(), "column 4"));

        // then
        assertThatThrownBy(() -> created.get(10, TimeUnit.SECONDS))
                .cause()
                .isInstanceOf(InvalidSelectorException.class)
                .hasMessage("column 4");
    }

    @Test
    void shouldReceiveInOrder() throws Exception {
        // given
        MessageConsumer consumer = session.createConsumer(topic);

        // when
        broker.deliver(1, TestMessages.text("a"), TestMessages.text("b"));

        // then
        Message first = consumer.receive(DEADLINE_MILLIS);
        assertThat(text(first)).isEqualTo("a");
        assertThat(first.getJMSDestination()).isEqualTo(topic);
        assertThat(first.getJMSRedelivered()).isFalse();
        assertThat(first.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
        assertThat(receive(consumer)).isEqualTo("b");
        assertThat(consumer.receiveNoWait()).isNull();
        assertThat(consumer.receive(1)).isNull();
    }

    @Test
    void shouldGiveASharedDeliveryToEachConsumerAsItsOwnMessage() throws Exception {
        // given
        MessageConsumer one = session.createConsumer(topic);
        MessageConsumer two = session.createConsumer(topic);
        byte[] block = TestMessages.text("shared");
        WireWriter out = new WireWriter(64);
        int mark = out.beginFrame(FrameType.SHARED_DELIVERY);
        out.writeByte(0);
        out.writeVarint(block.length);
        out.writeRaw(block, 0, block.length);
        out.writeVarint(1);
        out.writeVarint(2);
        out.endFrame(mark);

        // when
        broker.sendBytes(out.toByteArray());

        // then
        Message first = one.receive(DEADLINE_MILLIS);
        Message second = two.receive(DEADLINE_MILLIS);
        assertThat(text(first)).isEqualTo("shared");
        assertThat(text(second)).isEqualTo("shared");
        assertThat(first).isNotSameAs(second);
    }

    @Test
    void shouldNotDeliverExpiredMessages() throws Exception {
        // given
        MessageConsumer consumer = session.createConsumer(topic);

        // when
        broker.deliver(
                1,
                TestMessages.expiringAt("old", 1),
                TestMessages.expiringAt("fresh", Long.MAX_VALUE));

        // then
        assertThat(receive(consumer)).isEqualTo("fresh");
    }

    @Test
    void shouldGiveCreditBackByTheQuarterWindow() throws Exception {
        // given
        MessageConsumer consumer = session.createConsumer(topic);
        byte[] block = TestMessages.text("x");
        int frameBytes = 4 + 1 + 1 + 1 + block.length;

        // when
        broker.deliver(1, block, block, block);
        receive(consumer);
        receive(consumer);
        receive(consumer);

        // then
        assertThat(broker.await(FrameType.CONSUMER_CREDIT).varints())
                .containsExactly(1, 2, 2 * frameBytes);
    }

    @Test
    void shouldReturnNullFromReceiveWhenClosedMeanwhile() throws Exception {
        // given
        MessageConsumer consumer = session.createConsumer(topic);
        CompletableFuture<Boolean> gotNull = new CompletableFuture<>();
        Thread receiver =
                new Thread(() -> {
                    try {
                        gotNull.complete(consumer.receive() == null);
                    } catch (JMSException e) {
                        gotNull.completeExceptionally(e);
                    }
                });
        receiver.start();
        Awaiting.until(() -> receiver.getState() == Thread.State.TIMED_WAITING);

        // when
        consumer.close();

        // then
        assertThat(gotNull.get(10, TimeUnit.SECONDS)).isTrue();
        broker.await(FrameType.UNSUBSCRIBE);
        assertThatThrownBy(consumer::receiveNoWait).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldHoldMessagesBackWhileStopped() throws Exception {
        // given
        MessageConsumer consumer = session.createConsumer(topic);
        connection.stop();

        // when
        broker.deliver(1, TestMessages.text("a"));
        session.createConsumer(topic).close();

        // then
        assertThat(consumer.receiveNoWait()).isNull();
        connection.start();
        assertThat(receive(consumer)).isEqualTo("a");
    }

    @Test
    void shouldDeliverUnacknowledgedMessagesAgainAfterRecover() throws Exception {
        // given
        Session client = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = client.createConsumer(topic);
        broker.deliver(1, TestMessages.text("a"), TestMessages.text("b"), TestMessages.text("c"));
        consumer.receive(DEADLINE_MILLIS).acknowledge();
        Message changed = consumer.receive(DEADLINE_MILLIS);
        changed.clearBody();

        // when
        client.recover();

        // then
        Message again = consumer.receive(DEADLINE_MILLIS);
        assertThat(text(again)).isEqualTo("b");
        assertThat(again.getJMSRedelivered()).isTrue();
        assertThat(again.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
        assertThat(receive(consumer)).isEqualTo("c");
        client.recover();
        assertThat(receive(consumer)).isEqualTo("b");
        Message last = consumer.receive(DEADLINE_MILLIS);
        assertThat(text(last)).isEqualTo("c");
        assertThat(last.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
        last.acknowledge();
        client.recover();
        assertThat(consumer.receiveNoWait()).isNull();
    }

    @Test
    void shouldKeepAutoAcknowledgedMessagesAcknowledged() throws Exception {
        // given
        MessageConsumer consumer = session.createConsumer(topic);
        broker.deliver(1, TestMessages.text("a"), TestMessages.text("b"));
        receive(consumer);

        // when
        session.recover();

        // then
        assertThat(receive(consumer)).isEqualTo("b");
        assertThat(consumer.receiveNoWait()).isNull();
    }

    @Test
    void shouldNotAcknowledgeInAClosedSession() throws Exception {
        // given
        Session client = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = client.createConsumer(topic);
        broker.deliver(1, TestMessages.text("a"));
        Message message = consumer.receive(DEADLINE_MILLIS);

        // when
        client.close();

        // then
        assertThatThrownBy(message::acknowledge).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(client::createMessage).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldRefuseToReceiveBesideAListener() throws Exception {
        // given
        MessageConsumer listening = session.createConsumer(topic);
        MessageConsumer other = session.createConsumer(topic);
        listening.setMessageListener(message -> {});

        // when, then
        assertThatThrownBy(listening::receiveNoWait).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(other::receiveNoWait).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldReadADamagedBlockAsAMessageThatCannotBeRead() throws Exception {
        // given
        MessageConsumer consumer = session.createConsumer(topic);

        // when
        broker.deliver(1, new byte[] {0, (byte) 0xFF}, TestMessages.text("good"));

        // then
        Message damaged = consumer.receive(DEADLINE_MILLIS);
        assertThatThrownBy(damaged::getJMSMessageID)
                .isInstanceOf(jakarta.jms.MessageFormatException.class);
        assertThat(receive(consumer)).isEqualTo("good");
    }

    @Test
    void shouldReadPropertiesByNumber() throws Exception {
        // given
        MessageConsumer consumer = session.createConsumer(topic);
        broker.send(new ControlFrame.Names(1, List.of("region", "size")));
        WireWriter block = new WireWriter(32);
        block.writeByte(1 << 4);
        block.writeByte(0);
        block.writeBytes(new byte[] {2, 5, 0, 0, 0, 42});

        // when
        broker.deliver(1, block.toByteArray());

        // then
        Message message = consumer.receive(DEADLINE_MILLIS);
        assertThat(message.getIntProperty("size")).isEqualTo(42);
        assertThat(message.propertyExists("region")).isFalse();
    }

    private MessageConsumer unacknowledged(Session client, int messages) throws Exception {
        MessageConsumer consumer = client.createConsumer(topic);
        byte[] block = TestMessages.text("x");
        for (int i = 0; i < messages; i++) {
            broker.deliver(1, block);
            receive(consumer);
        }
        // What was granted leaves before the next request.
        session.createProducer(topic).close();
        assertThat(broker.poll(FrameType.CONSUMER_CREDIT)).isNull();
        return consumer;
    }

    @Test
    void shouldGiveNoCreditForWhatIsNotAcknowledged() throws Exception {
        // given
        Session client = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = unacknowledged(client, 7);
        broker.deliver(1, TestMessages.text("x"));

        // when
        consumer.receive(DEADLINE_MILLIS).acknowledge();

        // then
        int granted = 0;
        while (granted < 8) {
            List<Integer> grants = broker.await(FrameType.CONSUMER_CREDIT).varints();
            for (int i = 0; i < grants.size(); i += 3) {
                assertThat(grants.get(i)).isEqualTo(1);
                granted += grants.get(i + 1);
            }
        }
        assertThat(granted).isEqualTo(8);
    }

    @Test
    void shouldCountAMessageOnceThatIsRecoveredAndThenAcknowledged() throws Exception {
        // given
        Session client = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = unacknowledged(client, 2);

        // when
        client.recover();
        receive(consumer);
        consumer.receive(DEADLINE_MILLIS).acknowledge();

        // then
        List<Integer> grants = broker.await(FrameType.CONSUMER_CREDIT).varints();
        assertThat(grants.subList(0, 2)).containsExactly(1, 2);
        session.createProducer(session.createTopic("other")).close();
        assertThat(broker.poll(FrameType.CONSUMER_CREDIT)).isNull();
    }

    @Test
    void shouldForgetUnacknowledgedMessagesOfAClosedConsumer() throws Exception {
        // given
        Session client = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = unacknowledged(client, 2);

        // when
        consumer.close();
        client.recover();

        // then
        MessageConsumer next = client.createConsumer(topic);
        assertThat(next.receiveNoWait()).isNull();
    }
}

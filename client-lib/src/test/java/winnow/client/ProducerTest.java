package winnow.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageProducer;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import winnow.client.error.ErrorCodes;
import winnow.client.message.UnwritableMessage;
import winnow.wire.ErrorCode;
import winnow.wire.FrameType;
import winnow.wire.MessageBlock;
import winnow.wire.frame.ControlFrame;

class ProducerTest {
    private static final int WINDOW = 500;

    private ScriptedBroker broker;
    private Connection connection;
    private Session session;
    private Topic topic;

    @BeforeEach
    void connect() throws Exception {
        broker = new ScriptedBroker(WINDOW, 0);
        WinnowConnectionFactory factory = broker.factory();
        factory.setCloseTimeout(200);
        connection = factory.createConnection();
        session = connection.createSession();
        topic = session.createTopic("prices");
    }

    @AfterEach
    void disconnect() throws Exception {
        connection.close();
        broker.close();
    }

    private MessageProducer unconfirmed() throws JMSException {
        MessageProducer producer = session.createProducer(topic);
        producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
        return producer;
    }

    private static CompletableFuture<Void> inBackground(Send send) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        Thread thread =
                new Thread(() -> {
                    try {
                        send.run();
                        done.complete(null);
                    } catch (JMSException | RuntimeException e) {
                        done.completeExceptionally(e);
                    }
                });
        thread.setDaemon(true);
        thread.start();
        return done;
    }

    private interface Send {
        void run() throws JMSException;
    }

    @Test
    void shouldSetHeadersAndWriteThem() throws Exception {
        // given
        MessageProducer producer = session.createProducer(topic);
        Message message = session.createTextMessage("x");

        // when
        long before = System.currentTimeMillis();
        producer.send(message, DeliveryMode.NON_PERSISTENT, 7, 60_000);

        // then
        ScriptedBroker.Frame frame = broker.await(FrameType.PUBLISH);
        MessageBlock block = new MessageBlock();
        block.parse(frame.block(), 0, frame.block().length);
        assertThat(frame.wantsConfirmation()).isFalse();
        assertThat(block.persistent()).isFalse();
        assertThat(block.priority()).isEqualTo(7);
        assertThat(block.messageConnectionId()).isEqualTo(ScriptedBroker.CONNECTION_ID);
        assertThat(block.messageSequence()).isEqualTo(1);
        assertThat(block.timestamp()).isEqualTo(message.getJMSTimestamp());
        assertThat(block.expiration()).isEqualTo(message.getJMSExpiration());
        assertThat(message.getJMSTimestamp()).isGreaterThanOrEqualTo(before);
        assertThat(message.getJMSExpiration()).isEqualTo(message.getJMSTimestamp() + 60_000);
        assertThat(message.getJMSDeliveryTime()).isEqualTo(message.getJMSTimestamp());
        assertThat(message.getJMSMessageID()).isEqualTo("ID:0123456789abcdef-1");
        assertThat(message.getJMSDestination()).isEqualTo(topic);
        assertThat(message.getJMSPriority()).isEqualTo(7);
        assertThat(message.getJMSDeliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
    }

    @Test
    void shouldNotExpireAfterTheLongestTimeToLive() throws Exception {
        // given
        MessageProducer producer = unconfirmed();
        producer.setTimeToLive(Long.MAX_VALUE);
        Message message = session.createMessage();

        // when
        producer.send(message);

        // then
        byte[] bytes = broker.await(FrameType.PUBLISH).block();
        MessageBlock block = new MessageBlock();
        block.parse(bytes, 0, bytes.length);
        assertThat(block.expiration()).isEqualTo(Long.MAX_VALUE);
        assertThat(message.getJMSExpiration()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void shouldLeaveOutWhatIsDisabled() throws Exception {
        // given
        MessageProducer producer = unconfirmed();
        producer.setDisableMessageID(true);
        producer.setDisableMessageTimestamp(true);
        Message message = session.createMessage();

        // when
        long before = System.currentTimeMillis();
        producer.send(message);

        // then
        ScriptedBroker.Frame frame = broker.await(FrameType.PUBLISH);
        MessageBlock block = new MessageBlock();
        block.parse(frame.block(), 0, frame.block().length);
        assertThat(block.has(MessageBlock.HAS_MESSAGE_ID)).isFalse();
        assertThat(block.has(MessageBlock.HAS_TIMESTAMP)).isFalse();
        assertThat(block.deliveryTime()).isEqualTo(message.getJMSDeliveryTime());
        assertThat(message.getJMSMessageID()).isNull();
        assertThat(message.getJMSTimestamp()).isZero();
        assertThat(message.getJMSDeliveryTime()).isGreaterThanOrEqualTo(before);
    }

    @Test
    void shouldReturnFromAPersistentSendWhenItIsConfirmed() throws Exception {
        // given
        MessageProducer producer = session.createProducer(topic);
        Message message = session.createMessage();

        // when
        CompletableFuture<Void> sent = inBackground(() -> producer.send(message));
        ScriptedBroker.Frame frame = broker.await(FrameType.PUBLISH);

        // then
        assertThat(frame.wantsConfirmation()).isTrue();
        assertThat(sent).isNotDone();
        broker.send(new ControlFrame.Published(1));
        sent.get(10, TimeUnit.SECONDS);
    }

    @Test
    void shouldThrowWhenAPersistentSendIsRefused() throws Exception {
        // given
        MessageProducer producer = session.createProducer(topic);
        Message message = session.createMessage();

        // when
        CompletableFuture<Void> sent = inBackground(() -> producer.send(message));
        broker.await(FrameType.PUBLISH);
        broker.send(
                new ControlFrame.PublishRefused(
                        1, 1, ErrorCode.NOT_AUTHORIZED.number(), "not yours"),
                new ControlFrame.Published(1));

        // then
        assertThatThrownBy(() -> sent.get(10, TimeUnit.SECONDS))
                .hasRootCauseMessage("not yours")
                .cause()
                .isInstanceOf(jakarta.jms.JMSSecurityException.class);
    }

    @Test
    void shouldTellTheNextSendOfARefusalThatNobodyWaitedFor() throws Exception {
        // given
        MessageProducer producer = unconfirmed();
        producer.send(session.createMessage());
        broker.await(FrameType.PUBLISH);

        // when
        broker.send(
                new ControlFrame.PublishRefused(
                        0, 1, ErrorCode.LIMIT_EXCEEDED.number(), "too many"));
        session.createProducer(session.createTopic("other")).close();

        // then
        assertThatThrownBy(() -> producer.send(session.createMessage()))
                .isInstanceOf(ResourceAllocationException.class)
                .hasMessageContaining("an earlier message to 'prices'")
                .hasMessageEndingWith("not sent: too many");
        assertThat(broker.poll(FrameType.PUBLISH)).isNull();
        producer.send(session.createMessage());
        broker.await(FrameType.PUBLISH);
    }

    @Test
    void shouldStopWithoutCreditAndGoOnWithIt() throws Exception {
        // given
        MessageProducer producer = unconfirmed();
        Message message = session.createTextMessage("x".repeat(WINDOW));
        producer.send(message);
        int used = broker.await(FrameType.PUBLISH).length();
        assertThat(used).isGreaterThan(WINDOW);

        // when
        CompletableFuture<Void> sent = inBackground(() -> producer.send(message));
        session.createProducer(session.createTopic("other")).close();
        broker.await(FrameType.OPEN);
        assertThat(broker.poll(FrameType.PUBLISH)).isNull();
        assertThat(sent).isNotDone();

        // then
        broker.grant(1, used);
        sent.get(10, TimeUnit.SECONDS);
        assertThat(broker.await(FrameType.PUBLISH).handle()).isEqualTo(1);
    }

    @Test
    void shouldQuoteTheBrokerWhenAConfirmationDoesNotCome() throws Exception {
        // given
        WinnowConnectionFactory factory = broker.factory();
        factory.setSendTimeout(2000);
        try (Connection impatient = factory.createConnection()) {
            Session own = impatient.createSession();
            MessageProducer producer = own.createProducer(own.createTopic("prices"));
            CompletableFuture<Void> sent = inBackground(() -> producer.send(own.createMessage()));
            broker.await(FrameType.PUBLISH);

            // when
            broker.send(new ControlFrame.Blocked(1, "subscription 7 of 'prices' is full"));

            // then
            assertThatThrownBy(() -> sent.get(10, TimeUnit.SECONDS))
                    .hasRootCauseMessage(
                            "the broker did not confirm the message within 2000 ms (sendTimeout);"
                                    + " it says: subscription 7 of 'prices' is full");
        }
    }

    @Test
    void shouldQuoteTheBrokerWhenCreditDoesNotCome() throws Exception {
        // given
        WinnowConnectionFactory factory = broker.factory();
        factory.setSendTimeout(300);
        try (Connection impatient = factory.createConnection()) {
            Session own = impatient.createSession();
            MessageProducer producer = own.createProducer(own.createTopic("prices"));
            producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
            producer.send(own.createTextMessage("x".repeat(WINDOW)));
            broker.await(FrameType.PUBLISH);

            // when
            broker.send(new ControlFrame.Blocked(1, "subscription 7 of 'prices' is full"));

            // then
            assertThatThrownBy(() -> producer.send(own.createMessage()))
                    .isInstanceOf(ResourceAllocationException.class)
                    .hasMessageContaining("could not send to prices within 300 ms")
                    .hasMessageContaining("subscription 7 of 'prices' is full");
        }
    }

    @Test
    void shouldSayForWhomAPublishWaitsAfterASecond() throws Exception {
        // given
        PrintStream usual = System.err;
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
        try {
            MessageProducer producer = unconfirmed();
            producer.send(session.createTextMessage("x".repeat(WINDOW)));
            int used = broker.await(FrameType.PUBLISH).length();
            broker.send(new ControlFrame.Blocked(1, "subscription 7 of 'prices' is full"));

            // when
            CompletableFuture<Void> waiting =
                    inBackground(() -> producer.send(session.createMessage()));

            // then
            Awaiting.until(() -> log.toString(StandardCharsets.UTF_8).contains("is full"));
            assertThat(log.toString(StandardCharsets.UTF_8))
                    .contains(
                            "waiting for more than a second to send to prices: the broker says:"
                                    + " subscription 7 of 'prices' is full");
            broker.grant(1, used);
            waiting.get(10, TimeUnit.SECONDS);
        } finally {
            System.setErr(usual);
        }
    }

    @Test
    void shouldFailWaitingSendsWhenTheConnectionIsLost() throws Exception {
        // given
        MessageProducer producer = unconfirmed();
        producer.send(session.createTextMessage("x".repeat(WINDOW)));
        CompletableFuture<Void> waiting =
                inBackground(() -> producer.send(session.createMessage()));

        // when
        broker.await(FrameType.PUBLISH);
        broker.cut();

        // then
        assertThatThrownBy(() -> waiting.get(10, TimeUnit.SECONDS))
                .cause()
                .isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> producer.send(session.createMessage()))
                .isInstanceOf(JMSException.class);
    }

    @Test
    void shouldRefuseAMessageThatTheBrokerWouldRefuse() throws Exception {
        // given
        MessageProducer producer = unconfirmed();

        // when, then
        assertThatThrownBy(() -> producer.send(session.createTextMessage("x".repeat(1024 * 1024))))
                .isInstanceOf(ResourceAllocationException.class)
                .hasMessageContaining("the message with its headers and properties is too long")
                .hasMessageContaining("at most 1048576 bytes")
                .hasMessageContaining("transport.max-frame")
                .extracting(failure -> ((JMSException) failure).getErrorCode())
                .isEqualTo(ErrorCodes.FRAME_TOO_LARGE);
        producer.send(session.createTextMessage("short"));
        assertThat(broker.await(FrameType.PUBLISH).length()).isLessThan(100);
    }

    @Test
    void shouldOpenADestinationOnceForAllProducersOfAConnection() throws Exception {
        // given
        MessageProducer anonymous = session.createProducer(null);
        anonymous.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
        session.createProducer(topic);
        broker.await(FrameType.OPEN);

        // when
        anonymous.send(topic, session.createMessage());
        anonymous.send(session.createTopic("other"), session.createMessage());
        anonymous.send(topic, session.createMessage());

        // then
        assertThat(broker.await(FrameType.PUBLISH).handle()).isEqualTo(1);
        ControlFrame.Open other = (ControlFrame.Open) broker.await(FrameType.OPEN).control();
        assertThat(other.name()).isEqualTo("other");
        assertThat(broker.await(FrameType.PUBLISH).handle()).isEqualTo(2);
        assertThat(broker.await(FrameType.PUBLISH).handle()).isEqualTo(1);
    }

    @Test
    void shouldReportARefusedDestination() {
        // given
        broker.holdAnswers(FrameType.OPEN);

        // when
        CompletableFuture<Void> created = inBackground(() -> session.createProducer(topic));
        ControlFrame.Open open = (ControlFrame.Open) broker.await(FrameType.OPEN).control();

        // then
        assertThatThrownBy(
                        () -> {
                            broker.send(
                                    new ControlFrame.Refused(
                                            open.requestId(),
                                            ErrorCode.INVALID_DESTINATION.number(),
                                            "no such name"));
                            created.get(10, TimeUnit.SECONDS);
                        })
                .cause()
                .isInstanceOf(InvalidDestinationException.class)
                .hasMessageEndingWith("refused the destination 'prices': no such name");
    }

    @Test
    void shouldCheckArguments() throws Exception {
        // given
        MessageProducer producer = session.createProducer(topic);
        MessageProducer anonymous = session.createProducer(null);
        Message message = session.createMessage();

        // when, then
        assertThatThrownBy(() -> producer.send(topic, message))
                .isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> anonymous.send(message))
                .isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> anonymous.send(null, message))
                .isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> producer.send(null)).isInstanceOf(MessageFormatException.class);
        assertThatThrownBy(() -> producer.setPriority(10)).isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> producer.setTimeToLive(-1)).isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> producer.setDeliveryMode(3)).isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> producer.setDeliveryDelay(-1)).isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> producer.send(message, null))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() ->
                        session.createProducer(session.createTopic("prices?correlationId=#7")))
                .isInstanceOf(InvalidDestinationException.class)
                .hasMessageContaining("send to 'prices'");
    }

    @Test
    void shouldLearnPropertyNumbers() throws Exception {
        // given
        MessageProducer producer = unconfirmed();
        Message message = session.createMessage();
        message.setIntProperty("region", 3);

        // when
        producer.send(message);
        ControlFrame.Intern intern = (ControlFrame.Intern) broker.await(FrameType.INTERN).control();
        int inline = broker.await(FrameType.PUBLISH).length();
        broker.send(new ControlFrame.Names(1, java.util.List.of("region")));
        session.createConsumer(topic);
        producer.send(message);

        // then
        assertThat(intern.name()).isEqualTo("region");
        assertThat(broker.await(FrameType.PUBLISH).length())
                .isEqualTo(inline - "region".length() - 1);
    }

    @Test
    void shouldSurviveABurstThatFillsTheSocket() throws IOException, JMSException {
        // given
        broker.close();
        int count = 20_000;
        try (ScriptedBroker wide = new ScriptedBroker(Integer.MAX_VALUE, 0);
                Connection fast = wide.factory().createConnection()) {
            Session own = fast.createSession();
            MessageProducer producer = own.createProducer(own.createTopic("burst"));
            producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
            Message message = own.createTextMessage("y".repeat(300));

            // when
            for (int i = 0; i < count; i++) {
                producer.send(message);
            }

            // then
            MessageBlock block = new MessageBlock();
            for (int i = 1; i <= count; i++) {
                byte[] bytes = wide.await(FrameType.PUBLISH).block();
                block.parse(bytes, 0, bytes.length);
                assertThat(block.messageSequence()).isEqualTo(i);
            }
        }
    }

    @Test
    void shouldSendOthersAfterAMessageThatCannotBeWritten() throws Exception {
        // given
        MessageProducer producer = unconfirmed();
        Message unwritable = new UnwritableMessage();

        // when
        assertThatThrownBy(() -> producer.send(unwritable))
                .isInstanceOf(MessageFormatException.class);
        producer.send(session.createTextMessage("whole"));

        // then
        byte[] block = broker.await(FrameType.PUBLISH).block();
        assertThat(new String(block, StandardCharsets.UTF_8)).endsWith("whole");
        session.createProducer(session.createTopic("others")).close();
    }
}

package winnow.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.ExceptionListener;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import winnow.client.error.ErrorCodes;
import winnow.wire.ErrorCode;
import winnow.wire.FrameType;
import winnow.wire.Protocol;
import winnow.wire.WireReader;
import winnow.wire.WireWriter;
import winnow.wire.frame.ControlFrame;

class ConnectionLossTest {
    private ScriptedBroker broker;
    private Connection connection;
    private final CompletableFuture<JMSException> lost = new CompletableFuture<>();

    @BeforeEach
    void connect() throws Exception {
        broker = new ScriptedBroker();
        connection = open();
    }

    private Connection open() throws JMSException {
        Connection opened = broker.factory().createConnection();
        opened.setExceptionListener(lost::complete);
        opened.start();
        return opened;
    }

    private void openWithHeartbeat(int millis) throws JMSException {
        connection.close();
        broker.await(FrameType.GOODBYE);
        broker.onHello(hello -> ScriptedBroker.welcome(1024, millis));
        connection = open();
    }

    @AfterEach
    void disconnect() throws Exception {
        connection.close();
        broker.close();
    }

    private JMSException awaitLoss() throws Exception {
        return lost.get(10, TimeUnit.SECONDS);
    }

    @Test
    void shouldTellTheExceptionListenerThatTheConnectionIsLost() throws Exception {
        // given
        Session session = connection.createSession();
        MessageConsumer consumer = session.createConsumer(session.createTopic("t"));

        // when
        broker.cut();

        // then
        assertThat(awaitLoss()).hasMessageContaining("closed the connection");
        assertThatThrownBy(consumer::receive).isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> session.createConsumer(session.createTopic("t")))
                .isInstanceOf(JMSException.class)
                .isNotInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldWakeUpAReceiverWhenTheConnectionIsLost() throws Exception {
        // given
        Session session = connection.createSession();
        MessageConsumer consumer = session.createConsumer(session.createTopic("t"));
        CompletableFuture<JMSException> failed = new CompletableFuture<>();
        Thread receiver =
                new Thread(() -> {
                    try {
                        consumer.receive();
                        failed.completeExceptionally(new AssertionError("received"));
                    } catch (JMSException e) {
                        failed.complete(e);
                    }
                });
        receiver.start();

        // when
        broker.cut();

        // then
        assertThat(failed.get(10, TimeUnit.SECONDS)).hasMessageContaining("closed");
    }

    @Test
    void shouldNotSetAClientIdentifierOfALostConnection() throws Exception {
        // given
        Connection unused = broker.factory().createConnection();
        unused.setExceptionListener(lost::complete);
        broker.cut();
        awaitLoss();

        // when, then
        assertThatThrownBy(() -> unused.setClientID("meter-7"))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("closed the connection");
        assertThat(unused.getClientID()).isNull();
        unused.close();
    }

    @Test
    void shouldMakeNoSessionOfALostConnection() throws Exception {
        // given
        broker.cut();
        awaitLoss();

        // when, then
        assertThatThrownBy(connection::createSession)
                .isInstanceOf(JMSException.class)
                .isNotInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed the connection")
                .extracting(failure -> ((JMSException) failure).getErrorCode())
                .isEqualTo(ErrorCodes.CONNECTION_LOST);
    }

    @Test
    void shouldMakeNoContextOfALostConnection() throws Exception {
        // given
        try (JMSContext context = broker.factory().createContext()) {
            context.setExceptionListener(lost::complete);
            broker.cut();
            awaitLoss();

            // when, then
            assertThatThrownBy(() -> context.createContext(JMSContext.AUTO_ACKNOWLEDGE))
                    .isInstanceOf(JMSRuntimeException.class)
                    .hasMessageContaining("closed the connection");
            assertThatThrownBy(context::createProducer).isInstanceOf(JMSRuntimeException.class);
        }
    }

    @Test
    void shouldTellAnExceptionListenerThatIsSetAfterTheLoss() throws Exception {
        // given
        broker.cut();
        awaitLoss();
        BlockingQueue<JMSException> told = new LinkedBlockingQueue<>();
        BlockingQueue<Thread> threads = new LinkedBlockingQueue<>();
        ExceptionListener late =
                failure -> {
                    threads.add(Thread.currentThread());
                    told.add(failure);
                };

        // when
        connection.setExceptionListener(late);

        // then
        assertThat(told.poll(10, TimeUnit.SECONDS))
                .hasMessageContaining("closed the connection")
                .extracting(JMSException::getErrorCode)
                .isEqualTo(ErrorCodes.CONNECTION_LOST);
        assertThat(threads.poll()).isNotEqualTo(Thread.currentThread());
        connection.setExceptionListener(late);
        CompletableFuture<JMSException> last = new CompletableFuture<>();
        connection.setExceptionListener(last::complete);
        assertThat(last.get(10, TimeUnit.SECONDS)).isNotNull();
        assertThat(told).isEmpty();
    }

    @Test
    void shouldTellAListenerOnceHoweverTheLossAndItMeet() throws Exception {
        List<AtomicInteger> calls = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            // given
            Connection racing = broker.factory().createConnection();
            broker.await(FrameType.HELLO);
            AtomicInteger told = new AtomicInteger();
            calls.add(told);
            Thread cutting = new Thread(broker::cut);

            // when
            cutting.start();
            racing.setExceptionListener(failure -> told.incrementAndGet());

            // then
            Awaiting.until(() -> told.get() > 0);
            cutting.join();
            racing.close();
        }
        assertThat(calls).allSatisfy(told -> assertThat(told).hasValue(1));
    }

    @Test
    void shouldQuoteTheBrokersGoodbye() throws Exception {
        // when
        broker.send(new ControlFrame.Goodbye(ErrorCode.SHUTTING_DOWN.number(), "going to sleep"));

        // then
        assertThat(awaitLoss())
                .hasMessageContaining("ended the connection: going to sleep")
                .extracting(JMSException::getErrorCode)
                .isEqualTo("SHUTTING_DOWN");
    }

    @Test
    void shouldGiveUpAConnectionThatFallsSilent() throws Exception {
        // when
        openWithHeartbeat(20);

        // then
        assertThat(awaitLoss())
                .hasMessageContaining("expected the broker to say something every 20 ms");
        ControlFrame.Goodbye goodbye =
                (ControlFrame.Goodbye) broker.await(FrameType.GOODBYE).control();
        assertThat(goodbye.code()).isEqualTo(ErrorCode.HEARTBEAT_TIMEOUT.number());
    }

    @Test
    void shouldGiveUpABrokerThatIsSilentAndReadsNothing() throws Exception {
        // given
        CountDownLatch ended = new CountDownLatch(1);
        try (OtherServer frozen =
                        new OtherServer(peer -> {
                            openAndFreeze(peer);
                            await(ended);
                        });
                Connection flooded = frozen.factory().createConnection()) {
            Session session = flooded.createSession();
            MessageProducer producer = session.createProducer(session.createTopic("t"));
            producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
            BytesMessage message = session.createBytesMessage();
            message.writeBytes(new byte[64 * 1024]);

            // when
            JMSException failure =
                    catchThrowableOfType(
                            JMSException.class,
                            () -> {
                                for (int i = 0; i < 10_000; i++) {
                                    producer.send(message);
                                }
                            });

            // then
            assertThat(failure).isNotNull();
            assertThat(failure.getErrorCode()).isEqualTo(ErrorCodes.HEARTBEAT_TIMEOUT);
            assertThat(catchThrowableOfType(JMSException.class, flooded::createSession))
                    .isNotNull();
        } finally {
            ended.countDown();
        }
    }

    /// Shakes hands, opens one destination with more credit than a socket takes, and stops.
    private static void openAndFreeze(Socket peer) throws IOException {
        DataInputStream in = new DataInputStream(peer.getInputStream());
        in.readFully(new byte[Protocol.PREAMBLE_BYTES]);
        in.readFully(new byte[in.readInt()]);
        WireWriter welcome = new WireWriter(64);
        ScriptedBroker.welcome(1, 300).write(welcome);
        peer.getOutputStream().write(welcome.toByteArray());
        byte[] open = new byte[in.readInt()];
        in.readFully(open);
        ControlFrame.Open opened =
                (ControlFrame.Open)
                        ControlFrame.decode(open[0], new WireReader().wrap(open, 1, open.length));
        WireWriter answer = new WireWriter(64);
        new ControlFrame.Accepted(opened.requestId()).write(answer);
        int mark = answer.beginFrame(FrameType.PRODUCER_CREDIT);
        answer.writeVarint(opened.handle());
        answer.writeVarint(Integer.MAX_VALUE);
        answer.endFrame(mark);
        peer.getOutputStream().write(answer.toByteArray());
    }

    private static void await(CountDownLatch ended) {
        try {
            ended.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void shouldSendHeartbeatsWhenItHasNothingToSay() throws Exception {
        // given
        openWithHeartbeat(1000);

        // when, then
        broker.await(FrameType.HEARTBEAT);
        broker.send(new ControlFrame.Heartbeat());
        broker.await(FrameType.HEARTBEAT);
        assertThat(lost).isNotDone();
    }

    static Stream<Arguments> brokenFrames() {
        byte[] welcome = {0, 0, 0, 1, FrameType.WELCOME};
        return Stream.of(
                Arguments.of(new byte[] {0, 0, 0, 0}, ErrorCode.MALFORMED_FRAME),
                Arguments.of(new byte[] {0x7F, 0, 0, 0}, ErrorCode.FRAME_TOO_LARGE),
                Arguments.of(new byte[] {0, 0, 0, 1, 0x55}, ErrorCode.MALFORMED_FRAME),
                Arguments.of(welcome, ErrorCode.MALFORMED_FRAME),
                Arguments.of(
                        new byte[] {0, 0, 0, 2, FrameType.RELEASE, 1}, ErrorCode.UNEXPECTED_FRAME),
                Arguments.of(
                        new byte[] {0, 0, 0, 3, FrameType.DELIVERY, 1, 2},
                        ErrorCode.MALFORMED_FRAME),
                Arguments.of(
                        new byte[] {0, 0, 0, 5, FrameType.DELIVERY, 99, 0, 0, 0},
                        ErrorCode.UNKNOWN_SUBSCRIPTION),
                Arguments.of(
                        new byte[] {0, 0, 0, 2, FrameType.PRODUCER_CREDIT, 1},
                        ErrorCode.MALFORMED_FRAME),
                Arguments.of(
                        new byte[] {0, 0, 0, 3, FrameType.SHARED_DELIVERY, 9, 1},
                        ErrorCode.MALFORMED_FRAME),
                Arguments.of(
                        new byte[] {0, 0, 0, 5, FrameType.SHARED_DELIVERY, 0, 2, 0, 0},
                        ErrorCode.MALFORMED_FRAME),
                Arguments.of(
                        new byte[] {0, 0, 0, 5, FrameType.NAMES, 7, 1, 1, 'a'},
                        ErrorCode.MALFORMED_FRAME),
                Arguments.of(
                        new byte[] {0, 0, 0, 2, FrameType.PUBLISHED, 3},
                        ErrorCode.MALFORMED_FRAME));
    }

    @ParameterizedTest
    @MethodSource("brokenFrames")
    void shouldCloseOnBrokenFramesAndSayWhy(byte[] frame, ErrorCode code) throws Exception {
        // when
        broker.sendBytes(frame);

        // then
        assertThat(awaitLoss()).hasMessageContaining("the broker broke the protocol: ");
        ControlFrame.Goodbye goodbye =
                (ControlFrame.Goodbye) broker.await(FrameType.GOODBYE).control();
        assertThat(goodbye.code()).isEqualTo(code.number());
        assertThat(goodbye.message()).contains("expected");
    }

    @Test
    void shouldRefuseADeliveryBeforeWelcome() throws Exception {
        // given
        broker.holdAnswers(FrameType.HELLO);
        CompletableFuture<Connection> connected = new CompletableFuture<>();
        Thread connector =
                new Thread(() -> {
                    try {
                        connected.complete(broker.factory().createConnection());
                    } catch (JMSException e) {
                        connected.completeExceptionally(e);
                    }
                });
        broker.await(FrameType.HELLO);

        // when
        connector.start();
        broker.await(FrameType.HELLO);
        broker.sendBytes(new byte[] {0, 0, 0, 5, FrameType.DELIVERY, 1, 0, 0, 0});

        // then
        assertThatThrownBy(() -> connected.get(10, TimeUnit.SECONDS))
                .hasMessageContaining("expected Welcome first");
    }

    @Test
    void shouldCloseTwiceAndSayGoodbyeOnce() throws Exception {
        // given
        Session session = connection.createSession();

        // when
        connection.close();
        connection.close();

        // then
        broker.await(FrameType.GOODBYE);
        assertThat(broker.poll(FrameType.GOODBYE)).isNull();
        assertThat(lost).isNotDone();
        assertThatThrownBy(connection::createSession).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(session::createMessage).isInstanceOf(IllegalStateException.class);
        session.close();
    }
}

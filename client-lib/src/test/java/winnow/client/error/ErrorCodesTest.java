package winnow.client.error;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.io.IOException;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import winnow.client.Awaiting;
import winnow.client.ScriptedBroker;
import winnow.client.WinnowConnectionFactory;
import winnow.client.transport.endpoint.LocalFailure;
import winnow.wire.ErrorCode;
import winnow.wire.FrameType;
import winnow.wire.frame.ControlFrame;

/// What a program and a reader of a log learn from the client's exceptions.
class ErrorCodesTest {
    private ScriptedBroker broker;

    @BeforeEach
    void startBroker() throws IOException {
        broker = new ScriptedBroker();
    }

    @AfterEach
    void stopBroker() throws IOException {
        broker.close();
    }

    private static JMSException failureOf(ThrowingCallable call) {
        JMSException failure = catchThrowableOfType(JMSException.class, call);
        assertThat(failure).isNotNull();
        requireNoRepetition(failure);
        return failure;
    }

    private static JMSException interrupted(ThrowingCallable call) {
        Thread.currentThread().interrupt();
        try {
            return failureOf(call);
        } finally {
            assertThat(Thread.interrupted()).as("interrupt is kept").isTrue();
        }
    }

    /// No text of the chain of causes may be part of another.
    private static void requireNoRepetition(Throwable failure) {
        List<String> texts = new ArrayList<>();
        for (Throwable link = failure; link != null; link = link.getCause()) {
            if (link.getMessage() != null) {
                String text = link.getMessage().toLowerCase(Locale.ROOT);
                assertThat(texts).noneMatch(above -> above.contains(text) || text.contains(above));
                texts.add(text);
            }
        }
    }

    @Test
    void shouldHaveAConstantForEachCode() throws Exception {
        // given
        List<String> expected =
                new ArrayList<>(
                        Stream.concat(
                                        Stream.of(LocalFailure.values()).map(Enum::name),
                                        Stream.of(ErrorCode.values()).map(Enum::name))
                                .toList());
        expected.remove(ErrorCode.NONE.name());
        expected.add("NOT_SUPPORTED");

        // when
        List<String> constants = new ArrayList<>();
        for (var field : ErrorCodes.class.getFields()) {
            assertThat(field.get(null)).isEqualTo(field.getName());
            constants.add(field.getName());
        }

        // then
        assertThat(constants).containsAll(expected);
        assertThat(expected).containsAll(constants);
    }

    @Test
    void shouldTellNobodyThere() throws Exception {
        // given
        int freePort;
        try (ServerSocket socket = new ServerSocket(0)) {
            freePort = socket.getLocalPort();
        }
        WinnowConnectionFactory factory =
                new WinnowConnectionFactory("winnow://127.0.0.1:" + freePort);
        factory.setStartupMaxReconnectAttempts(0);

        // when
        JMSException failure = failureOf(factory::createConnection);

        // then
        assertThat(failure.getErrorCode()).isEqualTo(ErrorCodes.CONNECT_FAILED);
        Throwable unchecked = catchThrowable(factory::createContext);
        assertThat(unchecked)
                .isInstanceOf(JMSRuntimeException.class)
                .hasMessage(failure.getMessage());
        assertThat(((JMSRuntimeException) unchecked).getErrorCode())
                .isEqualTo(ErrorCodes.CONNECT_FAILED);
        requireNoRepetition(unchecked);
    }

    @Test
    void shouldTellLossTimeoutAndInterruptionOfARequest() throws Exception {
        // given
        try (Connection connection = broker.factory("requestTimeout=100").createConnection()) {
            Session session = connection.createSession();
            broker.holdAnswers(FrameType.SUBSCRIBE);
            ThrowingCallable request = () -> session.createConsumer(session.createTopic("t"));

            // when, then
            assertThat(interrupted(request).getErrorCode()).isEqualTo(ErrorCodes.INTERRUPTED);
            assertThat(failureOf(request).getErrorCode()).isEqualTo(ErrorCodes.TIMED_OUT);
            broker.cut();
            Awaiting.until(() -> catchThrowable(connection::createSession) != null);
            assertThat(failureOf(request).getErrorCode()).isEqualTo(ErrorCodes.CONNECTION_LOST);
        }
    }

    @Test
    void shouldTellLossTimeoutAndInterruptionOfASend() throws Exception {
        // given
        try (Connection connection = broker.factory("sendTimeout=100").createConnection()) {
            Session session = connection.createSession();
            MessageProducer producer = session.createProducer(session.createTopic("t"));
            producer.setDeliveryMode(DeliveryMode.PERSISTENT);
            ThrowingCallable send = () -> producer.send(session.createMessage());

            // when, then
            assertThat(interrupted(send).getErrorCode()).isEqualTo(ErrorCodes.INTERRUPTED);
            assertThat(failureOf(send).getErrorCode()).isEqualTo(ErrorCodes.TIMED_OUT);
            broker.cut();
            Awaiting.until(() -> catchThrowable(connection::createSession) != null);
            assertThat(failureOf(send).getErrorCode()).isEqualTo(ErrorCodes.CONNECTION_LOST);
        }
    }

    @Test
    void shouldTellLossTimeoutAndInterruptionOfASendThatWaitsForCredit() throws Exception {
        // given
        try (ScriptedBroker sparing = new ScriptedBroker(1, 0);
                Connection connection = sparing.factory("sendTimeout=100").createConnection()) {
            Session session = connection.createSession();
            MessageProducer producer = session.createProducer(session.createTopic("t"));
            producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
            producer.send(session.createMessage());
            ThrowingCallable send = () -> producer.send(session.createMessage());

            // when, then
            assertThat(interrupted(send).getErrorCode()).isEqualTo(ErrorCodes.INTERRUPTED);
            assertThat(failureOf(send).getErrorCode()).isEqualTo(ErrorCodes.SEND_BLOCKED);
            sparing.cut();
            Awaiting.until(() -> catchThrowable(connection::createSession) != null);
            assertThat(failureOf(send).getErrorCode()).isEqualTo(ErrorCodes.CONNECTION_LOST);
        }
    }

    @Test
    void shouldTellLossAndInterruptionOfAReceiver() throws Exception {
        // given
        try (Connection connection = broker.factory().createConnection()) {
            connection.start();
            Session session = connection.createSession();
            MessageConsumer consumer = session.createConsumer(session.createTopic("t"));

            // when, then
            assertThat(interrupted(consumer::receive).getErrorCode())
                    .isEqualTo(ErrorCodes.INTERRUPTED);
            broker.cut();
            assertThat(failureOf(consumer::receive).getErrorCode())
                    .isEqualTo(ErrorCodes.CONNECTION_LOST);
        }
    }

    @Test
    void shouldTellInterruptionOfAConnect() {
        // given
        broker.holdAnswers(FrameType.HELLO);

        // when
        JMSException failure = interrupted(() -> broker.factory().createConnection());

        // then
        assertThat(failure.getErrorCode()).isEqualTo(ErrorCodes.INTERRUPTED);
    }

    @Test
    void shouldTellALossByAnOrderlyGoodbyeAsLoss() throws Exception {
        // given
        CompletableFuture<JMSException> lost = new CompletableFuture<>();
        try (Connection connection = broker.factory().createConnection()) {
            connection.setExceptionListener(lost::complete);

            // when
            broker.send(new ControlFrame.Goodbye(ErrorCode.NONE.number(), ""));

            // then
            assertThat(lost.get(10, TimeUnit.SECONDS).getErrorCode())
                    .isEqualTo(ErrorCodes.CONNECTION_LOST);
        }
    }

    @Test
    void shouldTellARefusalOnce() {
        // given
        broker.onHello(hello ->
                new ControlFrame.Goodbye(ErrorCode.AUTHENTICATION_FAILED.number(), "unknown"));

        // when
        JMSException failure = failureOf(() -> broker.factory().createConnection());
        Throwable unchecked =
                catchThrowable(() -> broker.factory().createContext(JMSContext.AUTO_ACKNOWLEDGE));

        // then
        assertThat(failure.getErrorCode()).isEqualTo(ErrorCodes.AUTHENTICATION_FAILED);
        requireNoRepetition(unchecked);
    }

    @Test
    void shouldTellWhoRefusedWhichDestination() throws Exception {
        // given
        try (Connection connection = broker.factory().createConnection()) {
            Session session = connection.createSession();
            broker.holdAnswers(FrameType.OPEN);
            CompletableFuture<JMSException> refused = new CompletableFuture<>();
            Thread opening =
                    new Thread(() ->
                            refused.complete(
                                    failureOf(() ->
                                            session.createProducer(
                                                    session.createTopic("x".repeat(2000))))));
            opening.start();

            // when
            ControlFrame.Open open = (ControlFrame.Open) broker.await(FrameType.OPEN).control();
            broker.send(
                    new ControlFrame.Refused(
                            open.requestId(), ErrorCode.INVALID_DESTINATION.number(), "too long"));

            // then
            assertThat(refused.get(10, TimeUnit.SECONDS))
                    .isInstanceOf(InvalidDestinationException.class)
                    .hasMessageMatching(
                            "127.0.0.1:\\d+ refused the destination 'x{60}…': too long");
        }
    }
}

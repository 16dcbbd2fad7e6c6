package winnow.client.session;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import winnow.client.Awaiting;
import winnow.client.ScriptedBroker;
import winnow.client.TestMessages;
import winnow.client.message.WinnowMessage;
import winnow.client.transport.PublishHandle;
import winnow.client.transport.PublishReply;
import winnow.client.transport.PublishTerms;
import winnow.client.transport.WireConnection;
import winnow.client.transport.endpoint.TransportException;
import winnow.wire.DestinationKind;
import winnow.wire.ErrorCode;
import winnow.wire.FrameType;
import winnow.wire.WireWriter;
import winnow.wire.frame.ControlFrame;

/// A connection on which the sending thread reads the confirmations itself.
class LentReadingTest {
    private static final int ATTEMPTS = 20_000;
    private static final int SESSIONS = 100;
    private static final int SENDS = 20;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private ScriptedBroker broker;
    private Connection connection;
    private Session session;
    private MessageProducer producer;
    private long confirmed;

    @BeforeEach
    void connect() throws Exception {
        broker = new ScriptedBroker();
        open("randomize=true");
    }

    private void open(String options) throws JMSException {
        connection = broker.factory(options).createConnection();
        connection.start();
        session = connection.createSession();
        producer = session.createProducer(session.createTopic("t"));
    }

    @AfterEach
    void disconnect() throws Exception {
        connection.close();
        broker.close();
        threads.shutdownNow();
    }

    /// Sends until a confirmation is read by this thread, and makes the broker confirm no more.
    private void lend() throws Exception {
        broker.relay();
        PublishHandle handle = wire().open(DestinationKind.TOPIC, "t");
        boolean lent = false;
        for (int i = 0; i < ATTEMPTS && !lent; i++) {
            lent = confirmingThread(handle).equals(Thread.currentThread());
        }
        assertThat(lent).isTrue();
        broker.holdAnswers(FrameType.PUBLISH);
    }

    private WireConnection wire() {
        return ((WinnowConnection) connection).link().wire();
    }

    /// Sends a message and waits for its confirmation.
    ///
    /// @return the thread that read it
    private Thread confirmingThread(PublishHandle handle) throws Exception {
        ConfirmingThread answer = new ConfirmingThread();
        WinnowMessage message = (WinnowMessage) session.createMessage();
        wire().publish(handle, message, new PublishTerms(0, answer), TimeUnit.SECONDS.toNanos(10));
        wire().readAnswer(answer::isDone, TimeUnit.SECONDS.toNanos(10));
        Thread reader = answer.get(10, TimeUnit.SECONDS);
        broker.await(FrameType.PUBLISH);
        confirmed++;
        return reader;
    }

    /// Sends in another thread, which reads the socket when this returns.
    private Future<?> sendAndWait() {
        Future<?> sending =
                threads.submit(() -> {
                    producer.send(session.createMessage());
                    return null;
                });
        broker.await(FrameType.PUBLISH);
        return sending;
    }

    private static JMSException failure(Future<?> sending) throws Exception {
        try {
            sending.get(10, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof JMSException failure) {
                return failure;
            }
            throw e;
        }
        throw new AssertionError("sent");
    }

    @Test
    void shouldReadConfirmationsInTheSendingThread() throws Exception {
        // when
        lend();

        // then
        Future<?> sending = sendAndWait();
        broker.send(new ControlFrame.Published(confirmed + 1));
        sending.get(10, TimeUnit.SECONDS);
    }

    @Test
    void shouldLeaveTheReadingToTheSenderWhenASessionHasNothingToDeliver() throws Exception {
        // given
        lend();
        broker.giveAnswers(FrameType.PUBLISH);
        PublishHandle handle = wire().open(DestinationKind.TOPIC, "t");
        CompletableFuture<Thread> callback = new CompletableFuture<>();
        ((WinnowConnection) connection)
                .callbackThreads()
                .run(() -> callback.complete(Thread.currentThread()), () -> {});
        String callbackName = kind(callback.get(10, TimeUnit.SECONDS));

        // when
        Set<Thread> readers = new HashSet<>();
        for (int i = 0; i < SESSIONS; i++) {
            connection.createSession();
            for (int send = 0; send < SENDS; send++) {
                readers.add(confirmingThread(handle));
            }
        }

        // then
        assertThat(readers)
                .contains(Thread.currentThread())
                .noneMatch(reader -> kind(reader).equals(callbackName));
    }

    /// The name of a thread without its number.
    private static String kind(Thread thread) {
        return thread.getName().replaceAll("\\d+$", "");
    }

    @Test
    void shouldTellTheSenderThatItsMessageWasRefused() throws Exception {
        // given
        lend();

        // when
        Future<?> sending = sendAndWait();
        broker.send(
                new ControlFrame.PublishRefused(
                        confirmed + 1, 1, ErrorCode.LIMIT_EXCEEDED.number(), "too many"),
                new ControlFrame.Published(confirmed + 1));

        // then
        assertThat(failure(sending))
                .isInstanceOf(ResourceAllocationException.class)
                .hasMessageContaining("too many");
    }

    @Test
    void shouldFailTheSendWhenTheConnectionIsLost() throws Exception {
        // given
        lend();
        Future<?> sending = sendAndWait();

        // when
        broker.cut();

        // then
        assertThat(failure(sending)).hasMessageContaining("closed the connection");
    }

    @Test
    void shouldNoticeTheLossOfAConnectionThatNoThreadReads() throws Exception {
        // given
        CompletableFuture<JMSException> lost = new CompletableFuture<>();
        connection.setExceptionListener(lost::complete);
        lend();

        // when
        broker.cut();

        // then
        assertThat(lost.get(10, TimeUnit.SECONDS)).hasMessageContaining("closed the connection");
    }

    @Test
    void shouldFailTheSendWhenTheConnectionIsClosed() throws Exception {
        // given
        lend();
        Future<?> sending = sendAndWait();

        // when
        connection.close();

        // then
        assertThat(failure(sending)).isNotNull();
    }

    @Test
    void shouldFailTheSendWhenTheBrokerFallsSilent() throws Exception {
        // given
        connection.close();
        broker.onHello(hello -> ScriptedBroker.welcome(1024 * 1024, 500));
        open("randomize=true");
        lend();

        // when
        Future<?> sending = sendAndWait();

        // then
        assertThat(failure(sending)).hasMessageContaining("expected the broker to say something");
    }

    @Test
    void shouldFailTheSendWhenTheBrokerBreaksTheProtocol() throws Exception {
        // given
        lend();
        Future<?> sending = sendAndWait();

        // when
        broker.send(new ControlFrame.Published(confirmed + 7));

        // then
        assertThat(failure(sending)).hasMessageContaining("the broker broke the protocol");
        broker.await(FrameType.GOODBYE);
    }

    /// What was read is lost in part, so nothing that follows can be understood.
    @Test
    void shouldEndTheConnectionWhenTheThreadThatReadsFails() throws Exception {
        // given
        PublishHandle handle = wire().open(DestinationKind.TOPIC, "t");
        lend();
        broker.giveAnswers(FrameType.PUBLISH);
        WinnowMessage message = (WinnowMessage) session.createMessage();

        // when
        wire().publish(
                        handle,
                        message,
                        new PublishTerms(0, new FailingAnswer()),
                        TimeUnit.SECONDS.toNanos(10));
        try {
            wire().readAnswer(() -> wire().hasEnded(), TimeUnit.SECONDS.toNanos(10));
        } catch (IllegalStateException e) {
            assertThat(e).hasMessage("a test's failure");
        }

        // then
        Awaiting.until(() -> wire().endedBy() != null);
        assertThat(wire().endedBy()).hasMessageContaining("a test's failure");
    }

    /// Breaks the thread that reads the answer to a message.
    private static final class FailingAnswer implements PublishReply {
        @Override
        public boolean isAwaited() {
            return true;
        }

        @Override
        public void onPublished() {
            throw new IllegalStateException("a test's failure");
        }

        @Override
        public void onRefused(TransportException reason) {
            throw new AssertionError(reason);
        }
    }

    @Test
    void shouldSurviveTheInterruptionOfASender() throws Exception {
        // given
        lend();
        CountDownLatch interrupted = new CountDownLatch(1);
        Thread sender =
                new Thread(() -> {
                    try {
                        producer.send(session.createMessage());
                    } catch (JMSException e) {
                        if (Thread.currentThread().isInterrupted()) {
                            interrupted.countDown();
                        }
                    }
                });
        sender.start();
        broker.await(FrameType.PUBLISH);

        // when
        sender.interrupt();

        // then
        assertThat(interrupted.await(10, TimeUnit.SECONDS)).isTrue();
        Future<?> next = sendAndWait();
        broker.send(new ControlFrame.Published(confirmed + 2));
        next.get(10, TimeUnit.SECONDS);
    }

    @Test
    void shouldGoOnInTheMiddleOfAFrameAfterATimeout() throws Exception {
        // given
        connection.close();
        open("sendTimeout=300");
        lend();
        WireWriter out = new WireWriter(16);
        new ControlFrame.Published(confirmed + 1).write(out);
        byte[] frame = out.toByteArray();

        // when
        Future<?> sending = sendAndWait();
        broker.sendBytes(Arrays.copyOf(frame, 3));

        // then
        assertThat(failure(sending)).hasMessageContaining("did not confirm the message within 300");
        broker.sendBytes(Arrays.copyOfRange(frame, 3, frame.length));
        Future<?> next = sendAndWait();
        broker.send(new ControlFrame.Published(confirmed + 2));
        next.get(10, TimeUnit.SECONDS);
    }

    @Test
    void shouldDeliverToAConsumerThatIsCreatedWhileASenderWaits() throws Exception {
        // given
        lend();
        Future<?> sending = sendAndWait();
        Session other = connection.createSession();

        // when
        MessageConsumer consumer = other.createConsumer(other.createTopic("t"));
        broker.deliver(1, TestMessages.text("hello"));

        // then
        assertThat(consumer.receive(10_000)).isNotNull();
        broker.send(new ControlFrame.Published(confirmed + 1));
        sending.get(10, TimeUnit.SECONDS);
    }

    @Test
    void shouldCompleteAnAsynchronousSendWhileNoThreadReads() throws Exception {
        // given
        lend();
        Outcome outcome = new Outcome();

        // when
        producer.send(session.createMessage(), outcome);
        broker.send(new ControlFrame.Published(confirmed + 1));

        // then
        assertThat(outcome.get(10, TimeUnit.SECONDS)).isNotNull();
    }

    @Test
    void shouldServeAllThatWaitOnOneConnection() throws Exception {
        // given
        broker.relay();
        int count = 2_000;
        Session receiving = connection.createSession();
        List<Future<?>> running = new ArrayList<>();

        // when
        for (int t = 0; t < 3; t++) {
            running.add(threads.submit(() -> sendMany(count)));
        }
        for (int i = 0; i < 20; i++) {
            MessageConsumer consumer = receiving.createConsumer(receiving.createTopic("t"));
            Outcome outcome = new Outcome();
            producer.send(session.createMessage(), outcome);
            outcome.get(10, TimeUnit.SECONDS);
            assertThat(consumer.receive(10_000)).isNotNull();
            consumer.close();
        }

        // then
        for (Future<?> one : running) {
            one.get(30, TimeUnit.SECONDS);
        }
    }

    private Void sendMany(int count) throws JMSException {
        Session own = connection.createSession();
        MessageProducer mine = own.createProducer(own.createTopic("t"));
        for (int i = 0; i < count; i++) {
            mine.send(own.createMessage());
        }
        return null;
    }

    /// Completed by the thread that reads the confirmation.
    private static final class ConfirmingThread extends CompletableFuture<Thread>
            implements PublishReply {
        @Override
        public boolean isAwaited() {
            return true;
        }

        @Override
        public void onPublished() {
            complete(Thread.currentThread());
        }

        @Override
        public void onRefused(TransportException reason) {
            completeExceptionally(reason);
        }
    }

    private static final class Outcome extends CompletableFuture<Message>
            implements CompletionListener {
        @Override
        public void onCompletion(Message message) {
            complete(message);
        }

        @Override
        public void onException(Message message, Exception exception) {
            completeExceptionally(exception);
        }
    }
}

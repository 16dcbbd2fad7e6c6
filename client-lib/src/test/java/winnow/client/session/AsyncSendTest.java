package winnow.client.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageNotWriteableException;
import jakarta.jms.MessageProducer;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import winnow.client.Awaiting;
import winnow.client.ScriptedBroker;
import winnow.wire.ErrorCode;
import winnow.wire.FrameType;
import winnow.wire.frame.ControlFrame;

class AsyncSendTest {
    private ScriptedBroker broker;
    private Connection connection;
    private Session session;
    private MessageProducer producer;

    @BeforeEach
    void connect() throws Exception {
        broker = new ScriptedBroker();
        connection = broker.factory().createConnection();
        session = connection.createSession();
        producer = session.createProducer(session.createTopic("prices"));
    }

    @AfterEach
    void disconnect() throws Exception {
        connection.close();
        broker.close();
    }

    @Test
    void shouldCallBackInTheOrderOfTheSends() throws Exception {
        // given
        Outcomes outcomes = new Outcomes();
        for (int i = 1; i <= 5; i++) {
            int mode = i % 2 == 0 ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT;
            producer.send(session.createTextMessage("m" + i), mode, 4, 0, outcomes);
        }
        for (int i = 1; i <= 5; i++) {
            assertThat(broker.await(FrameType.PUBLISH).wantsConfirmation()).isTrue();
        }

        // when
        broker.send(
                new ControlFrame.Published(2),
                new ControlFrame.PublishRefused(
                        4, 1, ErrorCode.LIMIT_EXCEEDED.number(), "too many"),
                new ControlFrame.Published(5));

        // then
        assertThat(outcomes.take(5)).containsExactly("m1", "m2", "m3", "m4: too many", "m5");
        assertThat(outcomes.errors).singleElement().isInstanceOf(ResourceAllocationException.class);
        assertThat(outcomes.threads).doesNotContain(Thread.currentThread());
    }

    @Test
    void shouldWaitForCompletionWhenTheSessionIsClosed() throws Exception {
        // given
        Outcomes outcomes = new Outcomes();
        producer.send(session.createTextMessage("m1"), outcomes);
        broker.await(FrameType.PUBLISH);
        CompletableFuture<Void> closed = new CompletableFuture<>();
        Thread closer =
                new Thread(() -> {
                    try {
                        session.close();
                        closed.complete(null);
                    } catch (JMSException e) {
                        closed.completeExceptionally(e);
                    }
                });

        // when
        closer.start();
        Awaiting.until(() -> closer.getState() == Thread.State.TIMED_WAITING);
        broker.send(new ControlFrame.Published(1));

        // then
        closed.get(10, TimeUnit.SECONDS);
        assertThat(outcomes.order.poll()).isEqualTo("m1");
    }

    @Test
    void shouldForbidCloseInsideACompletionListener() throws Exception {
        // given
        CompletableFuture<List<Throwable>> refused = new CompletableFuture<>();
        CompletionListener closing =
                new CompletionListener() {
                    @Override
                    public void onCompletion(Message message) {
                        List<Throwable> found = new ArrayList<>();
                        for (AutoCloseable target : List.of(session, connection)) {
                            try {
                                target.close();
                            } catch (Exception e) {
                                found.add(e);
                            }
                        }
                        refused.complete(found);
                    }

                    @Override
                    public void onException(Message message, Exception exception) {
                        refused.completeExceptionally(exception);
                    }
                };

        // when
        producer.send(session.createMessage(), closing);
        broker.await(FrameType.PUBLISH);
        broker.send(new ControlFrame.Published(1));

        // then
        assertThat(refused.get(10, TimeUnit.SECONDS))
                .hasSize(2)
                .allSatisfy(e -> assertThat(e).isInstanceOf(IllegalStateException.class));
    }

    @Test
    void shouldReportAllThatAreUnansweredWhenTheConnectionIsLost() throws Exception {
        // given
        Outcomes outcomes = new Outcomes();
        producer.send(session.createTextMessage("m1"), outcomes);
        producer.send(session.createTextMessage("m2"), outcomes);
        broker.await(FrameType.PUBLISH);

        // when
        broker.cut();

        // then
        assertThat(outcomes.take(2))
                .satisfiesExactly(
                        first -> assertThat(first).startsWith("m1: "),
                        second -> assertThat(second).startsWith("m2: "));
    }

    @Test
    void shouldGoOnAfterAListenerThatFails() throws Exception {
        // given
        Outcomes outcomes = new Outcomes();
        CompletionListener failing =
                new CompletionListener() {
                    @Override
                    public void onCompletion(Message message) {
                        throw new IllegalArgumentException("a test's failure");
                    }

                    @Override
                    public void onException(Message message, Exception exception) {}
                };

        // when
        producer.send(session.createTextMessage("m1"), failing);
        producer.send(session.createTextMessage("m2"), outcomes);
        broker.await(FrameType.PUBLISH);
        broker.await(FrameType.PUBLISH);
        broker.send(new ControlFrame.Published(2));

        // then
        assertThat(outcomes.take(1)).containsExactly("m2");
    }

    @Test
    void shouldGoOnAfterAListenerThatThrowsAnErrorOrLeavesAnInterrupt() throws Exception {
        // given
        BlockingQueue<Boolean> interrupted = new LinkedBlockingQueue<>();
        CompletionListener failing =
                completed(() -> {
                    interrupted.add(Thread.currentThread().isInterrupted());
                    Thread.currentThread().interrupt();
                    throw new AssertionError("a test's failure");
                });

        // when
        producer.send(session.createTextMessage("m1"), failing);
        producer.send(session.createTextMessage("m2"), failing);
        broker.await(FrameType.PUBLISH);
        broker.await(FrameType.PUBLISH);
        broker.send(new ControlFrame.Published(2));

        // then
        assertThat(interrupted.poll(10, TimeUnit.SECONDS)).isFalse();
        assertThat(interrupted.poll(10, TimeUnit.SECONDS)).isFalse();
        session.close();
    }

    @Test
    void shouldWaitForItsOwnCompletionsWhenAProducerIsClosed() throws Exception {
        // given
        MessageProducer other = session.createProducer(session.createTopic("prices"));
        CountDownLatch release = new CountDownLatch(1);
        Outcomes outcomes = new Outcomes();
        producer.send(
                session.createTextMessage("m1"),
                completed(() -> {
                    awaitQuietly(release);
                    outcomes.order.add("m1");
                }));
        other.send(session.createTextMessage("m2"), outcomes);
        broker.await(FrameType.PUBLISH);
        broker.await(FrameType.PUBLISH);
        broker.send(new ControlFrame.Published(1));
        Thread closer = closing(producer);

        // when
        closer.start();
        Awaiting.until(() -> waits(closer));
        closer.interrupt();
        release.countDown();

        // then
        closer.join(10_000);
        assertThat(outcomes.order).containsExactly("m1");
        broker.send(new ControlFrame.Published(2));
        assertThat(outcomes.take(2)).containsExactly("m1", "m2");
    }

    @Test
    void shouldWaitForNoOtherCompletionsWhenAProducerIsClosed() throws Exception {
        // given two callbacks that became ready while the one before them ran
        MessageProducer other = session.createProducer(session.createTopic("prices"));
        CountDownLatch both = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        Outcomes outcomes = new Outcomes();
        producer.send(session.createTextMessage("m1"), completed(() -> awaitQuietly(both)));
        producer.send(session.createTextMessage("m2"), outcomes);
        other.send(
                session.createTextMessage("m3"),
                completed(() -> {
                    awaitQuietly(closed);
                    outcomes.order.add("m3");
                }));
        for (int i = 0; i < 3; i++) {
            broker.await(FrameType.PUBLISH);
        }
        broker.send(new ControlFrame.Published(3));
        Thread closer = closing(producer);

        // when
        closer.start();
        Awaiting.until(() -> waits(closer));
        both.countDown();

        // then
        closer.join(10_000);
        assertThat(outcomes.order).containsExactly("m2");
        closed.countDown();
        assertThat(outcomes.take(2)).containsExactly("m2", "m3");
    }

    @Test
    void shouldForbidAProducerToBeClosedByItsCompletionListener() throws Exception {
        // given
        MessageProducer other = session.createProducer(session.createTopic("prices"));
        CompletableFuture<Throwable> refused = new CompletableFuture<>();
        CompletionListener closing =
                completed(() -> {
                    try {
                        other.close();
                        producer.close();
                        refused.complete(new AssertionError("closed"));
                    } catch (JMSException e) {
                        refused.complete(e);
                    }
                });

        // when
        producer.send(session.createMessage(), closing);
        other.send(session.createTextMessage("m2"), new Outcomes());
        broker.await(FrameType.PUBLISH);
        broker.send(new ControlFrame.Published(1));

        // then
        assertThat(refused.get(10, TimeUnit.SECONDS))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("of the producer");
        broker.send(new ControlFrame.Published(2));
    }

    @Test
    void shouldWaitForCallbacksLongerThanForAnswersWhenTheSessionIsClosed() throws Exception {
        // given
        Connection impatient = broker.factory("closeTimeout=50").createConnection();
        Session closed = impatient.createSession();
        MessageProducer sender = closed.createProducer(closed.createTopic("prices"));
        Outcomes outcomes = new Outcomes();
        CountDownLatch release = new CountDownLatch(1);
        CompletionListener slow =
                completed(() -> {
                    awaitQuietly(release);
                    outcomes.order.add("slow");
                });
        sender.send(closed.createTextMessage("m1"), slow);
        sender.send(closed.createTextMessage("m2"), outcomes);
        broker.await(FrameType.PUBLISH);
        broker.await(FrameType.PUBLISH);
        broker.send(new ControlFrame.Published(1));

        // when
        Thread closer = closing(closed);
        closer.start();
        Awaiting.until(() -> closer.getState() == Thread.State.WAITING);
        release.countDown();

        // then
        closer.join(10_000);
        assertThat(outcomes.order).hasSize(2);
        assertThat(outcomes.take(2).get(1)).startsWith("m2: closed before").contains("50 ms");
        broker.send(new ControlFrame.Published(2));
        impatient.close();
        assertThat(outcomes.order).isEmpty();
    }

    /// With a time-out if its send was not answered when it began to wait, without one otherwise.
    private static boolean waits(Thread closer) {
        return closer.getState() == Thread.State.WAITING
                || closer.getState() == Thread.State.TIMED_WAITING;
    }

    private static Thread closing(AutoCloseable target) {
        return new Thread(() -> {
            try {
                target.close();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static CompletionListener completed(Runnable action) {
        return new CompletionListener() {
            @Override
            public void onCompletion(Message message) {
                action.run();
            }

            @Override
            public void onException(Message message, Exception exception) {
                throw new AssertionError(exception);
            }
        };
    }

    @Test
    void shouldSetHeadersOfAForeignMessageBeforeItIsSent() throws Exception {
        // given
        Outcomes outcomes = new Outcomes();
        Map<String, Object> headers = new ConcurrentHashMap<>();
        TextMessage readOnly = foreign("m1", Map.of());
        TextMessage writable = foreign("m2", headers);

        // when
        assertThatThrownBy(() -> producer.send(readOnly, outcomes))
                .isInstanceOf(MessageNotWriteableException.class);
        producer.send(writable, outcomes);
        broker.await(FrameType.PUBLISH);
        broker.send(new ControlFrame.Published(1));

        // then
        assertThat(outcomes.take(1)).containsExactly("m2");
        assertThat(headers).containsKeys("setJMSMessageID", "setJMSTimestamp", "setJMSDestination");
        session.close();
        assertThat(outcomes.order).isEmpty();
    }

    /// A text message of another provider.
    ///
    /// @param headers takes what setters are given; they fail if it is read-only
    private static TextMessage foreign(String text, Map<String, Object> headers) {
        InvocationHandler provider =
                (message, method, arguments) -> {
                    if (method.getName().startsWith("setJMS")) {
                        try {
                            headers.put(method.getName(), arguments[0]);
                        } catch (UnsupportedOperationException e) {
                            throw new MessageNotWriteableException("a test's failure");
                        }
                    }
                    return switch (method.getName()) {
                        case "getText" -> text;
                        case "getPropertyNames" -> Collections.emptyEnumeration();
                        default -> null;
                    };
                };
        Class<?>[] type = {TextMessage.class};
        return (TextMessage)
                Proxy.newProxyInstance(AsyncSendTest.class.getClassLoader(), type, provider);
    }

    @Test
    void shouldEndTheConnectionThatConfirmsWhatWasNotSent() throws Exception {
        // given
        Outcomes outcomes = new Outcomes();
        producer.send(session.createTextMessage("m1"), outcomes);
        broker.await(FrameType.PUBLISH);

        // when
        broker.send(new ControlFrame.Published(2));

        // then
        assertThat(outcomes.take(1).get(0)).contains("expected a publish number of 0 to 1");
        ControlFrame.Goodbye goodbye =
                (ControlFrame.Goodbye) broker.await(FrameType.GOODBYE).control();
        assertThat(goodbye.message()).contains("found 2");
    }

    /// Text of each message, and of its error if it had one.
    private static final class Outcomes implements CompletionListener {
        private final BlockingQueue<String> order = new LinkedBlockingQueue<>();
        private final List<Exception> errors = new ArrayList<>();
        private final List<Thread> threads = new ArrayList<>();

        @Override
        public void onCompletion(Message message) {
            threads.add(Thread.currentThread());
            order.add(text(message));
        }

        @Override
        public void onException(Message message, Exception exception) {
            errors.add(exception);
            order.add(text(message) + ": " + exception.getMessage());
        }

        private static String text(Message message) {
            try {
                return ((TextMessage) message).getText();
            } catch (JMSException e) {
                throw new AssertionError(e);
            }
        }

        List<String> take(int count) throws InterruptedException {
            List<String> taken = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                taken.add(order.poll(10, TimeUnit.SECONDS));
            }
            return taken;
        }
    }
}

package winnow.client;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import winnow.wire.ControlFrame;
import winnow.wire.ErrorCode;
import winnow.wire.FrameType;

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

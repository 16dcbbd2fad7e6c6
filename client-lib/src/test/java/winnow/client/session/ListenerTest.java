package winnow.client.session;

import static jakarta.jms.DeliveryMode.NON_PERSISTENT;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageListener;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import winnow.client.Awaiting;
import winnow.client.ScriptedBroker;
import winnow.client.TestMessages;
import winnow.client.error.JmsErrors;

class ListenerTest {
    private ScriptedBroker broker;
    private Connection connection;
    private Session session;
    private Topic topic;
    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

    @BeforeEach
    void connect() throws Exception {
        broker = new ScriptedBroker();
        connection = broker.factory().createConnection();
        session = connection.createSession();
        topic = session.createTopic("prices");
    }

    @AfterEach
    void disconnect() throws Exception {
        connection.close();
        broker.close();
    }

    private List<String> take(int count) throws InterruptedException {
        List<String> taken = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            taken.add(heard.poll(10, TimeUnit.SECONDS));
        }
        return taken;
    }

    private static String text(jakarta.jms.Message message) {
        try {
            return ((TextMessage) message).getText()
                    + "/"
                    + message.getIntProperty("JMSXDeliveryCount");
        } catch (JMSException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldListenOnceStarted() throws Exception {
        // given
        session.createConsumer(topic).setMessageListener(message -> heard.add(text(message)));
        broker.deliver(1, TestMessages.text("a"), TestMessages.text("b"));
        session.createConsumer(topic);
        letCallbacksRun();
        assertThat(heard).isEmpty();

        // when
        connection.start();
        broker.deliver(1, TestMessages.text("c"));

        // then
        assertThat(take(3)).containsExactly("a/1", "b/1", "c/1");
    }

    @Test
    void shouldRunListenersOfASessionOneAtATime() throws Exception {
        // given
        int rounds = 50;
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger calls = new AtomicInteger();
        AtomicInteger arrived = new AtomicInteger();
        MessageListener listener =
                message -> {
                    int now = inside.incrementAndGet();
                    int round = (calls.getAndIncrement() / 2) + 1;
                    // The other consumer's message of this round was in front of it.
                    Awaiting.until(() -> arrived.get() >= round);
                    letCallbacksRun();
                    heard.add(Math.max(now, inside.getAndDecrement()) + "");
                };
        session.createConsumer(topic).setMessageListener(listener);
        session.createConsumer(topic).setMessageListener(listener);
        connection
                .createSession()
                .createConsumer(topic)
                .setMessageListener(message -> arrived.incrementAndGet());
        connection.start();

        // when
        for (int i = 0; i < rounds; i++) {
            broker.deliver(1, TestMessages.text("x"));
            broker.deliver(2, TestMessages.text("x"));
            broker.deliver(3, TestMessages.text("x"));
        }

        // then
        assertThat(take(2 * rounds)).containsOnly("1");
    }

    /// Runs callbacks one after the other, so that another that was due before them, on a thread of
    /// its own, has had its turn.
    private void letCallbacksRun() {
        CallbackThreads threads = ((WinnowConnection) connection).callbackThreads();
        for (int i = 0; i < 100; i++) {
            CompletableFuture.runAsync(() -> {}, work -> threads.run(work, () -> {}))
                    .orTimeout(10, SECONDS)
                    .join();
        }
    }

    @Test
    void shouldNotHoldUpOtherSessions() throws Exception {
        // given
        CountDownLatch release = new CountDownLatch(1);
        session.createConsumer(topic)
                .setMessageListener(message -> {
                    awaitQuietly(release);
                    heard.add("blocked");
                });
        Session other = connection.createSession();
        other.createConsumer(topic).setMessageListener(message -> heard.add("other"));
        connection.start();

        // when
        broker.deliver(1, TestMessages.text("x"));
        broker.deliver(2, TestMessages.text("x"));

        // then
        assertThat(take(1)).containsExactly("other");
        release.countDown();
        assertThat(take(1)).containsExactly("blocked");
    }

    @Test
    void shouldDeliverAgainWhatAListenerFailedOn() throws Exception {
        // given
        AtomicInteger calls = new AtomicInteger();
        session.createConsumer(topic)
                .setMessageListener(message -> {
                    heard.add(text(message));
                    if (calls.incrementAndGet() == 1) {
                        throw new IllegalArgumentException("a test's failure");
                    }
                });
        connection.start();

        // when
        broker.deliver(1, TestMessages.text("a"), TestMessages.text("b"));

        // then
        assertThat(take(3)).containsExactly("a/1", "a/2", "b/1");
    }

    @Test
    void shouldGoOnAfterAnErrorAndForgetTheInterruptOfAListener() throws Exception {
        // given
        session.createConsumer(topic)
                .setMessageListener(message -> {
                    heard.add(text(message) + " " + Thread.currentThread().isInterrupted());
                    Thread.currentThread().interrupt();
                    if (text(message).equals("a/1")) {
                        throw new AssertionError("a test's failure");
                    }
                });
        connection.start();

        // when
        broker.deliver(1, TestMessages.text("a"), TestMessages.text("b"));

        // then
        assertThat(take(3)).containsExactly("a/1 false", "a/2 false", "b/1 false");
        connection.stop();
        session.close();
    }

    @Test
    void shouldDropWhatAListenerAlwaysFailsOn() throws Exception {
        // given
        session.createConsumer(topic)
                .setMessageListener(message -> {
                    heard.add(text(message));
                    if (text(message).startsWith("bad")) {
                        throw new IllegalArgumentException("a test's failure");
                    }
                });
        connection.start();

        // when
        broker.deliver(1, TestMessages.text("bad"), TestMessages.text("good"));

        // then
        assertThat(take(8))
                .containsExactly(
                        "bad/1", "bad/2", "bad/3", "bad/4", "bad/5", "bad/6", "bad/7", "good/1");
    }

    @Test
    void shouldRecoverInsideAListener() throws Exception {
        // given
        for (int mode : new int[] {Session.AUTO_ACKNOWLEDGE, Session.CLIENT_ACKNOWLEDGE}) {
            Session own = connection.createSession(mode);
            AtomicInteger calls = new AtomicInteger();
            MessageConsumer consumer = own.createConsumer(topic);
            consumer.setMessageListener(message -> {
                heard.add(text(message));
                if (calls.incrementAndGet() == 1) {
                    JmsErrors.run(own::recover);
                }
            });
            connection.start();

            // when
            broker.deliver(1, TestMessages.text("a"), TestMessages.text("b"));

            // then
            assertThat(take(3)).containsExactly("a/1", "a/2", "b/1");
            own.close();
        }
    }

    @Test
    void shouldStopAndGoOn() throws Exception {
        // given
        session.createConsumer(topic).setMessageListener(message -> heard.add(text(message)));
        connection.start();
        broker.deliver(1, TestMessages.text("a"));
        assertThat(take(1)).containsExactly("a/1");

        // when
        connection.stop();
        broker.deliver(1, TestMessages.text("b"));
        session.createConsumer(topic);
        letCallbacksRun();

        // then
        assertThat(heard).isEmpty();
        connection.start();
        assertThat(take(1)).containsExactly("b/1");
    }

    @Test
    void shouldForbidCloseAndStopInsideAListenerButNotOfItsConsumer() throws Exception {
        // given
        CompletableFuture<List<Throwable>> found = new CompletableFuture<>();
        MessageConsumer consumer = session.createConsumer(topic);
        consumer.setMessageListener(message -> {
            List<Throwable> errors = new ArrayList<>();
            List<JmsErrors.Action> calls =
                    List.of(connection::close, connection::stop, session::close);
            for (JmsErrors.Action call : calls) {
                try {
                    call.run();
                } catch (JMSException e) {
                    errors.add(e);
                }
            }
            JmsErrors.run(consumer::close);
            found.complete(errors);
        });
        connection.start();

        // when
        broker.deliver(1, TestMessages.text("a"), TestMessages.text("b"));

        // then
        assertThat(found.get(10, TimeUnit.SECONDS))
                .hasSize(3)
                .allSatisfy(e -> assertThat(e).isInstanceOf(IllegalStateException.class));
        assertThatThrownBy(consumer::receive).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldWaitForTheRunningListenerWhenClosed() throws Exception {
        // given
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        session.createConsumer(topic)
                .setMessageListener(message -> {
                    entered.countDown();
                    awaitQuietly(release);
                    heard.add("done");
                });
        connection.start();
        broker.deliver(1, TestMessages.text("a"), TestMessages.text("b"));
        assertThat(entered.await(10, TimeUnit.SECONDS)).isTrue();
        CompletableFuture<Integer> closed = new CompletableFuture<>();
        Thread closer =
                new Thread(() -> {
                    JmsErrors.run(session::close);
                    closed.complete(heard.size());
                });

        // when
        closer.start();
        Awaiting.until(() -> closer.getState() == Thread.State.WAITING);
        release.countDown();

        // then
        assertThat(closed.get(10, TimeUnit.SECONDS)).isEqualTo(1);
        assertThat(heard).hasSize(1);
    }

    @Test
    void shouldServeARunningListenerWhileTheConnectionIsClosed() throws Exception {
        // given
        Session other = connection.createSession();
        MessageProducer producer = other.createProducer(topic);
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        session.createConsumer(topic)
                .setMessageListener(message -> {
                    entered.countDown();
                    JmsErrors.run(() -> {
                        awaitQuietly(release);
                        producer.send(other.createTextMessage("x"), NON_PERSISTENT, 4, 0);
                        connection.start();
                        connection.createSession().createConsumer(topic);
                        heard.add("served");
                    });
                });
        connection.start();
        broker.deliver(1, TestMessages.text("a"), TestMessages.text("b"));
        assertThat(entered.await(10, TimeUnit.SECONDS)).isTrue();
        Thread first = new Thread(() -> JmsErrors.run(connection::close));
        Thread second = new Thread(() -> JmsErrors.run(connection::close));

        // when
        first.start();
        Awaiting.until(() -> first.getState() == Thread.State.WAITING);
        second.start();
        Awaiting.until(() -> second.getState() == Thread.State.WAITING);
        release.countDown();

        // then
        second.join(10_000);
        assertThat(heard).containsExactly("served");
        assertThatThrownBy(() -> other.createMessage()).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(connection::start).isInstanceOf(IllegalStateException.class);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldChangeListenersWithoutLosingMessages() throws Exception {
        // given
        MessageConsumer consumer = session.createConsumer(topic);
        consumer.setMessageListener(message -> heard.add("first " + text(message)));
        connection.start();
        broker.deliver(1, TestMessages.text("a"));
        assertThat(take(1)).containsExactly("first a/1");

        // when
        consumer.setMessageListener(null);
        broker.deliver(1, TestMessages.text("b"));
        consumer.setMessageListener(message -> heard.add("second " + text(message)));

        // then
        assertThat(take(1)).containsExactly("second b/1");
    }

    @Test
    void shouldLetEachConsumerHaveItsTurn() throws Exception {
        // given
        AtomicInteger ofFirst = new AtomicInteger();
        session.createConsumer(topic).setMessageListener(message -> ofFirst.incrementAndGet());
        session.createConsumer(topic).setMessageListener(message -> heard.add(ofFirst.get() + ""));
        byte[] block = TestMessages.text("x");
        byte[][] many = new byte[4000][];
        Arrays.fill(many, block);
        broker.deliver(1, many);
        broker.deliver(2, block);
        // The answer to Subscribe may share a read with the messages, that to Unsubscribe cannot.
        session.createConsumer(topic).close();

        // when
        connection.start();

        // then
        assertThat(Integer.parseInt(take(1).get(0))).isLessThan(4000);
        Awaiting.until(() -> ofFirst.get() == 4000);
    }
}

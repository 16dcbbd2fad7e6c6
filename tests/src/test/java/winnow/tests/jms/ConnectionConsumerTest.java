package winnow.tests.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static winnow.tests.jms.JmsBroker.DEADLINE_MILLIS;
import static winnow.tests.jms.JmsBroker.SILENCE_MILLIS;
import static winnow.tests.jms.JmsBroker.send;
import static winnow.tests.jms.JmsBroker.text;
import static winnow.tests.jms.JmsBroker.textOf;
import static winnow.tests.jms.JmsBroker.texts;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionConsumer;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidSelectorException;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageListener;
import jakarta.jms.Queue;
import jakarta.jms.ServerSession;
import jakarta.jms.ServerSessionPool;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Connection consumers with server sessions (Jakarta Messaging 3.1, 8.2).
class ConnectionConsumerTest {
    private static final int COUNT = 60;

    private final BlockingQueue<String> received = new LinkedBlockingQueue<>();
    private JmsBroker broker;
    private Connection connection;
    private Session sending;

    @BeforeEach
    void connect() throws IOException, JMSException {
        broker = new JmsBroker();
        connection = broker.connect("?clientID=server");
        sending = broker.connect().createSession();
    }

    @AfterEach
    void close() {
        broker.close();
    }

    private static String[] numbers() {
        return IntStream.range(0, COUNT).mapToObj(Integer::toString).toArray(String[]::new);
    }

    private MessageListener noting(Session session) {
        return message -> received.add(textOf(message));
    }

    private ServerSessions pool(int count) throws JMSException {
        return new ServerSessions(connection, count, Session.AUTO_ACKNOWLEDGE, this::noting);
    }

    private List<String> received(int count) throws InterruptedException {
        List<String> found = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String text = received.poll(DEADLINE_MILLIS, TimeUnit.MILLISECONDS);
            assertThat(text).as("message %d", i).isNotNull();
            found.add(text);
        }
        return found;
    }

    private void expectNothingReceived() throws InterruptedException {
        assertThat(received.poll(SILENCE_MILLIS, TimeUnit.MILLISECONDS)).isNull();
    }

    @Test
    void shouldGiveTheMessagesOfAQueueToServerSessions() throws Exception {
        // given
        Queue queue = sending.createQueue("orders");
        try (ServerSessions pool = pool(3)) {
            ConnectionConsumer consumer = connection.createConnectionConsumer(queue, null, pool, 5);

            // when
            send(sending, sending.createProducer(queue), numbers());

            // then
            assertThat(received(COUNT)).containsExactlyInAnyOrder(numbers());
            assertThat(pool.runs.get()).isGreaterThanOrEqualTo(COUNT / 5);
            assertThat(consumer.getServerSessionPool()).isSameAs(pool);
            consumer.close();
            send(sending, sending.createProducer(queue), "later");
            assertThat(text(sending.createConsumer(queue))).isEqualTo("later");
            assertThatThrownBy(consumer::getServerSessionPool)
                    .isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void shouldGoOnWithOneBatchAtATimeAfterAPoolHadNoServerSession() throws Exception {
        // given
        Topic topic = sending.createTopic("news");
        BlockingQueue<String> problems = new LinkedBlockingQueue<>();
        connection.setExceptionListener(
                problem -> problems.add(String.valueOf(problem.getMessage())));
        AtomicBoolean asked = new AtomicBoolean();
        try (ServerSessions sessions = pool(3)) {
            ServerSessionPool pool =
                    () -> asked.getAndSet(true) ? sessions.getServerSession() : null;
            connection.createDurableConnectionConsumer(topic, "audit", null, pool, 1);

            // when
            send(sending, sending.createProducer(topic), numbers());

            // then
            assertThat(received(COUNT)).containsExactly(numbers());
            assertThat(problems)
                    .containsExactly("expected a server session of the pool, found none");
        }
    }

    @Test
    void shouldKeepTheOrderWithOneServerSession() throws Exception {
        // given
        Queue queue = sending.createQueue("orders");
        send(sending, sending.createProducer(queue), numbers());

        // when
        try (ServerSessions pool = pool(1)) {
            connection.createConnectionConsumer(queue, null, pool, 7);

            // then
            assertThat(received(COUNT)).containsExactly(numbers());
        }
    }

    @Test
    void shouldGiveTheMessagesOfATopicToServerSessions() throws Exception {
        // given
        Topic topic = sending.createTopic("news");
        try (ServerSessions pool = pool(2);
                ServerSessions others = pool(1)) {
            ConnectionConsumer one = connection.createConnectionConsumer(topic, null, pool, 3);
            connection.createConnectionConsumer(topic, "n IS NULL", others, 3);

            // when
            send(sending, sending.createProducer(topic), numbers());

            // then
            assertThat(received(2 * COUNT)).contains(numbers());
            one.close();
            send(sending, sending.createProducer(topic), "once");
            assertThat(received(1)).containsExactly("once");
            expectNothingReceived();
        }
    }

    @Test
    void shouldShareASubscription() throws Exception {
        // given
        Topic topic = sending.createTopic("news");
        try (ServerSessions pool = pool(2)) {
            ConnectionConsumer consumer =
                    connection.createSharedConnectionConsumer(topic, "shared", null, pool, 3);

            // when
            send(sending, sending.createProducer(topic), numbers());

            // then
            assertThat(received(COUNT)).containsExactlyInAnyOrder(numbers());
            consumer.close();
            send(sending, sending.createProducer(topic), "late");
            expectNothingReceived();
        }
    }

    @Test
    void shouldTakeADurableSubscriptionInBatches() throws Exception {
        // given
        Topic topic = sending.createTopic("news");
        try (ServerSessions pool = pool(3)) {
            ConnectionConsumer consumer =
                    connection.createDurableConnectionConsumer(topic, "durable", null, pool, 4);

            // when
            send(sending, sending.createProducer(topic), numbers());

            // then
            assertThat(received(COUNT)).containsExactly(numbers());
            consumer.close();
            send(sending, sending.createProducer(topic), "kept");
            Session session = connection.createSession();
            assertThat(text(session.createDurableConsumer(topic, "durable"))).isEqualTo("kept");
        }
    }

    @Test
    void shouldShareADurableSubscription() throws Exception {
        // given
        Topic topic = sending.createTopic("news");
        try (ServerSessions pool = pool(2)) {
            ConnectionConsumer consumer =
                    connection.createSharedDurableConnectionConsumer(
                            topic, "shared", null, pool, 4);

            // when
            send(sending, sending.createProducer(topic), numbers());

            // then
            assertThat(received(COUNT)).containsExactlyInAnyOrder(numbers());
            consumer.close();
            send(sending, sending.createProducer(topic), "kept");
            Session session = connection.createSession();
            assertThat(text(session.createSharedDurableConsumer(topic, "shared")))
                    .isEqualTo("kept");
        }
    }

    @Test
    void shouldCommitAndRollBackInServerSessions() throws Exception {
        // given
        Queue queue = sending.createQueue("orders");
        Queue replies = sending.createQueue("replies");
        ServerSessions.Work work =
                session ->
                        message -> {
                            try {
                                session.createProducer(replies)
                                        .send(session.createTextMessage(textOf(message)));
                                if (message.getJMSRedelivered()) {
                                    session.commit();
                                } else {
                                    session.rollback();
                                }
                            } catch (JMSException e) {
                                throw new AssertionError(e);
                            }
                        };
        try (ServerSessions pool =
                new ServerSessions(connection, 2, Session.SESSION_TRANSACTED, work)) {
            connection.createConnectionConsumer(queue, null, pool, 1);

            // when
            send(sending, sending.createProducer(queue), "a", "b", "c");

            // then
            MessageConsumer consumer = sending.createConsumer(replies);
            assertThat(texts(consumer, 3)).containsExactlyInAnyOrder("a", "b", "c");
            assertThat(consumer.receiveNoWait()).isNull();
        }
    }

    @Test
    void shouldGiveNothingBeforeStart() throws Exception {
        // given
        Queue queue = sending.createQueue("orders");
        connection.stop();
        try (ServerSessions pool = pool(1)) {
            connection.createConnectionConsumer(queue, null, pool, 5);
            send(sending, sending.createProducer(queue), numbers());
            expectNothingReceived();

            // when
            connection.start();

            // then
            assertThat(received(COUNT)).containsExactly(numbers());
        }
    }

    @Test
    void shouldGoOnAfterAServerSessionThatDoesNotStart() throws Exception {
        // given
        Topic topic = sending.createTopic("news");
        AtomicBoolean failed = new AtomicBoolean();
        try (ServerSessions pool = pool(2)) {
            ServerSessionPool failing =
                    () -> {
                        ServerSession server = pool.getServerSession();
                        return failed.compareAndSet(false, true) ? unstartable(server) : server;
                    };
            connection.createDurableConnectionConsumer(topic, "durable", null, failing, 4);

            // when
            send(sending, sending.createProducer(topic), numbers());

            // then
            assertThat(received(COUNT)).containsExactlyInAnyOrder(numbers());
            assertThat(failed).isTrue();
        }
    }

    @Test
    void shouldGoOnWhenItsPoolHasNoServerSession() throws Exception {
        // given
        Topic topic = sending.createTopic("news");
        AtomicBoolean failed = new AtomicBoolean();
        try (ServerSessions pool = pool(1)) {
            ServerSessionPool failing =
                    () -> {
                        if (failed.compareAndSet(false, true)) {
                            throw new JMSException("a test's failure");
                        }
                        return pool.getServerSession();
                    };
            connection.createDurableConnectionConsumer(topic, "durable", null, failing, 4);

            // when
            send(sending, sending.createProducer(topic), numbers());

            // then
            assertThat(received(COUNT)).containsExactly(numbers());
            assertThat(failed).isTrue();
        }
    }

    private static ServerSession unstartable(ServerSession server) {
        return new ServerSession() {
            @Override
            public Session getSession() throws JMSException {
                return server.getSession();
            }

            @Override
            public void start() throws JMSException {
                throw new JMSException("a test's failure");
            }
        };
    }

    @Test
    void shouldRefuseWhatIsNoBatch() throws Exception {
        Queue queue = sending.createQueue("orders");
        try (ServerSessions pool = pool(1)) {
            assertThatThrownBy(() -> connection.createConnectionConsumer(queue, null, pool, 0))
                    .isInstanceOf(JMSException.class)
                    .hasMessageContaining("at least 1 message");
            assertThatThrownBy(() -> connection.createConnectionConsumer(queue, null, null, 1))
                    .isInstanceOf(JMSException.class);
            assertThatThrownBy(() -> connection.createConnectionConsumer(queue, "a =", pool, 1))
                    .isInstanceOf(InvalidSelectorException.class);
        }
    }

    @Test
    void shouldHaveNothingAgainstNoListener() throws Exception {
        Session session = connection.createSession();
        session.setMessageListener(null);
        assertThat(session.getMessageListener()).isNull();
        session.run();
        MessageListener listener = message -> {};
        session.setMessageListener(listener);
        assertThat(session.getMessageListener()).isSameAs(listener);
    }
}

package winnow.client.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import winnow.client.ScriptedBroker;
import winnow.client.error.JmsErrors;
import winnow.wire.FrameType;
import winnow.wire.frame.ControlFrame;

/// What one thread closes while others use it.
class ClosingTest {
    private static final int TRIES = 100;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private ScriptedBroker broker;
    private Connection connection;
    private Session session;
    private Topic topic;

    @BeforeEach
    void connect() throws Exception {
        broker = new ScriptedBroker();
        open();
    }

    private void open() throws JMSException {
        connection = broker.factory().createConnection();
        connection.start();
        session = connection.createSession();
        topic = session.createTopic("prices");
    }

    @AfterEach
    void disconnect() throws Exception {
        connection.close();
        broker.close();
        threads.shutdownNow();
    }

    private Future<?> inBackground(JmsErrors.Action action) {
        Callable<Boolean> call =
                () -> {
                    action.run();
                    return true;
                };
        return threads.submit(call);
    }

    private Future<?> createAndReceive() {
        return inBackground(() -> assertThat(session.createConsumer(topic).receive()).isNull());
    }

    private static void awaitEnd(Future<?> receiving) throws Exception {
        try {
            receiving.get(10, TimeUnit.SECONDS);
        } catch (java.util.concurrent.ExecutionException e) {
            assertThat(e).hasCauseInstanceOf(JMSException.class);
        }
    }

    @Test
    void shouldEndReceiveWhenTheSessionIsClosedBesideCreateConsumer() throws Exception {
        for (int i = 0; i < TRIES; i++) {
            // given
            Future<?> receiving = createAndReceive();
            broker.await(FrameType.SUBSCRIBE);

            // when
            session.close();

            // then
            awaitEnd(receiving);
            assertThat(broker.subscriptionIds()).isEmpty();
            session = connection.createSession();
        }
    }

    @Test
    void shouldEndReceiveWhenTheConnectionIsClosedBesideCreateConsumer() throws Exception {
        for (int i = 0; i < TRIES; i++) {
            // given
            Future<?> receiving = createAndReceive();
            broker.await(FrameType.SUBSCRIBE);

            // when
            connection.close();

            // then
            awaitEnd(receiving);
            open();
        }
    }

    @Test
    void shouldEndASubscriptionThatIsAskedForWhenTheSessionIsClosed() throws Exception {
        // given
        broker.holdAnswers(FrameType.SUBSCRIBE);
        Future<?> creating = inBackground(() -> session.createConsumer(topic));
        ControlFrame.Subscribe subscribe =
                (ControlFrame.Subscribe) broker.await(FrameType.SUBSCRIBE).control();

        // when
        Future<?> closing = inBackground(session::close);

        // then
        ControlFrame.Unsubscribe end =
                (ControlFrame.Unsubscribe) broker.await(FrameType.UNSUBSCRIBE).control();
        assertThat(end.subscriptionId()).isEqualTo(subscribe.subscriptionId());
        broker.send(new ControlFrame.Accepted(subscribe.requestId()));
        closing.get(10, TimeUnit.SECONDS);
        assertThatThrownBy(() -> creating.get(10, TimeUnit.SECONDS))
                .hasCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void shouldGiveADestinationBackThatIsOpenedWhenTheSessionIsClosed() throws Exception {
        // given
        broker.holdAnswers(FrameType.OPEN);
        Future<?> creating = inBackground(() -> session.createProducer(topic));
        ControlFrame.Open open = (ControlFrame.Open) broker.await(FrameType.OPEN).control();

        // when
        session.close();
        broker.send(new ControlFrame.Accepted(open.requestId()));

        // then
        assertThatThrownBy(() -> creating.get(10, TimeUnit.SECONDS))
                .hasCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void shouldUnsubscribeAllConsumersOfASessionAtOnce() throws Exception {
        // given
        int consumers = 20;
        for (int i = 0; i < consumers; i++) {
            session.createConsumer(topic);
        }
        broker.holdAnswers(FrameType.UNSUBSCRIBE);

        // when
        Future<?> closing = inBackground(session::close);

        // then
        List<ControlFrame> answers = new ArrayList<>();
        for (int i = 0; i < consumers; i++) {
            ControlFrame.Unsubscribe end =
                    (ControlFrame.Unsubscribe) broker.await(FrameType.UNSUBSCRIBE).control();
            answers.add(new ControlFrame.Accepted(end.requestId()));
        }
        assertThat(closing).isNotDone();
        broker.send(answers.toArray(ControlFrame[]::new));
        closing.get(10, TimeUnit.SECONDS);
    }

    @Test
    void shouldAgreeAboutStartedAfterConcurrentStartAndStop() throws Exception {
        // given
        List<WinnowSession> sessions = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            sessions.add((WinnowSession) connection.createSession());
        }
        CyclicBarrier together = new CyclicBarrier(2);

        for (int i = 0; i < TRIES * 10; i++) {
            // when
            Future<?> starting =
                    threads.submit(() -> {
                        together.await();
                        connection.start();
                        return null;
                    });
            together.await();
            connection.stop();
            starting.get(10, TimeUnit.SECONDS);

            // then
            try (Session last = connection.createSession()) {
                boolean started = ((WinnowSession) last).dispatch().isStarted();
                assertThat(sessions)
                        .allMatch(one -> one.dispatch().isStarted() == started, "as the last");
            }
        }
    }

    @Test
    void shouldNotCallListenersOfAClosingSessionThatIsStartedAgain() throws Exception {
        // given
        WinnowSession own = (WinnowSession) session;

        // when
        own.close();
        own.start();

        // then
        assertThat(own.dispatch().isStarted()).isFalse();
    }

    @Test
    void shouldEndReceiveWhenAContextIsClosedBesideCreateConsumer() throws Exception {
        try (JMSContext first = broker.factory().createContext()) {
            for (int i = 0; i < TRIES; i++) {
                // given
                JMSContext context = first.createContext(Session.AUTO_ACKNOWLEDGE);
                CyclicBarrier together = new CyclicBarrier(2);
                Future<?> receiving =
                        threads.submit(() -> {
                            together.await();
                            return context.createConsumer(topic).receive();
                        });

                // when
                together.await();
                context.close();

                // then
                awaitContextEnd(receiving);
                assertThat(broker.subscriptionIds()).isEmpty();
            }
        }
    }

    private static void awaitContextEnd(Future<?> receiving) throws Exception {
        try {
            assertThat(receiving.get(10, TimeUnit.SECONDS)).isNull();
        } catch (java.util.concurrent.ExecutionException e) {
            assertThat(e).hasCauseInstanceOf(jakarta.jms.JMSRuntimeException.class);
        }
    }

    @Test
    void shouldNotMakeAProducerOfAClosedSession() throws Exception {
        // given
        MessageProducer producer = session.createProducer(topic);

        // when
        session.close();

        // then
        assertThatThrownBy(producer::getPriority).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> session.createProducer(topic))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> session.createConsumer(topic))
                .isInstanceOf(IllegalStateException.class);
    }
}

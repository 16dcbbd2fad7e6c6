package winnow.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.TransactionRolledBackException;
import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import winnow.client.error.JmsErrors;
import winnow.wire.DeliveryRanges;
import winnow.wire.ErrorCode;
import winnow.wire.FrameType;
import winnow.wire.WireReader;
import winnow.wire.frame.BeginSession;
import winnow.wire.frame.Commit;
import winnow.wire.frame.ControlFrame;
import winnow.wire.frame.EndSession;
import winnow.wire.frame.Publish;
import winnow.wire.frame.Recover;

/// Transacted sessions: what they tell the broker, and when.
class TransactionTest {
    private static final long DEADLINE_MILLIS = 10_000;

    private ScriptedBroker broker;
    private Connection connection;
    private Session session;
    private Queue queue;

    @BeforeEach
    void connect() throws IOException, JMSException {
        broker = new ScriptedBroker();
        connection = broker.factory().createConnection();
        connection.start();
        session = connection.createSession(true, Session.AUTO_ACKNOWLEDGE);
        queue = session.createQueue("orders");
    }

    @AfterEach
    void close() throws IOException, JMSException {
        connection.close();
        broker.close();
    }

    private Commit awaitCommit() {
        return (Commit) broker.await(FrameType.COMMIT).control();
    }

    private int consumerId() {
        return broker.consumers().get(0).consumer();
    }

    @Test
    void shouldPublishInATransactionWithoutWaiting() throws Exception {
        // given
        MessageProducer producer = session.createProducer(queue);

        // when
        producer.send(session.createTextMessage("a"));
        session.commit();

        // then
        BeginSession begin = (BeginSession) broker.await(FrameType.BEGIN_SESSION).control();
        WireReader publish = broker.await(FrameType.PUBLISH).fields();
        Commit commit = awaitCommit();
        publish.readVarint();
        assertThat(begin.transacted()).isTrue();
        assertThat(Publish.readFlags(publish)).isEqualTo(Publish.TRANSACTED);
        assertThat(publish.readVarint()).isEqualTo(begin.session()).isEqualTo(commit.session());
        assertThat(commit.deliveries()).isEqualTo(DeliveryRanges.NONE);
        assertThat(commit.transaction()).matches("[0-9a-f]{32}-1");
    }

    @Test
    void shouldAcknowledgeWhatItReceivedByCommit() throws Exception {
        // given
        MessageConsumer consumer = session.createConsumer(queue);
        broker.deliverStored(consumerId(), 1, 0, TestMessages.text("a"), TestMessages.text("b"));
        consumer.receive(DEADLINE_MILLIS);

        // when
        session.commit();
        consumer.receive(DEADLINE_MILLIS);
        session.commit();
        session.commit();

        // then
        assertThat(awaitCommit().deliveries()).isEqualTo(DeliveryRanges.of(1));
        assertThat(awaitCommit().deliveries()).isEqualTo(DeliveryRanges.of(2));
        assertThat(broker.poll(FrameType.COMMIT)).isNull();
    }

    @Test
    void shouldGiveBackWhatItReceivedByRollback() throws Exception {
        // given
        MessageConsumer consumer = session.createConsumer(queue);
        broker.deliverStored(consumerId(), 1, 0, TestMessages.text("a"), TestMessages.text("b"));
        consumer.receive(DEADLINE_MILLIS);

        // when
        session.rollback();
        broker.deliverStored(consumerId(), 3, 1, TestMessages.text("a"));

        // then
        Recover recover = (Recover) broker.await(FrameType.RECOVER).control();
        Message again = consumer.receive(DEADLINE_MILLIS);
        assertThat(recover.failed()).isEqualTo(DeliveryRanges.of(1));
        assertThat(((TextMessage) again).getText()).isEqualTo("a");
        assertThat(again.getJMSRedelivered()).isTrue();
    }

    @Test
    void shouldForgetWhatItPublishedByRollback() throws Exception {
        // given
        session.createProducer(queue).send(session.createTextMessage("a"));

        // when
        session.rollback();

        // then
        Recover recover = (Recover) broker.await(FrameType.RECOVER).control();
        assertThat(recover.failed()).isEqualTo(DeliveryRanges.NONE);
        session.commit();
        assertThat(broker.poll(FrameType.COMMIT)).isNull();
    }

    @Test
    void shouldSayThatTheBrokerRolledBack() throws Exception {
        // given
        broker.holdAnswers(FrameType.COMMIT);
        session.createProducer(queue).send(session.createTextMessage("a"));
        Thread refusing =
                new Thread(() -> {
                    Commit commit = awaitCommit();
                    JmsErrors.run(() -> refuse(commit, ErrorCode.ROLLED_BACK, "the queue is full"));
                });
        refusing.start();

        // when, then
        assertThatThrownBy(session::commit)
                .isInstanceOf(TransactionRolledBackException.class)
                .hasMessageContaining("the queue is full");
        broker.await(FrameType.RECOVER);
    }

    @ParameterizedTest
    @EnumSource(names = {"STORE_UNAVAILABLE", "SHUTTING_DOWN", "INTERNAL_ERROR"})
    void shouldNotSayRolledBackWhenTheStoreFailsDuringACommit(ErrorCode code) throws Exception {
        // given
        broker.holdAnswers(FrameType.COMMIT);
        session.createProducer(queue).send(session.createTextMessage("a"));
        Thread refusing =
                new Thread(() -> {
                    Commit commit = awaitCommit();
                    JmsErrors.run(() -> refuse(commit, code, "the disk has failed"));
                });
        refusing.start();

        // when, then
        assertThatThrownBy(session::commit)
                .isInstanceOf(JMSException.class)
                .isNotInstanceOf(TransactionRolledBackException.class)
                .hasMessageContaining("not known whether the transaction took effect")
                .hasMessageContaining("the disk has failed");
        awaitRead();
        assertThat(broker.poll(FrameType.RECOVER)).isNull();
    }

    @Test
    void shouldNotSayRolledBackWhenTheConnectionEndsDuringACommit() throws Exception {
        // given
        broker.holdAnswers(FrameType.COMMIT);
        session.createProducer(queue).send(session.createTextMessage("a"));
        Thread ending =
                new Thread(() -> {
                    awaitCommit();
                    JmsErrors.run(this::sayGoodbye);
                });
        ending.start();

        // when, then
        assertThatThrownBy(session::commit)
                .isInstanceOf(JMSException.class)
                .isNotInstanceOf(TransactionRolledBackException.class)
                .hasMessageContaining("the broker stops");
    }

    private void sayGoodbye() throws JMSException {
        try {
            int code = ErrorCode.SHUTTING_DOWN.number();
            broker.send(new ControlFrame.Goodbye(code, "the broker stops"));
        } catch (IOException e) {
            throw new JMSException(e.getMessage());
        }
    }

    private void refuse(Commit commit, ErrorCode code, String reason) throws JMSException {
        try {
            broker.send(new ControlFrame.Refused(commit.requestId(), code.number(), reason));
        } catch (IOException e) {
            throw new JMSException(e.getMessage());
        }
    }

    /// The first message of a transaction is lost with the session that the broker does not begin.
    private BeginSession loseTheFirstMessage(MessageProducer producer) throws Exception {
        broker.holdAnswers(FrameType.BEGIN_SESSION);
        producer.send(session.createTextMessage("lost"));
        BeginSession begin = (BeginSession) broker.await(FrameType.BEGIN_SESSION).control();
        broker.send(
                new ControlFrame.Refused(
                        begin.requestId(), ErrorCode.LIMIT_EXCEEDED.number(), "too many sessions"));
        broker.giveAnswers(FrameType.BEGIN_SESSION);
        awaitRead();
        return begin;
    }

    /// Returns when the client has read what was sent.
    private void awaitRead() throws JMSException {
        session.createProducer(session.createQueue("read until here")).close();
    }

    @Test
    void shouldNotSendOnWhenTheFirstMessageIsLost() throws Exception {
        // given
        MessageProducer producer = session.createProducer(queue);
        BeginSession refused = loseTheFirstMessage(producer);

        // when, then
        assertThatThrownBy(() -> producer.send(session.createTextMessage("b")))
                .isInstanceOf(TransactionRolledBackException.class)
                .hasMessageContaining("too many sessions");
        producer.send(session.createTextMessage("c"));
        session.commit();
        EndSession end = (EndSession) broker.await(FrameType.END_SESSION).control();
        assertThat(end.session()).isEqualTo(refused.session());
        assertThat(awaitCommit().session()).isNotEqualTo(refused.session());
    }

    @Test
    void shouldNotCommitInAnotherSessionWhenTheFirstMessageIsLost() throws Exception {
        // given
        loseTheFirstMessage(session.createProducer(queue));
        MessageConsumer consumer = session.createConsumer(queue);
        broker.deliverStored(consumerId(), 1, 0, TestMessages.text("a"));
        consumer.receive(DEADLINE_MILLIS);

        // when, then
        assertThatThrownBy(session::commit)
                .isInstanceOf(TransactionRolledBackException.class)
                .hasMessageContaining("too many sessions");
        Recover recover = (Recover) broker.await(FrameType.RECOVER).control();
        assertThat(recover.failed()).isEqualTo(DeliveryRanges.of(1));
    }

    @Test
    void shouldCommitNothingBeforeAsynchronousSendsAreConfirmed() throws Exception {
        try (Connection impatient = broker.factory("requestTimeout=2000").createConnection()) {
            // given
            Session own = impatient.createSession(true, Session.SESSION_TRANSACTED);
            BlockingQueue<String> outcomes = new LinkedBlockingQueue<>();
            own.createProducer(queue).send(own.createTextMessage("a"), told(outcomes));

            // when, then
            assertThatThrownBy(own::commit).hasMessageContaining("nothing was committed");
            assertThat(outcomes).isEmpty();
            assertThat(broker.poll(FrameType.COMMIT)).isNull();
            broker.send(new ControlFrame.Published(1));
            own.commit();
            assertThat(outcomes).containsExactly("confirmed");
            assertThat(awaitCommit().deliveries()).isEqualTo(DeliveryRanges.NONE);
        }
    }

    private static CompletionListener told(BlockingQueue<String> outcomes) {
        return new CompletionListener() {
            @Override
            public void onCompletion(Message message) {
                outcomes.add("confirmed");
            }

            @Override
            public void onException(Message message, Exception failure) {
                outcomes.add(failure.toString());
            }
        };
    }

    @Test
    void shouldDeliverLiveMessagesAgainAfterRollback() throws Exception {
        // given
        MessageConsumer consumer = session.createConsumer(session.createTopic("prices"));
        int id = broker.subscriptionIds().iterator().next();
        broker.deliver(id, TestMessages.text("a"));
        consumer.receive(DEADLINE_MILLIS);

        // when
        session.rollback();

        // then
        Message again = consumer.receive(DEADLINE_MILLIS);
        assertThat(((TextMessage) again).getText()).isEqualTo("a");
        assertThat(again.getJMSRedelivered()).isTrue();
        session.commit();
        assertThat(broker.poll(FrameType.BEGIN_SESSION)).isNull();
    }

    @Test
    void shouldCommitInAListener() throws Exception {
        // given
        MessageConsumer consumer = session.createConsumer(queue);
        BlockingQueue<String> failures = new LinkedBlockingQueue<>();
        consumer.setMessageListener(message -> {
            try {
                session.commit();
                failures.add("none");
            } catch (JMSException e) {
                failures.add(e.toString());
            }
        });

        // when
        broker.deliverStored(consumerId(), 1, 0, TestMessages.text("a"));

        // then
        assertThat(awaitCommit().deliveries()).isEqualTo(DeliveryRanges.of(1));
        assertThat(failures.poll(DEADLINE_MILLIS, TimeUnit.MILLISECONDS)).isEqualTo("none");
    }

    @Test
    void shouldRollBackWhenItIsClosed() throws Exception {
        // given
        MessageConsumer consumer = session.createConsumer(queue);
        broker.deliverStored(consumerId(), 1, 0, TestMessages.text("a"));
        consumer.receive(DEADLINE_MILLIS);

        // when
        session.close();

        // then
        EndSession end = (EndSession) broker.await(FrameType.END_SESSION).control();
        assertThat(end.seen()).isEqualTo(DeliveryRanges.of(1));
        assertThatThrownBy(session::commit).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldKnowItsMode() throws Exception {
        assertThat(session.getTransacted()).isTrue();
        assertThat(session.getAcknowledgeMode()).isEqualTo(Session.SESSION_TRANSACTED);
        assertThatThrownBy(session::recover).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> connection.createSession(false, Session.SESSION_TRANSACTED))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("expected an acknowledgement mode of 1 to 3");
        try (JMSContext context = broker.factory().createContext(JMSContext.SESSION_TRANSACTED)) {
            assertThat(context.getTransacted()).isTrue();
            context.createProducer().send(context.createQueue("orders"), "a");
            context.commit();
            assertThat(awaitCommit().deliveries()).isEqualTo(DeliveryRanges.NONE);
        }
    }
}

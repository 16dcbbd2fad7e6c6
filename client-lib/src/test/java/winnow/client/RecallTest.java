package winnow.client;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import winnow.client.error.JmsErrors;
import winnow.wire.FrameType;
import winnow.wire.Protocol;
import winnow.wire.frame.Acknowledge;
import winnow.wire.frame.Consume;
import winnow.wire.frame.ControlFrame;
import winnow.wire.frame.GiveBack;
import winnow.wire.frame.Mark;
import winnow.wire.frame.Recall;
import winnow.wire.frame.Recover;

/// Consumers of a broker that takes back what it has sent ahead, and of one that does not.
class RecallTest {
    private static final long DEADLINE_MILLIS = 10_000;

    private ScriptedBroker broker;
    private Connection connection;

    @BeforeEach
    void connect() throws IOException, JMSException {
        broker = new ScriptedBroker();
        broker.onHello(
                hello -> ScriptedBroker.welcome(1024 * 1024, 0, Protocol.STORED | Protocol.RECALL));
        connection = broker.factory("queuePrefetchMessages=1").createConnection();
        connection.start();
    }

    @AfterEach
    void close() throws IOException, JMSException {
        connection.close();
        broker.close();
    }

    private static MessageConsumer consumer(Session session) throws JMSException {
        return session.createConsumer(session.createQueue("orders"));
    }

    private int consumerId() {
        return broker.consumers().get(0).consumer();
    }

    private static String receive(MessageConsumer consumer) throws JMSException {
        Message message = consumer.receive(DEADLINE_MILLIS);
        return message == null ? "none" : ((TextMessage) message).getText();
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                Session.AUTO_ACKNOWLEDGE,
                Session.DUPS_OK_ACKNOWLEDGE,
                Session.CLIENT_ACKNOWLEDGE,
                Session.SESSION_TRANSACTED
            })
    void shouldTellOfAMessageThatComesAgainBeforeTheApplicationHasIt(int mode) throws Exception {
        // given
        MessageConsumer consumer = consumer(connection.createSession(mode));
        broker.deliverStored(consumerId(), 1, 0, TestMessages.texts("new"));
        broker.deliverStored(consumerId(), 2, 1, TestMessages.texts("again", "ahead"));
        receive(consumer);

        // when
        assertThat(receive(consumer)).isEqualTo("again");

        // then
        Mark mark = (Mark) broker.await(FrameType.MARK).control();
        assertThat(mark.fate()).isEqualTo(Mark.Fate.SEEN);
        assertThat(mark.delivery()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(ints = {Session.AUTO_ACKNOWLEDGE, Session.SESSION_TRANSACTED})
    void shouldTellWhichMessageHasExpiredBeforeTheApplicationHadIt(int mode) throws Exception {
        // given
        MessageConsumer consumer = consumer(connection.createSession(mode));
        broker.deliverStored(consumerId(), 1, 0, TestMessages.expiringAt("old", 1));
        broker.deliverStored(consumerId(), 2, 0, TestMessages.texts("good"));

        // when
        assertThat(receive(consumer)).isEqualTo("good");

        // then
        Mark mark = (Mark) broker.await(FrameType.MARK).control();
        assertThat(mark.fate()).isEqualTo(Mark.Fate.EXPIRED);
        assertThat(mark.delivery()).isEqualTo(1);
    }

    private Connection older() throws JMSException {
        broker.onHello(hello -> ScriptedBroker.welcome(1024 * 1024, 0, Protocol.STORED));
        Connection older = broker.factory().createConnection();
        older.start();
        return older;
    }

    @Test
    void shouldNotTellAnOlderBrokerOfAMessageThatComesAgain() throws Exception {
        // given
        try (Connection older = older()) {
            MessageConsumer consumer = consumer(older.createSession());

            // when
            broker.deliverStored(consumerId(), 1, 1, TestMessages.texts("again"));
            assertThat(receive(consumer)).isEqualTo("again");
            consumer.close();

            // then
            assertThat(broker.poll(FrameType.MARK)).isNull();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {Session.AUTO_ACKNOWLEDGE, Session.SESSION_TRANSACTED})
    void shouldAcknowledgeWhatHasExpiredToAnOlderBroker(int mode) throws Exception {
        // given
        try (Connection older = older()) {
            MessageConsumer consumer = consumer(older.createSession(mode));

            // when
            broker.deliverStored(consumerId(), 1, 0, TestMessages.expiringAt("old", 1));
            broker.deliverStored(consumerId(), 2, 0, TestMessages.texts("good"));
            assertThat(receive(consumer)).isEqualTo("good");

            // then
            Acknowledge acknowledge = (Acknowledge) broker.await(FrameType.ACKNOWLEDGE).control();
            assertThat(acknowledge.deliveries().contains(1)).isTrue();
        }
    }

    @Test
    void shouldKeepItsCreditIfAnotherConsumerWaitsDuringRecover() throws Exception {
        // given
        Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = consumer(session);
        broker.deliverStored(consumerId(), 1, 0, TestMessages.texts("a"));
        receive(consumer);
        broker.holdAnswers(FrameType.RECOVER);
        broker.holdAnswers(FrameType.GIVE_BACK);
        BlockingQueue<Integer> credit = new LinkedBlockingQueue<>();
        Thread answering = new Thread(() -> JmsErrors.run(() -> credit.add(recallDuringRecover())));
        answering.start();

        // when
        session.recover();

        // then
        assertThat(receive(consumer)).isEqualTo("a");
        assertThat(credit.poll(DEADLINE_MILLIS, TimeUnit.MILLISECONDS)).isEqualTo(1);
    }

    /// Answers Recover after a Recall, and delivers the message again.
    ///
    /// @return the credit in messages that the consumer gives then
    private int recallDuringRecover() throws JMSException {
        try {
            Recover recover = (Recover) broker.await(FrameType.RECOVER).control();
            broker.send(new Recall(consumerId()));
            GiveBack back = (GiveBack) broker.await(FrameType.GIVE_BACK).control();
            broker.send(
                    new ControlFrame.Accepted(recover.requestId()),
                    new ControlFrame.Accepted(back.requestId()));
            int messages = broker.await(FrameType.CONSUMER_CREDIT).varints().get(1);
            broker.deliverStored(consumerId(), 2, 1, TestMessages.texts("a"));
            return messages;
        } catch (IOException e) {
            throw new JMSException(e.getMessage());
        }
    }

    @Test
    void shouldGiveBackWhatComesAgainAfterRollback() throws Exception {
        // given
        Session session = connection.createSession(Session.SESSION_TRANSACTED);
        MessageConsumer consumer = consumer(session);
        broker.deliverStored(consumerId(), 1, 0, TestMessages.texts("a"));
        receive(consumer);
        broker.send(new Recall(consumerId()));
        broker.await(FrameType.GIVE_BACK);
        session.rollback();

        // when
        broker.deliverStored(consumerId(), 2, 1, TestMessages.texts("a"));
        broker.send(new Recall(consumerId()));

        // then
        GiveBack back = (GiveBack) broker.await(FrameType.GIVE_BACK).control();
        assertThat(back.seen().isEmpty()).isTrue();
    }

    @Test
    void shouldGiveBackWhatIsRecalledBeforeItKnowsThatItIsAccepted() throws Exception {
        // given
        Session session = connection.createSession();
        Session other = connection.createSession();
        broker.holdAnswers(FrameType.CONSUME);
        Thread consuming = new Thread(() -> JmsErrors.run(() -> consumer(session)));
        consuming.start();
        Consume consume = (Consume) broker.await(FrameType.CONSUME).control();

        // when
        broker.send(new Recall(consume.consumer()));
        other.createTemporaryQueue();
        broker.send(new ControlFrame.Accepted(consume.requestId()));

        // then
        GiveBack back = (GiveBack) broker.await(FrameType.GIVE_BACK).control();
        assertThat(back.consumer()).isEqualTo(consume.consumer());
        consuming.join();
    }
}

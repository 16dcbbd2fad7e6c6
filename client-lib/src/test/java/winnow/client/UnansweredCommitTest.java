package winnow.client;

import static javax.transaction.xa.XAResource.TMNOFLAGS;
import static javax.transaction.xa.XAResource.TMSUCCESS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.TransactionRolledBackException;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import java.io.IOException;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import winnow.client.xa.RecoveredXid;
import winnow.wire.DeliveryRanges;
import winnow.wire.ErrorCode;
import winnow.wire.FrameType;
import winnow.wire.Xid;
import winnow.wire.frame.Acknowledge;
import winnow.wire.frame.Commit;
import winnow.wire.frame.ControlFrame;
import winnow.wire.frame.EndBranch;
import winnow.wire.frame.Recover;

/// What becomes of a session when its application has given up waiting for the answer to a commit,
/// and the answer comes later.
class UnansweredCommitTest {
    private static final long DEADLINE_MILLIS = 10_000;

    private ScriptedBroker broker;
    private Connection connection;

    /// Made by [#receiveIn].
    @SuppressWarnings("NullAway.Init")
    private Session session;

    @SuppressWarnings("NullAway.Init")
    private MessageConsumer consumer;

    @BeforeEach
    void connect() throws IOException, JMSException {
        broker = new ScriptedBroker();
        connection = broker.factory("queuePrefetchMessages=1").createConnection();
        connection.start();
    }

    @AfterEach
    void close() throws IOException, JMSException {
        connection.close();
        broker.close();
    }

    private Message receiveIn(int mode) throws Exception {
        session = connection.createSession(mode);
        consumer = session.createConsumer(session.createQueue("orders"));
        return receive(1);
    }

    private Message receive(long delivery) throws Exception {
        broker.deliverStored(consumerId(), delivery, 0, TestMessages.text("m" + delivery));
        Message received = consumer.receive(DEADLINE_MILLIS);
        assertThat(broker.await(FrameType.CONSUMER_CREDIT).varints().get(1)).isEqualTo(1);
        return received;
    }

    private int consumerId() {
        return broker.consumers().get(0).consumer();
    }

    private static void interrupted(ThrowingCallable call) {
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(call).hasMessageContaining("interrupted");
        } finally {
            Thread.interrupted();
        }
    }

    private Commit abandonCommit() throws Exception {
        broker.holdAnswers(FrameType.COMMIT);
        interrupted(session::commit);
        Commit commit = awaitCommit();
        broker.giveAnswers(FrameType.COMMIT);
        return commit;
    }

    private Commit awaitCommit() {
        return (Commit) broker.await(FrameType.COMMIT).control();
    }

    private void send() throws JMSException {
        session.createProducer(session.createQueue("replies"))
                .send(session.createTextMessage("reply"));
    }

    /// Returns when the client has read what was sent.
    private void awaitRead() throws JMSException {
        session.createProducer(session.createQueue("read until here")).close();
    }

    private void refuse(int request, ErrorCode code) throws IOException {
        broker.send(new ControlFrame.Refused(request, code.number(), "no room"));
    }

    @Test
    void shouldCommitOnlyTheRestAfterACommitThatWasAcceptedLate() throws Exception {
        // given
        receiveIn(Session.SESSION_TRANSACTED);
        Commit late = abandonCommit();
        receive(2);

        // when
        broker.send(new ControlFrame.Accepted(late.requestId()));
        session.commit();

        // then
        assertThat(late.deliveries()).isEqualTo(DeliveryRanges.of(1));
        assertThat(awaitCommit().deliveries()).isEqualTo(DeliveryRanges.of(2));
    }

    @Test
    void shouldRollBackAfterACommitThatWasRefusedLate() throws Exception {
        // given
        receiveIn(Session.SESSION_TRANSACTED);
        Commit late = abandonCommit();

        // when
        refuse(late.requestId(), ErrorCode.ROLLED_BACK);

        // then
        assertThatThrownBy(this::send)
                .isInstanceOf(TransactionRolledBackException.class)
                .hasMessageContaining("no room");
        Recover recover = (Recover) broker.await(FrameType.RECOVER).control();
        assertThat(recover.failed()).isEqualTo(DeliveryRanges.of(1));
        send();
        session.commit();
        assertThat(awaitCommit().deliveries()).isEqualTo(DeliveryRanges.NONE);
    }

    @Test
    void shouldCommitNothingUntilTheCommitBeforeIsAnswered() throws Exception {
        // given
        receiveIn(Session.SESSION_TRANSACTED);
        broker.holdAnswers(FrameType.COMMIT);
        interrupted(session::commit);

        // when, then
        interrupted(session::commit);
        interrupted(this::send);
        int request = awaitCommit().requestId();
        assertThat(broker.poll(FrameType.COMMIT)).isNull();
        broker.send(new ControlFrame.Accepted(request));
        session.commit();
        awaitRead();
        assertThat(broker.poll(FrameType.COMMIT)).isNull();
    }

    @Test
    void shouldCommitNothingAfterAFailureOfTheStoreUntilItIsRolledBack() throws Exception {
        // given
        receiveIn(Session.SESSION_TRANSACTED);
        Commit failed = abandonCommit();
        refuse(failed.requestId(), ErrorCode.STORE_UNAVAILABLE);

        // when, then
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(session::commit)
                    .isNotInstanceOf(TransactionRolledBackException.class)
                    .hasMessageContaining("not known whether the transaction took effect");
        }
        assertThat(broker.poll(FrameType.COMMIT)).isNull();
        session.rollback();
        send();
        session.commit();
        assertThat(awaitCommit().deliveries()).isEqualTo(DeliveryRanges.NONE);
    }

    @Test
    void shouldGrantWhatWasCommittedAndNotRolledBack() throws Exception {
        // given
        receiveIn(Session.SESSION_TRANSACTED);
        Commit late = abandonCommit();
        session.rollback();
        broker.await(FrameType.RECOVER);

        // when
        broker.send(new ControlFrame.Accepted(late.requestId()));

        // then
        awaitGrant();
    }

    private void awaitGrant() throws JMSException {
        assertThat(broker.await(FrameType.CONSUMER_CREDIT).varints())
                .containsExactly(consumerId(), 1, TestMessages.text("m1").length);
    }

    @Test
    void shouldGrantNothingTwiceWhenACommitIsRefusedAfterARollback() throws Exception {
        // given
        receiveIn(Session.SESSION_TRANSACTED);
        Commit late = abandonCommit();
        session.rollback();
        broker.await(FrameType.RECOVER);

        // when
        refuse(late.requestId(), ErrorCode.ROLLED_BACK);

        // then
        awaitRead();
        assertThat(broker.poll(FrameType.CONSUMER_CREDIT)).isNull();
    }

    private Acknowledge abandonAcknowledge(Message message) {
        broker.holdAnswers(FrameType.ACKNOWLEDGE);
        interrupted(message::acknowledge);
        Acknowledge late = (Acknowledge) broker.await(FrameType.ACKNOWLEDGE).control();
        broker.giveAnswers(FrameType.ACKNOWLEDGE);
        return late;
    }

    @Test
    void shouldGrantWhatWasAcknowledgedAndNotRecovered() throws Exception {
        // given
        Acknowledge late = abandonAcknowledge(receiveIn(Session.CLIENT_ACKNOWLEDGE));
        session.recover();
        broker.await(FrameType.RECOVER);

        // when
        broker.send(new ControlFrame.Accepted(late.requestId()));

        // then
        awaitGrant();
    }

    @Test
    void shouldAcknowledgeOnceMoreWhatTheBrokerHasRefused() throws Exception {
        // given
        Message message = receiveIn(Session.CLIENT_ACKNOWLEDGE);
        Acknowledge late = abandonAcknowledge(message);

        // when
        refuse(late.requestId(), ErrorCode.STORE_UNAVAILABLE);
        message.acknowledge();
        message.acknowledge();

        // then
        Acknowledge again = (Acknowledge) broker.await(FrameType.ACKNOWLEDGE).control();
        assertThat(again.deliveries()).isEqualTo(DeliveryRanges.of(1));
        assertThat(broker.poll(FrameType.ACKNOWLEDGE)).isNull();
    }

    @Test
    void shouldGrantWhatWasPreparedAndNotGivenBack() throws Exception {
        // given
        connection.close();
        RecoveredXid xid = new RecoveredXid(new Xid(1, new byte[] {7}, new byte[0]));
        WinnowXAConnectionFactory factory =
                new WinnowXAConnectionFactory(broker.url() + "?queuePrefetchMessages=1");
        try (XAConnection distributed = factory.createXAConnection()) {
            distributed.start();
            XASession working = distributed.createXASession();
            session = working;
            XAResource resource = working.getXAResource();
            consumer = working.createConsumer(working.createQueue("orders"));
            resource.start(xid, TMNOFLAGS);
            receive(1);
            resource.end(xid, TMSUCCESS);
            broker.holdAnswers(FrameType.END_BRANCH);
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> resource.prepare(xid)).isInstanceOf(XAException.class);
            Thread.interrupted();
            EndBranch late = (EndBranch) broker.await(FrameType.END_BRANCH).control();
            resource.rollback(xid);
            broker.await(FrameType.DECIDE);

            // when
            broker.send(new ControlFrame.Accepted(late.requestId()));

            // then
            awaitGrant();
        }
    }
}

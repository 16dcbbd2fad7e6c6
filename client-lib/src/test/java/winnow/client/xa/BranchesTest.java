package winnow.client.xa;

import static javax.transaction.xa.XAResource.TMNOFLAGS;
import static javax.transaction.xa.XAResource.TMSTARTRSCAN;
import static javax.transaction.xa.XAResource.TMSUCCESS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import winnow.client.ScriptedBroker;
import winnow.client.TestMessages;
import winnow.client.WinnowXAConnectionFactory;
import winnow.wire.BranchEnd;
import winnow.wire.DeliveryRanges;
import winnow.wire.ErrorCode;
import winnow.wire.FrameType;
import winnow.wire.Protocol;
import winnow.wire.WireReader;
import winnow.wire.Xid;
import winnow.wire.frame.BeginSession;
import winnow.wire.frame.ControlFrame;
import winnow.wire.frame.Decide;
import winnow.wire.frame.EndBranch;
import winnow.wire.frame.ListPrepared;
import winnow.wire.frame.Prepared;
import winnow.wire.frame.Publish;
import winnow.wire.frame.Recover;

/// Sessions in distributed transactions: what they tell the broker, and what its answers mean.
class BranchesTest {
    private static final long DEADLINE_MILLIS = 10_000;
    private static final Xid WIRE_ONE = xid(1);
    private static final RecoveredXid ONE = new RecoveredXid(WIRE_ONE);
    private static final RecoveredXid TWO = new RecoveredXid(xid(2));

    private ScriptedBroker broker;
    private XAConnection connection;
    private XASession session;
    private XAResource resource;
    private Queue queue;

    @BeforeEach
    void connect() throws IOException, JMSException {
        connect(new ScriptedBroker());
    }

    private void connect(ScriptedBroker to) throws JMSException {
        broker = to;
        connection =
                new WinnowXAConnectionFactory(broker.url() + "?maxReconnectAttempts=0")
                        .createXAConnection();
        connection.start();
        session = connection.createXASession();
        resource = session.getXAResource();
        queue = session.createQueue("orders");
    }

    @AfterEach
    void close() throws IOException, JMSException {
        connection.close();
        broker.close();
    }

    private static Xid xid(int number) {
        return new Xid(number, new byte[] {7}, new byte[0]);
    }

    private static void fails(int code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        XAException.class, e -> assertThat(e.errorCode).isEqualTo(code));
    }

    private static CompletableFuture<Integer> codeOf(ThrowingCallable call) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                call.call();
                return XAResource.XA_OK;
            } catch (XAException e) {
                return e.errorCode;
            } catch (Throwable e) {
                throw new AssertionError(e);
            }
        });
    }

    private static int result(CompletableFuture<Integer> code) throws Exception {
        return code.get(DEADLINE_MILLIS, TimeUnit.MILLISECONDS);
    }

    private EndBranch awaitEnd() {
        return (EndBranch) broker.await(FrameType.END_BRANCH).control();
    }

    private void publishIn(RecoveredXid xid) throws Exception {
        resource.start(xid, TMNOFLAGS);
        session.createProducer(queue).send(session.createTextMessage("a"));
        resource.end(xid, TMSUCCESS);
    }

    /// Refuses the next request of that type.
    private void refuse(int frameType, ErrorCode code) throws IOException {
        int request = broker.await(frameType).fields().readVarint();
        broker.send(new ControlFrame.Refused(request, code.number(), "no"));
        broker.giveAnswers(frameType);
    }

    @Test
    void shouldPublishAndReceiveInABranch() throws Exception {
        // given
        MessageConsumer consumer = session.createConsumer(queue);
        int receiving = broker.consumers().get(0).session();
        broker.deliverStored(broker.consumers().get(0).consumer(), 1, 0, TestMessages.text("a"));

        // when
        resource.start(ONE, TMNOFLAGS);
        consumer.receive(DEADLINE_MILLIS);
        session.createProducer(queue).send(session.createTextMessage("b"));
        resource.end(ONE, TMSUCCESS);
        resource.prepare(ONE);
        resource.commit(ONE, false);

        // then
        WireReader publish = broker.await(FrameType.PUBLISH).fields();
        publish.readVarint();
        assertThat(Publish.readFlags(publish)).isEqualTo(Publish.TRANSACTED);
        int publishing = publish.readVarint();
        EndBranch prepare = awaitEnd();
        assertThat(publishing).isNotEqualTo(receiving);
        assertThat(prepare.end()).isEqualTo(BranchEnd.PREPARE);
        assertThat(prepare.xid()).isEqualTo(WIRE_ONE);
        assertThat(prepare.publishing()).isEqualTo(publishing);
        assertThat(prepare.parts())
                .containsExactly(new EndBranch.Part(receiving, DeliveryRanges.of(1)));
        Decide decide = (Decide) broker.await(FrameType.DECIDE).control();
        assertThat(decide.xid()).isEqualTo(WIRE_ONE);
        assertThat(decide.commit()).isTrue();
    }

    @Test
    void shouldPublishLaterBranchesInTheSameSession() throws Exception {
        publishIn(ONE);
        resource.commit(ONE, true);
        publishIn(TWO);
        resource.commit(TWO, true);

        BeginSession begin = (BeginSession) broker.await(FrameType.BEGIN_SESSION).control();
        EndBranch first = awaitEnd();
        assertThat(begin.transacted()).isTrue();
        assertThat(first.end()).isEqualTo(BranchEnd.COMMIT);
        assertThat(first.publishing()).isEqualTo(begin.session());
        assertThat(awaitEnd().publishing()).isEqualTo(begin.session());
    }

    @Test
    void shouldNotPublishABranchInAnotherSessionWhenTheFirstIsRefused() throws Exception {
        // given
        MessageProducer producer = session.createProducer(queue);
        broker.holdAnswers(FrameType.BEGIN_SESSION);
        resource.start(ONE, TMNOFLAGS);
        producer.send(session.createTextMessage("lost"));
        BeginSession begin = (BeginSession) broker.await(FrameType.BEGIN_SESSION).control();
        broker.send(
                new ControlFrame.Refused(
                        begin.requestId(), ErrorCode.LIMIT_EXCEEDED.number(), "too many"));
        broker.giveAnswers(FrameType.BEGIN_SESSION);
        broker.holdAnswers(FrameType.END_BRANCH);
        session.createProducer(session.createQueue("read until here")).close();

        // when, then
        assertThatThrownBy(() -> producer.send(session.createTextMessage("b")))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("too many");
        resource.end(ONE, TMSUCCESS);
        CompletableFuture<Integer> prepared = codeOf(() -> resource.prepare(ONE));
        EndBranch end = awaitEnd();
        broker.send(
                new ControlFrame.Refused(
                        end.requestId(), ErrorCode.UNKNOWN_SESSION.number(), "no session"));
        assertThat(result(prepared)).isEqualTo(XAException.XA_RBROLLBACK);
        assertThat(end.publishing()).isEqualTo(begin.session());
    }

    @Test
    void shouldEndTheSessionThatHasPublishedWhatIsRolledBack() throws Exception {
        publishIn(ONE);
        resource.rollback(ONE);
        publishIn(TWO);
        resource.commit(TWO, true);

        broker.await(FrameType.BEGIN_SESSION);
        broker.await(FrameType.END_SESSION);
        BeginSession second = (BeginSession) broker.await(FrameType.BEGIN_SESSION).control();
        assertThat(awaitEnd().publishing()).isEqualTo(second.session());
    }

    @Test
    void shouldGiveBackWhatWasReceivedWhenTheBrokerRefusesToPrepare() throws Exception {
        // given
        MessageConsumer consumer = session.createConsumer(queue);
        broker.deliverStored(broker.consumers().get(0).consumer(), 1, 0, TestMessages.text("a"));
        resource.start(ONE, TMNOFLAGS);
        consumer.receive(DEADLINE_MILLIS);
        resource.end(ONE, TMSUCCESS);
        broker.holdAnswers(FrameType.END_BRANCH);

        // when
        CompletableFuture<Integer> code = codeOf(() -> resource.prepare(ONE));
        refuse(FrameType.END_BRANCH, ErrorCode.ROLLED_BACK);

        // then
        assertThat(result(code)).isEqualTo(XAException.XA_RBROLLBACK);
        Recover recover = (Recover) broker.await(FrameType.RECOVER).control();
        assertThat(recover.failed()).isEqualTo(DeliveryRanges.of(1));
        fails(XAException.XAER_NOTA, () -> resource.start(ONE, XAResource.TMJOIN));
    }

    @Test
    void shouldNotSayRolledBackWhenTheConnectionEndsDuringPrepareOrCommit() throws Exception {
        for (boolean onePhase : new boolean[] {false, true}) {
            // given
            close();
            connect();
            publishIn(ONE);
            broker.holdAnswers(FrameType.END_BRANCH);

            // when
            CompletableFuture<Integer> code =
                    codeOf(() -> {
                        if (onePhase) {
                            resource.commit(ONE, true);
                        } else {
                            resource.prepare(ONE);
                        }
                    });
            broker.await(FrameType.END_BRANCH);
            broker.send(new ControlFrame.Goodbye(ErrorCode.HEARTBEAT_TIMEOUT.number(), "silence"));

            // then
            assertThat(result(code)).isEqualTo(XAException.XAER_RMFAIL);
            fails(XAException.XAER_RMFAIL, () -> resource.rollback(ONE));
        }
    }

    @Test
    void shouldRollBackInBothWaysWhatMayBePrepared() throws Exception {
        // given
        publishIn(ONE);
        broker.holdAnswers(FrameType.END_BRANCH);
        CompletableFuture<Integer> code = codeOf(() -> resource.prepare(ONE));
        refuse(FrameType.END_BRANCH, ErrorCode.STORE_UNAVAILABLE);
        assertThat(result(code)).isEqualTo(XAException.XAER_RMFAIL);
        fails(XAException.XA_RBROLLBACK, () -> resource.start(ONE, XAResource.TMJOIN));
        broker.holdAnswers(FrameType.DECIDE);

        // when
        CompletableFuture<Integer> rollback = codeOf(() -> resource.rollback(ONE));
        refuse(FrameType.DECIDE, ErrorCode.UNKNOWN_TRANSACTION);

        // then
        assertThat(result(rollback)).isEqualTo(XAResource.XA_OK);
        fails(XAException.XAER_NOTA, () -> resource.start(ONE, XAResource.TMJOIN));
    }

    @Test
    void shouldNotSayRolledBackWhatMayBeCommitted() throws Exception {
        // given
        publishIn(ONE);
        broker.holdAnswers(FrameType.END_BRANCH);
        CompletableFuture<Integer> code = codeOf(() -> resource.commit(ONE, true));
        refuse(FrameType.END_BRANCH, ErrorCode.STORE_UNAVAILABLE);
        assertThat(result(code)).isEqualTo(XAException.XAER_RMFAIL);

        // when, then
        fails(XAException.XAER_RMFAIL, () -> resource.rollback(ONE));
        fails(XAException.XAER_NOTA, () -> resource.start(ONE, XAResource.TMJOIN));
    }

    @Test
    void shouldCommitLaterWhatTheStoreDoesNotTakeNow() throws Exception {
        // given
        publishIn(ONE);
        resource.prepare(ONE);
        broker.holdAnswers(FrameType.DECIDE);

        // when
        CompletableFuture<Integer> code = codeOf(() -> resource.commit(ONE, false));
        refuse(FrameType.DECIDE, ErrorCode.STORE_UNAVAILABLE);

        // then
        assertThat(result(code)).isEqualTo(XAException.XAER_RMFAIL);
        resource.commit(ONE, false);
        fails(XAException.XAER_NOTA, () -> resource.start(ONE, XAResource.TMJOIN));
    }

    @Test
    void shouldAskForOnePageAfterTheOther() throws Exception {
        // when
        CompletableFuture<javax.transaction.xa.Xid[]> found =
                CompletableFuture.supplyAsync(() -> {
                    try {
                        return resource.recover(TMSTARTRSCAN);
                    } catch (XAException e) {
                        throw new AssertionError(e);
                    }
                });
        ListPrepared first = (ListPrepared) broker.await(FrameType.LIST_PREPARED).control();
        broker.send(
                new Prepared(first.requestId(), true, List.of(WIRE_ONE)),
                new ControlFrame.Accepted(first.requestId()));
        ListPrepared second = (ListPrepared) broker.await(FrameType.LIST_PREPARED).control();
        broker.send(
                new Prepared(second.requestId(), false, List.of(xid(2))),
                new ControlFrame.Accepted(second.requestId()));

        // then
        assertThat(first.after()).isNull();
        assertThat(second.after()).isEqualTo(WIRE_ONE);
        assertThat(found.get(DEADLINE_MILLIS, TimeUnit.MILLISECONDS)).containsExactly(ONE, TWO);
        assertThat(resource.recover(TMNOFLAGS)).isEmpty();
    }

    @Test
    void shouldKeepASessionForTheBranchThatWorkedInIt() throws Exception {
        // given
        MessageConsumer consumer = session.createConsumer(queue);
        broker.deliverStored(broker.consumers().get(0).consumer(), 1, 0, TestMessages.text("a"));
        resource.start(ONE, TMNOFLAGS);
        consumer.receive(DEADLINE_MILLIS);
        resource.end(ONE, TMSUCCESS);

        // when
        session.close();
        broker.await(FrameType.END_CONSUMER);
        resource.commit(ONE, true);

        // then
        assertThat(awaitEnd().parts()).hasSize(1);
        broker.await(FrameType.END_SESSION);
    }

    @Test
    void shouldLoseItsWorkWithTheConnection() throws Exception {
        // given
        CompletableFuture<Void> lost = new CompletableFuture<>();
        connection.setExceptionListener(failure -> lost.complete(null));
        publishIn(ONE);

        // when
        broker.cut();
        lost.get(DEADLINE_MILLIS, TimeUnit.MILLISECONDS);

        // then
        fails(XAException.XAER_RMFAIL, () -> resource.prepare(ONE));
        resource.rollback(ONE);
        fails(XAException.XAER_RMFAIL, () -> resource.start(TWO, TMNOFLAGS));
    }

    @Test
    void shouldSendNoPartsInABranch() throws Exception {
        // given
        close();
        broker = new ScriptedBroker(1 << 23, 0);
        broker.onHello(hello -> welcome(1 << 22));
        connect(broker);
        MessageProducer producer = session.createProducer(queue);
        BytesMessage fits = session.createBytesMessage();
        fits.writeBytes(new byte[2 << 20]);
        BytesMessage tooLong = session.createBytesMessage();
        tooLong.writeBytes(new byte[1 << 22]);

        // when
        resource.start(ONE, TMNOFLAGS);
        producer.send(fits);
        assertThatThrownBy(() -> producer.send(tooLong))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("a distributed transaction cannot send a message of 4194")
                .hasMessageContaining("bytes, headers and properties included; at most ");
        resource.end(ONE, TMSUCCESS);
        resource.prepare(ONE);

        // then
        WireReader publish = broker.await(FrameType.PUBLISH).fields();
        assertThat(publish.remaining()).isGreaterThan(2 << 20);
        assertThat(awaitEnd().end()).isEqualTo(BranchEnd.PREPARE);
    }

    private static ControlFrame welcome(int maxFrameBytes) {
        return new ControlFrame.Welcome(
                Protocol.MAJOR_VERSION,
                Protocol.MINOR_VERSION,
                Protocol.STORED | Protocol.PARTS,
                ScriptedBroker.CONNECTION_ID,
                0,
                maxFrameBytes,
                1 << 23,
                "scripted",
                null);
    }

    @Test
    void shouldSendAndAcknowledgeAtOnceOutsideOfBranches() throws Exception {
        // given
        MessageConsumer consumer = session.createConsumer(queue);
        broker.deliverStored(broker.consumers().get(0).consumer(), 1, 0, TestMessages.text("a"));
        MessageProducer producer = session.createProducer(queue);
        producer.setDeliveryMode(jakarta.jms.DeliveryMode.NON_PERSISTENT);

        // when, then
        consumer.receive(DEADLINE_MILLIS);
        broker.await(FrameType.ACKNOWLEDGE);
        producer.send(session.createTextMessage("b"));
        WireReader publish = broker.await(FrameType.PUBLISH).fields();
        publish.readVarint();
        assertThat(Publish.readFlags(publish)).isZero();
    }
}

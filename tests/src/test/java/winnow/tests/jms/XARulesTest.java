package winnow.tests.jms;

import static javax.transaction.xa.XAResource.TMENDRSCAN;
import static javax.transaction.xa.XAResource.TMFAIL;
import static javax.transaction.xa.XAResource.TMJOIN;
import static javax.transaction.xa.XAResource.TMNOFLAGS;
import static javax.transaction.xa.XAResource.TMRESUME;
import static javax.transaction.xa.XAResource.TMSTARTRSCAN;
import static javax.transaction.xa.XAResource.TMSUCCESS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static winnow.tests.jms.JmsBroker.expectNothing;
import static winnow.tests.jms.JmsBroker.send;
import static winnow.tests.jms.JmsBroker.text;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TransactionInProgressException;
import jakarta.jms.TransactionInProgressRuntimeException;
import jakarta.jms.XAJMSContext;
import jakarta.jms.XASession;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import winnow.tests.TestXid;

/// What sessions in distributed transactions allow, and what they leave to the manager.
class XARulesTest {
    private static final Xid ONE = new TestXid(1);
    private static final Xid TWO = new TestXid(2);

    private JmsBroker broker;
    private Session plain;
    private XASession session;
    private XAResource resource;

    @BeforeEach
    void connect() throws IOException, JMSException {
        broker = new JmsBroker();
        plain = broker.connect().createSession();
        session = broker.connectXA().createXASession();
        resource = session.getXAResource();
    }

    @AfterEach
    void close() {
        broker.close();
    }

    private Queue queue(String name) throws JMSException {
        return plain.createQueue(name);
    }

    private static void fails(int code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        XAException.class, e -> assertThat(e.errorCode).isEqualTo(code));
    }

    /// The numbers of the transactions that are prepared.
    private List<Integer> prepared() throws XAException {
        return Stream.of(resource.recover(TMSTARTRSCAN | TMENDRSCAN))
                .map(xid -> (int) xid.getGlobalTransactionId()[0])
                .toList();
    }

    @Test
    void shouldRefuseCallsOutOfTurn() throws Exception {
        fails(XAException.XAER_NOTA, () -> resource.end(ONE, TMSUCCESS));
        fails(XAException.XAER_NOTA, () -> resource.prepare(ONE));
        fails(XAException.XAER_NOTA, () -> resource.commit(ONE, true));
        fails(XAException.XAER_NOTA, () -> resource.commit(ONE, false));
        fails(XAException.XAER_NOTA, () -> resource.start(ONE, TMJOIN));
        fails(XAException.XAER_NOTA, () -> resource.start(ONE, TMRESUME));
        fails(XAException.XAER_NOTA, () -> resource.forget(ONE));
        resource.start(ONE, TMNOFLAGS);
        fails(XAException.XAER_PROTO, () -> resource.start(TWO, TMNOFLAGS));
        fails(XAException.XAER_DUPID, () -> resource.start(ONE, TMNOFLAGS));
        fails(XAException.XAER_PROTO, () -> resource.prepare(ONE));
        fails(XAException.XAER_PROTO, () -> resource.commit(ONE, true));
        send(session, session.createProducer(queue("out")), "x");
        resource.end(ONE, TMSUCCESS);
        fails(XAException.XAER_DUPID, () -> resource.start(ONE, TMNOFLAGS));
        fails(XAException.XAER_PROTO, () -> resource.start(ONE, TMRESUME));
        fails(XAException.XAER_PROTO, () -> resource.end(ONE, TMSUCCESS));
        fails(XAException.XAER_PROTO, () -> resource.commit(ONE, false));
        resource.prepare(ONE);
        fails(XAException.XAER_PROTO, () -> resource.start(ONE, TMJOIN));
        fails(XAException.XAER_PROTO, () -> resource.commit(ONE, true));
        fails(XAException.XAER_PROTO, () -> resource.prepare(ONE));
        resource.rollback(ONE);
        fails(XAException.XAER_INVAL, () -> resource.recover(TMJOIN));
        fails(XAException.XAER_INVAL, () -> resource.start(ONE, TMFAIL));
        fails(XAException.XAER_INVAL, () -> resource.end(ONE, TMJOIN));
        fails(XAException.XAER_INVAL, () -> resource.start(null, TMNOFLAGS));
        fails(XAException.XAER_INVAL, () -> resource.setTransactionTimeout(-1));
        assertThat(resource.setTransactionTimeout(5)).isFalse();
        assertThat(resource.getTransactionTimeout()).isZero();
    }

    @Test
    void shouldHaveNothingToDecideWithoutWork() throws Exception {
        resource.start(ONE, TMNOFLAGS);
        resource.end(ONE, TMSUCCESS);
        assertThat(resource.prepare(ONE)).isEqualTo(XAResource.XA_RDONLY);
        resource.start(ONE, TMNOFLAGS);
        resource.end(ONE, TMSUCCESS);
        resource.commit(ONE, true);
        resource.start(ONE, TMNOFLAGS);
        resource.end(ONE, TMSUCCESS);
        resource.rollback(ONE);

        fails(XAException.XAER_NOTA, () -> resource.prepare(ONE));
        assertThat(prepared()).isEmpty();
    }

    @Test
    void shouldLeaveCommitAndRollbackToTheManager() throws Exception {
        assertThat(session.getTransacted()).isTrue();
        assertThat(session.getAcknowledgeMode()).isEqualTo(Session.SESSION_TRANSACTED);
        assertThat(session.getSession()).isNotNull();
        assertThatThrownBy(session::commit).isInstanceOf(TransactionInProgressException.class);
        assertThatThrownBy(session::rollback).isInstanceOf(TransactionInProgressException.class);
        assertThatThrownBy(session::recover).isInstanceOf(jakarta.jms.IllegalStateException.class);
        try (Connection queues = broker.xaFactory().createXAQueueConnection()) {
            assertThat(queues.createSession().getTransacted()).isFalse();
        }
        try (var topics = broker.xaFactory().createXATopicConnection()) {
            assertThat(topics.createXATopicSession().getTopicSession()).isNotNull();
        }
    }

    @Test
    void shouldTakeAContextIntoATransaction() throws Exception {
        try (XAJMSContext context = broker.xaFactory().createXAContext()) {
            // given
            XAResource managed = context.getXAResource();
            MessageConsumer out = plain.createConsumer(queue("out"));

            // when
            managed.start(ONE, TMNOFLAGS);
            context.createProducer().send(context.createQueue("out"), "a");
            managed.end(ONE, TMSUCCESS);
            expectNothing(out);
            managed.commit(ONE, true);

            // then
            assertThat(text(out)).isEqualTo("a");
            assertThat(context.getTransacted()).isTrue();
            assertThat(context.getContext()).isNotNull();
            assertThatThrownBy(context::commit)
                    .isInstanceOf(TransactionInProgressRuntimeException.class);
            assertThatThrownBy(context::rollback)
                    .isInstanceOf(TransactionInProgressRuntimeException.class);
        }
    }
}

package winnow.tests.jms;

import static javax.transaction.xa.XAResource.TMENDRSCAN;
import static javax.transaction.xa.XAResource.TMFAIL;
import static javax.transaction.xa.XAResource.TMJOIN;
import static javax.transaction.xa.XAResource.TMNOFLAGS;
import static javax.transaction.xa.XAResource.TMRESUME;
import static javax.transaction.xa.XAResource.TMSTARTRSCAN;
import static javax.transaction.xa.XAResource.TMSUCCESS;
import static javax.transaction.xa.XAResource.TMSUSPEND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static winnow.tests.jms.JmsBroker.expectNothing;
import static winnow.tests.jms.JmsBroker.receive;
import static winnow.tests.jms.JmsBroker.send;
import static winnow.tests.jms.JmsBroker.text;
import static winnow.tests.jms.JmsBroker.texts;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import jakarta.jms.XAConnection;
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

/// Sessions in distributed transactions, whose manager is the test.
class XATest {
    private static final Xid ONE = new TestXid(1);
    private static final Xid TWO = new TestXid(2);

    private JmsBroker broker;
    private Session plain;
    private XAConnection connection;
    private XASession session;
    private XAResource resource;

    @BeforeEach
    void connect() throws IOException, JMSException {
        broker = new JmsBroker();
        plain = broker.connect().createSession();
        connection = broker.connectXA();
        session = connection.createXASession();
        resource = session.getXAResource();
    }

    @AfterEach
    void close() {
        broker.close();
    }

    private Queue queue(String name) throws JMSException {
        return plain.createQueue(name);
    }

    private void fill(String queue, String... texts) throws JMSException {
        send(plain, plain.createProducer(queue(queue)), texts);
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

    /// A message goes from a queue to another one, in a branch that is ended and not prepared.
    private void move(Xid xid, MessageConsumer from, String to) throws Exception {
        resource.start(xid, TMNOFLAGS);
        session.createProducer(queue(to)).send(receive(from));
        resource.end(xid, TMSUCCESS);
    }

    @Test
    void shouldShowAPreparedTransactionWhenItIsCommitted() throws Exception {
        // given
        fill("in", "a");
        MessageConsumer out = plain.createConsumer(queue("out"));
        move(ONE, session.createConsumer(queue("in")), "out");

        // when
        assertThat(resource.prepare(ONE)).isEqualTo(XAResource.XA_OK);
        expectNothing(out);
        assertThat(prepared()).containsExactly(1);
        resource.commit(ONE, false);

        // then
        assertThat(text(out)).isEqualTo("a");
        session.close();
        expectNothing(plain.createConsumer(queue("in")));
        assertThat(prepared()).isEmpty();
    }

    @Test
    void shouldCommitWhatAnotherConnectionHasPrepared() throws Exception {
        // given
        fill("in", "a", "b");
        MessageConsumer from = session.createConsumer(queue("in"));
        move(ONE, from, "out");
        resource.prepare(ONE);
        move(TWO, from, "out");
        resource.prepare(TWO);
        connection.close();

        // when
        resource = broker.connectXA().createXASession().getXAResource();
        Xid[] found = resource.recover(TMSTARTRSCAN);
        assertThat(found).hasSize(2);
        assertThat(resource.recover(TMENDRSCAN)).isEmpty();
        resource.commit(found[0], false);
        resource.rollback(TWO);

        // then
        assertThat(text(plain.createConsumer(queue("out")))).isEqualTo("a");
        Message again = receive(plain.createConsumer(queue("in")));
        assertThat(((TextMessage) again).getText()).isEqualTo("b");
        assertThat(again.getJMSRedelivered()).isTrue();
        assertThat(prepared()).isEmpty();
        fails(XAException.XAER_NOTA, () -> resource.commit(ONE, false));
        fails(XAException.XAER_NOTA, () -> resource.rollback(TWO));
    }

    @Test
    void shouldCommitInOnePhase() throws Exception {
        // given
        fill("in", "a");
        MessageConsumer from = session.createConsumer(queue("in"));
        move(ONE, from, "out");

        // when
        resource.commit(ONE, true);

        // then
        assertThat(text(plain.createConsumer(queue("out")))).isEqualTo("a");
        session.close();
        expectNothing(plain.createConsumer(queue("in")));
    }

    @Test
    void shouldGiveBackInOrderWhatIsRolledBack() throws Exception {
        // given
        fill("in", "a", "b", "c");
        MessageConsumer from = session.createConsumer(queue("in"));
        resource.start(ONE, TMNOFLAGS);
        send(session, session.createProducer(queue("out")), "x");
        assertThat(texts(from, 2)).containsExactly("a", "b");
        resource.end(ONE, TMSUCCESS);

        // when
        resource.rollback(ONE);

        // then
        resource.start(TWO, TMNOFLAGS);
        Message again = receive(from);
        assertThat(((TextMessage) again).getText()).isEqualTo("a");
        assertThat(again.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
        assertThat(texts(from, 2)).containsExactly("b", "c");
        resource.end(TWO, TMSUCCESS);
        resource.commit(TWO, true);
        expectNothing(from);
        expectNothing(plain.createConsumer(queue("out")));
        fails(XAException.XAER_NOTA, () -> resource.rollback(ONE));
    }

    @Test
    void shouldGiveBackWhatWasPreparedAndRolledBack() throws Exception {
        // given
        fill("in", "a");
        MessageConsumer from = session.createConsumer(queue("in"));
        move(ONE, from, "out");
        resource.prepare(ONE);

        // when
        resource.rollback(ONE);

        // then
        assertThat(receive(from).getJMSRedelivered()).isTrue();
        expectNothing(plain.createConsumer(queue("out")));
    }

    @Test
    void shouldKeepBranchesOfOneSessionApart() throws Exception {
        // given
        fill("in", "a", "b", "c");
        MessageConsumer from = session.createConsumer(queue("in"));
        MessageConsumer out = plain.createConsumer(queue("out"));
        move(ONE, from, "out");
        move(TWO, from, "out");

        // when
        resource.rollback(ONE);
        resource.commit(TWO, true);

        // then
        assertThat(text(out)).isEqualTo("b");
        expectNothing(out);
        assertThat(texts(from, 2)).containsExactlyInAnyOrder("a", "c");
    }

    @Test
    void shouldSuspendAndResume() throws Exception {
        // given
        MessageProducer producer = session.createProducer(queue("out"));
        MessageConsumer out = plain.createConsumer(queue("out"));

        // when
        resource.start(ONE, TMNOFLAGS);
        send(session, producer, "one");
        resource.end(ONE, TMSUSPEND);
        fails(XAException.XAER_PROTO, () -> resource.prepare(ONE));
        resource.start(TWO, TMNOFLAGS);
        send(session, producer, "two");
        resource.end(TWO, TMSUCCESS);
        resource.start(ONE, TMRESUME);
        send(session, producer, "one again");
        resource.end(ONE, TMSUCCESS);

        // then
        resource.commit(TWO, true);
        assertThat(text(out)).isEqualTo("two");
        resource.commit(ONE, true);
        assertThat(texts(out, 2)).containsExactly("one", "one again");
    }

    @Test
    void shouldJoinSessionsOfOneConnection() throws Exception {
        // given
        fill("in", "a");
        fill("in too", "b");
        XASession other = connection.createXASession();
        MessageConsumer from = session.createConsumer(queue("in"));
        MessageConsumer out = plain.createConsumer(queue("out"));
        assertThat(resource.isSameRM(other.getXAResource())).isTrue();
        assertThat(resource.isSameRM(broker.connectXA().createXASession().getXAResource()))
                .isFalse();

        // when
        move(ONE, from, "out");
        other.getXAResource().start(ONE, TMJOIN);
        fails(XAException.XAER_PROTO, () -> resource.prepare(ONE));
        send(other, other.createProducer(queue("out")), "joined");
        assertThat(text(other.createConsumer(queue("in too")))).isEqualTo("b");
        other.getXAResource().end(ONE, TMSUCCESS);
        resource.prepare(ONE);
        expectNothing(out);
        other.getXAResource().commit(ONE, false);

        // then
        assertThat(texts(out, 2)).containsExactly("a", "joined");
        connection.close();
        expectNothing(plain.createConsumer(queue("in")));
        expectNothing(plain.createConsumer(queue("in too")));
    }

    @Test
    void shouldRollBackWhatHasFailed() throws Exception {
        // given
        fill("in", "a");
        MessageConsumer from = session.createConsumer(queue("in"));
        resource.start(ONE, TMNOFLAGS);
        text(from);
        resource.end(ONE, TMFAIL);

        // when
        fails(XAException.XA_RBROLLBACK, () -> resource.start(ONE, TMJOIN));
        fails(XAException.XA_RBROLLBACK, () -> resource.prepare(ONE));

        // then
        assertThat(receive(from).getJMSRedelivered()).isTrue();
        fails(XAException.XAER_NOTA, () -> resource.start(ONE, TMJOIN));
    }

    @Test
    void shouldRollBackWhatTheBrokerRefuses() throws Exception {
        // given
        fill("in", "a");
        MessageConsumer from = session.createConsumer(queue("in"));
        move(ONE, from, "out");
        resource.prepare(ONE);
        XASession other = broker.connectXA().createXASession();
        XAResource unaware = other.getXAResource();
        unaware.start(ONE, TMNOFLAGS);
        send(other, other.createProducer(queue("other")), "x");
        unaware.end(ONE, TMSUCCESS);

        // when
        fails(XAException.XA_RBROLLBACK, () -> unaware.prepare(ONE));

        // then
        unaware.start(TWO, TMNOFLAGS);
        send(other, other.createProducer(queue("other")), "y");
        unaware.end(TWO, TMSUCCESS);
        unaware.commit(TWO, true);
        MessageConsumer others = plain.createConsumer(queue("other"));
        assertThat(text(others)).isEqualTo("y");
        expectNothing(others);
        assertThat(prepared()).containsExactly(1);
    }

    @Test
    void shouldAcknowledgeAtOnceOutsideOfTransactions() throws Exception {
        // given
        fill("in", "a", "b");
        MessageConsumer out = plain.createConsumer(queue("out"));
        MessageConsumer from = session.createConsumer(queue("in"));

        // when
        send(session, session.createProducer(queue("out")), "at once");
        assertThat(text(from)).isEqualTo("a");

        // then
        assertThat(text(out)).isEqualTo("at once");
        session.close();
        Message left = receive(plain.createConsumer(queue("in")));
        assertThat(((TextMessage) left).getText()).isEqualTo("b");
        assertThat(left.getJMSRedelivered()).isFalse();
    }

    @Test
    void shouldRollBackWhileTheSessionWorks() throws Exception {
        // given
        fill("in", "a");
        MessageConsumer from = session.createConsumer(queue("in"));
        MessageProducer producer = session.createProducer(queue("out"));
        resource.start(ONE, TMNOFLAGS);
        text(from);
        send(session, producer, "x");

        // when
        resource.rollback(ONE);

        // then
        assertThat(receive(from).getJMSRedelivered()).isTrue();
        send(session, producer, "at once");
        MessageConsumer out = plain.createConsumer(queue("out"));
        assertThat(text(out)).isEqualTo("at once");
        expectNothing(out);
    }

    @Test
    void shouldLeaveTheWorkOfAClosedSessionToTheManager() throws Exception {
        // given
        fill("in", "a", "b");
        MessageConsumer from = session.createConsumer(queue("in"));
        move(ONE, from, "out");
        from.close();
        session.close();
        assertThat(text(plain.createConsumer(queue("in")))).isEqualTo("b");

        // when
        resource.prepare(ONE);
        resource.commit(ONE, false);

        // then
        assertThat(text(plain.createConsumer(queue("out")))).isEqualTo("a");
        expectNothing(plain.createConsumer(queue("in")));
    }

    @Test
    void shouldRollBackWhatALostConnectionHasNotPrepared() throws Exception {
        // given
        fill("in", "a");
        move(ONE, session.createConsumer(queue("in")), "out");

        // when
        connection.close();

        // then
        fails(XAException.XAER_RMFAIL, () -> resource.prepare(ONE));
        resource.rollback(ONE);
        fails(XAException.XAER_RMFAIL, () -> resource.start(TWO, TMNOFLAGS));
        fails(XAException.XAER_RMFAIL, this::prepared);
        assertThat(receive(plain.createConsumer(queue("in"))).getJMSRedelivered()).isTrue();
        expectNothing(plain.createConsumer(queue("out")));
    }

    @Test
    void shouldPublishToTopicsAtCommit() throws Exception {
        // given
        Topic topic = plain.createTopic("prices");
        MessageConsumer live = plain.createConsumer(topic);
        MessageConsumer shared = plain.createSharedConsumer(topic, "name");
        resource.start(ONE, TMNOFLAGS);
        send(session, session.createProducer(topic), "a", "b");
        resource.end(ONE, TMSUCCESS);

        // when
        resource.prepare(ONE);
        expectNothing(live);
        resource.commit(ONE, false);

        // then
        assertThat(texts(live, 2)).containsExactly("a", "b");
        assertThat(texts(shared, 2)).containsExactly("a", "b");
    }

    @Test
    void shouldDeliverMessagesOfLiveTopicsAgain() throws Exception {
        // given
        Topic topic = plain.createTopic("prices");
        MessageConsumer live = session.createConsumer(topic);
        send(plain, plain.createProducer(topic), "a");
        resource.start(ONE, TMNOFLAGS);
        text(live);
        send(session, session.createProducer(queue("out")), "x");
        resource.end(ONE, TMSUCCESS);
        resource.prepare(ONE);

        // when
        resource.rollback(ONE);

        // then
        assertThat(receive(live).getJMSRedelivered()).isTrue();
        expectNothing(live);
    }
}

package winnow.tests.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static winnow.tests.jms.JmsBroker.DEADLINE_MILLIS;
import static winnow.tests.jms.JmsBroker.expectNothing;
import static winnow.tests.jms.JmsBroker.receive;
import static winnow.tests.jms.JmsBroker.send;
import static winnow.tests.jms.JmsBroker.text;
import static winnow.tests.jms.JmsBroker.texts;

import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// Transacted sessions: what is sent and received takes effect together, or not at all.
class TransactionTest extends JmsRig {
    private Session transacted() throws JMSException {
        return connection.createSession(true, Session.SESSION_TRANSACTED);
    }

    private Queue queue(String name) throws JMSException {
        return session.createQueue(name);
    }

    @Test
    void shouldShowWhatItSentAtCommitOnly() throws Exception {
        // given
        Session sending = transacted();
        MessageConsumer consumer = session.createConsumer(queue("orders"));
        send(sending, sending.createProducer(queue("orders")), "a", "b");

        // when
        expectNothing(consumer);
        sending.commit();

        // then
        assertThat(texts(consumer, 2)).containsExactly("a", "b");
    }

    @Test
    void shouldGiveUpAMessageOfALiveTopicThatIsRolledBackAgainAndAgain() throws Exception {
        // given
        Session receiving = transacted();
        MessageConsumer consumer = receiving.createConsumer(session.createTopic("live"));
        send(session, session.createProducer(session.createTopic("live")), "bad", "good");

        // when
        int attempts = 0;
        TextMessage next = (TextMessage) receive(consumer);
        while (next.getText().equals("bad") && attempts < 100) {
            attempts++;
            receiving.rollback();
            next = (TextMessage) receive(consumer);
        }

        // then
        assertThat(attempts).isEqualTo(7);
        assertThat(next.getText()).isEqualTo("good");
    }

    @Test
    void shouldForgetWhatItSentByRollback() throws Exception {
        // given
        Session sending = transacted();
        MessageProducer producer = sending.createProducer(queue("orders"));
        MessageConsumer consumer = session.createConsumer(queue("orders"));
        send(sending, producer, "a");

        // when
        sending.rollback();
        send(sending, producer, "b");
        sending.commit();

        // then
        assertThat(text(consumer)).isEqualTo("b");
        expectNothing(consumer);
    }

    @Test
    void shouldBringBackWhatItReceivedByRollback() throws Exception {
        // given
        send(session, session.createProducer(queue("orders")), "a", "b", "c");
        Session receiving = transacted();
        MessageConsumer consumer = receiving.createConsumer(queue("orders"));
        assertThat(texts(consumer, 2)).containsExactly("a", "b");

        // when
        receiving.rollback();

        // then
        for (String expected : new String[] {"a", "b"}) {
            Message again = receive(consumer);
            assertThat(((TextMessage) again).getText()).isEqualTo(expected);
            assertThat(again.getJMSRedelivered()).isTrue();
            assertThat(again.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
        }
        Message fresh = receive(consumer);
        assertThat(((TextMessage) fresh).getText()).isEqualTo("c");
        assertThat(fresh.getJMSRedelivered()).isFalse();
        receiving.commit();
        expectNothing(consumer);
    }

    @Test
    void shouldMoveMessagesBetweenQueues() throws Exception {
        // given
        send(session, session.createProducer(queue("in")), "a", "b");
        Session moving = transacted();
        MessageConsumer from = moving.createConsumer(queue("in"));
        MessageProducer to = moving.createProducer(queue("out"));
        MessageConsumer out = session.createConsumer(queue("out"));

        // when
        to.send(receive(from));
        moving.rollback();
        to.send(receive(from));
        moving.commit();

        // then
        assertThat(text(out)).isEqualTo("a");
        expectNothing(out);
        assertThat(text(from)).isEqualTo("b");
    }

    @Test
    void shouldRollBackWhenTheSessionIsClosed() throws Exception {
        // given
        send(session, session.createProducer(queue("in")), "a");
        Session closing = transacted();
        text(closing.createConsumer(queue("in")));
        send(closing, closing.createProducer(queue("out")), "x");

        // when
        closing.close();

        // then
        Message again = receive(session.createConsumer(queue("in")));
        assertThat(((TextMessage) again).getText()).isEqualTo("a");
        assertThat(again.getJMSRedelivered()).isTrue();
        expectNothing(session.createConsumer(queue("out")));
    }

    @Test
    void shouldRollBackWhenTheConnectionIsClosed() throws Exception {
        // given
        send(session, session.createProducer(queue("in")), "a");
        Connection other = broker.connect();
        Session closing = other.createSession(true, Session.SESSION_TRANSACTED);
        text(closing.createConsumer(queue("in")));
        send(closing, closing.createProducer(queue("out")), "x");

        // when
        other.close();

        // then
        assertThat(receive(session.createConsumer(queue("in"))).getJMSRedelivered()).isTrue();
        expectNothing(session.createConsumer(queue("out")));
    }

    @Test
    void shouldCommitAndRollBackInAListener() throws Exception {
        // given
        Session listening = transacted();
        BlockingQueue<String> deliveries = new LinkedBlockingQueue<>();
        listening
                .createConsumer(queue("orders"))
                .setMessageListener(message -> deliveries.add(handle(listening, message)));

        // when
        send(session, session.createProducer(queue("orders")), "a");

        // then
        assertThat(deliveries.poll(DEADLINE_MILLIS, TimeUnit.MILLISECONDS)).isEqualTo("a1");
        assertThat(deliveries.poll(DEADLINE_MILLIS, TimeUnit.MILLISECONDS)).isEqualTo("a2");
        listening.close();
        expectNothing(session.createConsumer(queue("orders")));
    }

    /// Rolls the first delivery back, commits the second.
    private static String handle(Session listening, Message message) {
        try {
            int count = message.getIntProperty("JMSXDeliveryCount");
            if (count == 1) {
                listening.rollback();
            } else {
                listening.commit();
            }
            return ((TextMessage) message).getText() + count;
        } catch (JMSException e) {
            return e.toString();
        }
    }

    @Test
    void shouldPublishToTopicsAtCommit() throws Exception {
        // given
        Session sending = transacted();
        MessageConsumer live = session.createConsumer(session.createTopic("prices"));
        MessageConsumer shared = session.createSharedConsumer(session.createTopic("prices"), "s");
        MessageProducer producer = sending.createProducer(session.createTopic("prices"));

        // when
        send(sending, producer, "forgotten");
        sending.rollback();
        send(sending, producer, "a");
        expectNothing(live);
        sending.commit();

        // then
        assertThat(text(live)).isEqualTo("a");
        assertThat(text(shared)).isEqualTo("a");
        expectNothing(live);
        expectNothing(shared);
    }

    @Test
    void shouldTakeMoreThanAWindowInATransaction() throws Exception {
        // given
        String[] texts = new String[50];
        for (int i = 0; i < texts.length; i++) {
            texts[i] = Integer.toString(i);
        }
        send(session, session.createProducer(queue("orders")), texts);
        Session small =
                broker.connect("?queuePrefetchMessages=8")
                        .createSession(true, Session.SESSION_TRANSACTED);
        MessageConsumer consumer = small.createConsumer(queue("orders"));

        // when, then
        assertThat(texts(consumer, texts.length)).containsExactly(texts);
        small.rollback();
        assertThat(texts(consumer, texts.length)).containsExactly(texts);
        small.commit();
        expectNothing(consumer);
    }

    @Test
    void shouldKeepTransactionsOfOneConnectionApart() throws Exception {
        // given
        Session first = transacted();
        Session second = transacted();
        MessageConsumer consumer = session.createConsumer(queue("orders"));
        send(first, first.createProducer(queue("orders")), "first");
        send(second, second.createProducer(queue("orders")), "second");

        // when
        second.commit();

        // then
        assertThat(text(consumer)).isEqualTo("second");
        expectNothing(consumer);
        first.commit();
        assertThat(text(consumer)).isEqualTo("first");
    }

    @Test
    void shouldRefuseTransactionsOfOtherSessions() {
        assertThatThrownBy(session::commit).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(session::rollback).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> transacted().recover()).isInstanceOf(IllegalStateException.class);
    }
}

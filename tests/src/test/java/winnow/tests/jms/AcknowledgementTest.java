package winnow.tests.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static winnow.tests.jms.JmsBroker.DEADLINE_MILLIS;
import static winnow.tests.jms.JmsBroker.expectNothing;
import static winnow.tests.jms.JmsBroker.receive;
import static winnow.tests.jms.JmsBroker.send;
import static winnow.tests.jms.JmsBroker.text;
import static winnow.tests.jms.JmsBroker.textOf;
import static winnow.tests.jms.JmsBroker.texts;

import jakarta.jms.Connection;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageFormatRuntimeException;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What comes again in each acknowledgement mode, and how it is marked.
class AcknowledgementTest extends JmsRig {
    private void sendTexts(String... texts) throws JMSException {
        send(session, session.createProducer(orders()), texts);
    }

    @ParameterizedTest
    @ValueSource(ints = {Session.AUTO_ACKNOWLEDGE, Session.DUPS_OK_ACKNOWLEDGE})
    void shouldAcknowledgeByItself(int mode) throws Exception {
        // given
        sendTexts("a", "b", "c");
        Session first = connection.createSession(mode);
        assertThat(texts(first.createConsumer(orders()), 2)).containsExactly("a", "b");

        // when
        first.close();

        // then
        MessageConsumer rest = session.createConsumer(orders());
        assertThat(text(rest)).isEqualTo("c");
        expectNothing(rest);
    }

    @ParameterizedTest
    @ValueSource(ints = {Session.AUTO_ACKNOWLEDGE, Session.DUPS_OK_ACKNOWLEDGE})
    void shouldBringAMessageAgainWhoseListenerFailed(int mode) throws Exception {
        // given
        Session listening = connection.createSession(mode);
        BlockingQueue<String> deliveries = new LinkedBlockingQueue<>();
        listening
                .createConsumer(orders())
                .setMessageListener(message -> {
                    int count = countOf(message);
                    deliveries.add(textOf(message) + count);
                    if (count < 3 && textOf(message).equals("bad")) {
                        throw new IllegalArgumentException("a test's failure");
                    }
                });

        // when
        sendTexts("bad", "good");

        // then
        List<String> all = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            all.add(deliveries.poll(DEADLINE_MILLIS, TimeUnit.MILLISECONDS));
        }
        assertThat(all).contains("bad1", "bad2", "bad3", "good1").startsWith("bad1");
        assertThat(all.indexOf("bad2")).isLessThan(all.indexOf("bad3"));
        listening.close();
        expectNothing(session.createConsumer(orders()));
    }

    private static int countOf(Message message) {
        try {
            int count = message.getIntProperty("JMSXDeliveryCount");
            assertThat(message.getJMSRedelivered()).isEqualTo(count > 1);
            return count;
        } catch (JMSException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldBringBackWhatTheApplicationDidNotAcknowledge() throws Exception {
        // given
        sendTexts("a", "b", "c");
        Session first = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = first.createConsumer(orders());
        receive(consumer).acknowledge();
        receive(consumer);

        // when
        first.close();

        // then
        MessageConsumer rest = session.createConsumer(orders());
        Message again = receive(rest);
        Message fresh = receive(rest);
        assertThat(textOf(again)).isEqualTo("b");
        assertThat(again.getJMSRedelivered()).isTrue();
        assertThat(textOf(fresh)).isEqualTo("c");
        assertThat(fresh.getJMSRedelivered()).isFalse();
        expectNothing(rest);
    }

    @Test
    void shouldAcknowledgeAllOfTheSession() throws Exception {
        // given
        sendTexts("a", "b", "c");
        Session first = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = first.createConsumer(orders());
        Message early = receive(consumer);
        receive(consumer);

        // when
        early.acknowledge();
        first.close();

        // then
        MessageConsumer rest = session.createConsumer(orders());
        assertThat(text(rest)).isEqualTo("c");
        expectNothing(rest);
    }

    @Test
    void shouldRecoverInOrder() throws Exception {
        // given
        sendTexts("a", "b", "c", "d");
        Session first = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = first.createConsumer(orders());
        receive(consumer).acknowledge();
        assertThat(texts(consumer, 2)).containsExactly("b", "c");

        // when
        first.recover();

        // then
        Message again = receive(consumer);
        assertThat(textOf(again)).isEqualTo("b");
        assertThat(countOf(again)).isEqualTo(2);
        assertThat(countOf(receive(consumer))).isEqualTo(2);
        Message last = receive(consumer);
        assertThat(textOf(last)).isEqualTo("d");
        assertThat(countOf(last)).isEqualTo(1);
        last.acknowledge();
        expectNothing(consumer);
    }

    @Test
    void shouldRecoverMoreThanAWindowAgainAndAgain() throws Exception {
        // given
        String[] texts = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"};
        sendTexts(texts);
        Session small =
                broker.connect("?queuePrefetchMessages=4")
                        .createSession(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = small.createConsumer(orders());

        // when, then
        for (int round = 1; round <= 3; round++) {
            Message last = receive(consumer);
            assertThat(countOf(last)).isEqualTo(round);
            assertThat(texts(consumer, texts.length - 1)).contains("j").hasSize(9);
            if (round < 3) {
                small.recover();
            } else {
                last.acknowledge();
            }
        }
        expectNothing(consumer);
    }

    @Test
    void shouldBringBackEverythingOfALostConnection() throws Exception {
        // given
        sendTexts("a", "b");
        Connection other = broker.connect();
        Session lost = other.createSession(Session.CLIENT_ACKNOWLEDGE);
        assertThat(text(lost.createConsumer(orders()))).isEqualTo("a");

        // when
        other.close();

        // then
        MessageConsumer rest = session.createConsumer(orders());
        Message again = receive(rest);
        assertThat(textOf(again)).isEqualTo("a");
        assertThat(again.getJMSRedelivered()).isTrue();
        assertThat(text(rest)).isEqualTo("b");
    }

    @Test
    void shouldAcknowledgeInAListener() throws Exception {
        // given
        Session listening = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        BlockingQueue<String> handled = new LinkedBlockingQueue<>();
        listening
                .createConsumer(orders())
                .setMessageListener(message -> {
                    try {
                        message.acknowledge();
                        handled.add(textOf(message));
                    } catch (JMSException e) {
                        handled.add(e.toString());
                    }
                });

        // when
        sendTexts("a", "b");

        // then
        assertThat(handled.poll(DEADLINE_MILLIS, TimeUnit.MILLISECONDS)).isEqualTo("a");
        assertThat(handled.poll(DEADLINE_MILLIS, TimeUnit.MILLISECONDS)).isEqualTo("b");
        listening.close();
        expectNothing(session.createConsumer(orders()));
    }

    @Test
    void shouldRecoverInAListener() throws Exception {
        // given
        Session listening = connection.createSession();
        BlockingQueue<Integer> counts = new LinkedBlockingQueue<>();
        listening
                .createConsumer(orders())
                .setMessageListener(message -> {
                    int count = countOf(message);
                    counts.add(count);
                    if (count == 1) {
                        try {
                            listening.recover();
                        } catch (JMSException e) {
                            throw new AssertionError(e);
                        }
                    }
                });

        // when
        sendTexts("a");

        // then
        assertThat(counts.poll(DEADLINE_MILLIS, TimeUnit.MILLISECONDS)).isEqualTo(1);
        assertThat(counts.poll(DEADLINE_MILLIS, TimeUnit.MILLISECONDS)).isEqualTo(2);
        listening.close();
        expectNothing(session.createConsumer(orders()));
    }

    @Test
    void shouldKeepAMessageWhoseBodyCannotBeHad() throws Exception {
        // given
        sendTexts("a");
        try (JMSContext context = broker.factory("").createContext()) {
            JMSConsumer consumer = context.createConsumer(orders());

            // when, then
            assertThatThrownBy(() -> consumer.receiveBody(Integer.class, DEADLINE_MILLIS))
                    .isInstanceOf(MessageFormatRuntimeException.class);
            assertThat(consumer.receiveBody(String.class, DEADLINE_MILLIS)).isEqualTo("a");
        }
        expectNothing(session.createConsumer(orders()));
    }

    @Test
    void shouldKeepWhatWasSeenByAClosedConsumerForItsSession() throws Exception {
        // given
        sendTexts("a", "b");
        Session first = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer closed = first.createConsumer(orders());
        Message seen = receive(closed);

        // when
        closed.close();
        MessageConsumer rest = session.createConsumer(orders());
        String next = text(rest);
        seen.acknowledge();
        first.close();

        // then
        assertThat(next).isEqualTo("b");
        expectNothing(rest);
    }
}

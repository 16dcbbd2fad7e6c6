package winnow.tests.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static winnow.tests.jms.JmsBroker.DEADLINE_MILLIS;
import static winnow.tests.jms.JmsBroker.expectNothing;
import static winnow.tests.jms.JmsBroker.send;
import static winnow.tests.jms.JmsBroker.text;

import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// Whatever is closed first, no message is lost and none is delivered twice.
class ClosingTest extends JmsRig {
    @Test
    void shouldEndAReceiveThatWaits() throws Exception {
        // given
        MessageConsumer consumer = session.createConsumer(orders());
        BlockingQueue<String> outcome = new LinkedBlockingQueue<>();
        Thread waiting =
                new Thread(() -> {
                    try {
                        Message message = consumer.receive();
                        outcome.add(message == null ? "nothing" : "a message");
                    } catch (JMSException e) {
                        outcome.add(e.toString());
                    }
                });
        waiting.start();
        while (waiting.getState() != Thread.State.WAITING
                && waiting.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }

        // when
        session.close();

        // then
        assertThat(outcome.poll(DEADLINE_MILLIS, TimeUnit.MILLISECONDS)).isEqualTo("nothing");
    }

    @Test
    void shouldAcknowledgeWhatAListenerHandlesWhileItIsClosed() throws Exception {
        // given
        Connection other = broker.connect();
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        other.createSession()
                .createConsumer(orders())
                .setMessageListener(message -> {
                    entered.countDown();
                    try {
                        released.await();
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                });
        send(session, session.createProducer(orders()), "a", "b");
        assertThat(entered.await(DEADLINE_MILLIS, TimeUnit.MILLISECONDS)).isTrue();

        // when
        Thread closing =
                new Thread(() -> {
                    try {
                        other.close();
                    } catch (JMSException e) {
                        throw new AssertionError(e);
                    }
                });
        closing.start();
        while (closing.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        released.countDown();
        closing.join();

        // then
        MessageConsumer rest = session.createConsumer(orders());
        assertThat(text(rest)).isEqualTo("b");
        expectNothing(rest);
    }

    @Test
    void shouldCloseAConsumerInItsListener() throws Exception {
        // given
        Session listening = connection.createSession();
        MessageConsumer consumer = listening.createConsumer(orders());
        BlockingQueue<String> outcome = new LinkedBlockingQueue<>();
        consumer.setMessageListener(message -> {
            try {
                consumer.close();
                outcome.add("closed");
            } catch (JMSException e) {
                outcome.add(e.toString());
            }
        });

        // when
        send(session, session.createProducer(orders()), "a", "b");

        // then
        assertThat(outcome.poll(DEADLINE_MILLIS, TimeUnit.MILLISECONDS)).isEqualTo("closed");
        MessageConsumer rest = session.createConsumer(orders());
        assertThat(text(rest)).isEqualTo("b");
        expectNothing(rest);
    }

    @Test
    void shouldCloseInAnyOrder() throws Exception {
        // given
        Session closing = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = closing.createConsumer(orders());
        send(session, session.createProducer(orders()), "a");
        Message seen = consumer.receive(DEADLINE_MILLIS);

        // when
        closing.close();
        consumer.close();
        closing.close();

        // then
        assertThatThrownBy(seen::acknowledge).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(consumer::receive).isInstanceOf(IllegalStateException.class);
        assertThat(text(session.createConsumer(orders()))).isEqualTo("a");
    }
}

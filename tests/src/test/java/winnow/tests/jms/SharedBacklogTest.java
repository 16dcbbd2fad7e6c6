package winnow.tests.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static winnow.tests.jms.JmsBroker.DEADLINE_MILLIS;
import static winnow.tests.jms.JmsBroker.expectNothing;
import static winnow.tests.jms.JmsBroker.receive;
import static winnow.tests.jms.JmsBroker.send;
import static winnow.tests.jms.JmsBroker.text;
import static winnow.tests.jms.JmsBroker.textOf;
import static winnow.tests.jms.JmsBroker.texts;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.util.Collections;
import java.util.Enumeration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Consumers that share messages: none keeps from the others what it does not use.
class SharedBacklogTest extends JmsRig {
    private static final int COUNT = 40;

    private void sendAll() throws JMSException {
        send(session, session.createProducer(orders()), numbers(COUNT));
    }

    @Test
    void shouldSendNothingToAConnectionThatIsNotStarted() throws Exception {
        // given
        try (Connection unstarted = broker.factory("").createConnection()) {
            unstarted.createSession().createConsumer(orders());

            // when
            sendAll();

            // then
            MessageConsumer consumer = broker.connect().createSession().createConsumer(orders());
            assertThat(texts(consumer, COUNT)).containsExactly(numbers(COUNT));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldSendNothingOfASharedSubscriptionBeforeStart(boolean durable) throws Exception {
        // given
        Topic topic = session.createTopic("news");
        try (Connection unstarted = broker.factory("").createConnection()) {
            shared(unstarted.createSession(), topic, durable);
            MessageConsumer consumer = shared(broker.connect().createSession(), topic, durable);

            // when
            send(session, session.createProducer(topic), numbers(COUNT));

            // then
            assertThat(texts(consumer, COUNT)).containsExactly(numbers(COUNT));
        }
    }

    private static MessageConsumer shared(Session session, Topic topic, boolean durable)
            throws JMSException {
        return durable
                ? session.createSharedDurableConsumer(topic, "name")
                : session.createSharedConsumer(topic, "name");
    }

    @Test
    void shouldDeliverWhenAConnectionIsStarted() throws Exception {
        // given
        try (Connection late = broker.factory("").createConnection()) {
            MessageConsumer consumer = late.createSession().createConsumer(orders(), "n IS NULL");
            sendAll();

            // when
            late.start();

            // then
            assertThat(texts(consumer, COUNT)).containsExactly(numbers(COUNT));
        }
    }

    /// Checks that a consumer that is at its first message has not been sent all that waits.
    @Test
    void shouldLeaveInTheQueueWhatAConsumerCannotUseYet() throws Exception {
        // given
        MessageConsumer working = session.createConsumer(orders());
        sendAll();

        // when
        assertThat(text(working)).isEqualTo("0");

        // then
        try (QueueBrowser browser = session.createBrowser(orders())) {
            Enumeration<?> shown = browser.getEnumeration();
            assertThat(Collections.list(shown)).hasSizeGreaterThanOrEqualTo(COUNT / 2);
        }
    }

    @Test
    void shouldTakeBackWhatAnIdleConsumerHolds() throws Exception {
        // given
        session.createConsumer(orders());
        Session other = connection.createSession();
        MessageConsumer consumer = other.createConsumer(orders());

        // when
        sendAll();

        // then
        assertThat(texts(consumer, COUNT)).containsExactlyInAnyOrder(numbers(COUNT));
    }

    @Test
    void shouldTakeBackWhatAConsumerWithAnotherSelectorHolds() throws Exception {
        // given
        session.createConsumer(orders(), "n IS NULL");
        sendAll();

        // when
        MessageConsumer consumer = connection.createSession().createConsumer(orders());

        // then
        assertThat(texts(consumer, COUNT)).containsExactlyInAnyOrder(numbers(COUNT));
    }

    @Test
    void shouldTakeBackWhatAStoppedConsumerHolds() throws Exception {
        // given
        Connection stopped = broker.connect();
        MessageConsumer holder = stopped.createSession().createConsumer(orders());
        sendAll();
        assertThat(text(holder)).isEqualTo("0");
        stopped.stop();

        // when
        MessageConsumer consumer = connection.createSession().createConsumer(orders());

        // then
        assertThat(texts(consumer, COUNT - 1)).hasSize(COUNT - 1).doesNotContain("0");
        stopped.start();
        send(session, session.createProducer(orders()), "more", "and more");
        assertThat(text(holder)).isNotNull();
    }

    @Test
    void shouldTakeBackForAListener() throws Exception {
        // given
        session.createConsumer(orders());
        BlockingQueue<String> received = new LinkedBlockingQueue<>();
        connection
                .createSession()
                .createConsumer(orders())
                .setMessageListener(message -> received.add(textOf(message)));

        // when
        Session sender = broker.connect().createSession();
        send(sender, sender.createProducer(orders()), numbers(COUNT));

        // then
        for (int i = 0; i < COUNT; i++) {
            assertThat(received.poll(DEADLINE_MILLIS, TimeUnit.MILLISECONDS))
                    .as("message %d", i)
                    .isNotNull();
        }
    }

    @Test
    void shouldTakeBackWhatWaitsBehindAListenerThatHangs() throws Exception {
        // given
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        sendAll();
        connection
                .createSession()
                .createConsumer(orders())
                .setMessageListener(message -> {
                    entered.countDown();
                    try {
                        leave.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
        entered.await();

        try {
            // when
            MessageConsumer consumer = broker.connect().createSession().createConsumer(orders());

            // then
            assertThat(texts(consumer, COUNT - 1)).hasSize(COUNT - 1).doesNotContain("0");
        } finally {
            leave.countDown();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {Session.CLIENT_ACKNOWLEDGE, Session.SESSION_TRANSACTED})
    void shouldKeepWhatTheApplicationHasAndNotAcknowledged(int mode) throws Exception {
        // given
        Session holding = connection.createSession(mode);
        MessageConsumer holder = holding.createConsumer(orders());
        sendAll();
        assertThat(texts(holder, 3)).containsExactly("0", "1", "2");

        // when
        Session other = connection.createSession(Session.SESSION_TRANSACTED);
        MessageConsumer consumer = other.createConsumer(orders());

        // then
        assertThat(texts(consumer, COUNT - 3)).doesNotContain("0", "1", "2");
        expectNothing(consumer);
        other.commit();
        if (mode == Session.SESSION_TRANSACTED) {
            holding.rollback();
        } else {
            holding.recover();
        }
        Message again = receive(holder);
        assertThat(again.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
    }

    @Test
    void shouldNotCountWhatWasTakenBack() throws Exception {
        // given
        session.createConsumer(orders());
        sendAll();

        // when
        MessageConsumer consumer = connection.createSession().createConsumer(orders());

        // then
        for (int i = 0; i < COUNT; i++) {
            assertThat(receive(consumer).getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
        }
    }

    @Test
    void shouldServeConsumersInTurnThoughEachHoldsTheMessages() throws Exception {
        // given
        MessageConsumer one = connection.createSession().createConsumer(orders());
        MessageConsumer other = broker.connect().createSession().createConsumer(orders());

        // when
        sendAll();

        // then
        for (int i = 0; i < COUNT / 2; i++) {
            assertThat(text(one)).isNotNull();
        }
        for (int i = 0; i < COUNT / 2; i++) {
            assertThat(text(i % 2 == 0 ? other : one)).isNotNull();
        }
        assertThat(one.receiveNoWait()).isNull();
        assertThat(other.receiveNoWait()).isNull();
    }
}

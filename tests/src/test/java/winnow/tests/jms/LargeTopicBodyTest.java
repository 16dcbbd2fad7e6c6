package winnow.tests.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.Session;
import jakarta.jms.TemporaryTopic;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import winnow.tests.RunningBroker;

/// Messages in parts that live subscriptions of a topic get.
class LargeTopicBodyTest extends LargeMessages {
    private Topic topic() throws JMSException {
        return session.createTopic("files");
    }

    private void publish(byte[] body) throws JMSException {
        try (MessageProducer producer = session.createProducer(topic())) {
            producer.send(message(session, body));
        }
    }

    private MessageConsumer consumer(String selector) throws JMSException {
        return connection(broker.url()).createSession().createConsumer(topic(), selector);
    }

    /// Closes all clients.
    ///
    /// @return rows of parts that the broker has left in its store
    private int left() throws Exception {
        for (Connection open : connections) {
            open.close();
        }
        connections.clear();
        return partsInStore();
    }

    @Test
    void shouldBringABodyToThoseWhoWantIt() throws Exception {
        // given
        MessageConsumer all = session.createConsumer(topic());
        MessageConsumer same = session.createConsumer(topic());
        MessageConsumer some = consumer("length > 0");
        MessageConsumer none = consumer("length = 0");
        MessageConsumer durable = session.createSharedDurableConsumer(topic(), "kept");
        MessageConsumer shared = session.createSharedConsumer(topic(), "shared");

        // when
        publish(bytes(1, 16 * MIB));

        // then
        for (MessageConsumer one : List.of(all, same, some, durable, shared)) {
            Message received = receive(one);
            assertThat(received.getIntProperty("length")).isEqualTo(16 * MIB);
            assertThat(received.getBody(byte[].class)).isEqualTo(bytes(1, 16 * MIB));
        }
        JmsBroker.expectNothing(none);
        JmsBroker.expectNothing(all);
        assertThat(left()).isZero();
    }

    @Test
    void shouldBringABodyBehindLongProperties() throws Exception {
        // given
        MessageConsumer consumer = consumer("");
        Message message = message(session, bytes(1, 3 * MIB));
        for (int i = 0; i < 5; i++) {
            message.setStringProperty("long" + i, "x".repeat(30_000));
        }

        // when
        session.createProducer(topic()).send(message);

        // then
        BytesMessage received = receive(consumer);
        assertThat(received.getStringProperty("long4")).hasSize(30_000);
        assertThat(body(received)).isEqualTo(bytes(1, 3 * MIB));
        assertThat(left()).isZero();
    }

    @Test
    void shouldBringABodyToManySubscriptionsOfAConnection() throws Exception {
        // given
        Session many = connection(broker.url()).createSession();
        List<MessageConsumer> consumers = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            consumers.add(many.createConsumer(topic()));
        }

        // when
        publish(bytes(1, 2 * MIB));
        publish(bytes(2, 2 * MIB));

        // then
        for (MessageConsumer one : consumers) {
            assertThat(body(receive(one))).isEqualTo(bytes(1, 2 * MIB));
            assertThat(body(receive(one))).isEqualTo(bytes(2, 2 * MIB));
        }
        assertThat(left()).isZero();
    }

    @Test
    void shouldDropABodyThatNobodyWants() throws Exception {
        // given
        MessageConsumer none = consumer("length = 0");

        // when
        publish(bytes(1, 16 * MIB));

        // then
        JmsBroker.expectNothing(none);
        assertThat(left()).isZero();
    }

    @Test
    void shouldFilterByTheCorrelationId() throws Exception {
        // given
        MessageConsumer wanted = consumer("JMSCorrelationID = 'a'");
        MessageConsumer other = consumer("JMSCorrelationID = 'b'");
        Message message = message(session, bytes(1, 3 * MIB));
        message.setJMSCorrelationID("a");

        // when
        session.createProducer(topic()).send(message);

        // then
        assertThat(body(receive(wanted))).isEqualTo(bytes(1, 3 * MIB));
        JmsBroker.expectNothing(other);
    }

    @Test
    void shouldKeepTheOrderAmongSmallMessages() throws Exception {
        // given
        MessageConsumer first = session.createConsumer(topic());
        MessageConsumer second = consumer("");
        MessageProducer producer = session.createProducer(topic());
        producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);

        // when
        for (int i = 0; i < 5; i++) {
            producer.send(session.createTextMessage("before " + i));
            producer.send(message(session, bytes(i, 5 * MIB)));
        }
        producer.send(session.createTextMessage("last"));

        // then
        for (MessageConsumer one : List.of(first, second)) {
            for (int i = 0; i < 5; i++) {
                assertThat(JmsBroker.text(one)).isEqualTo("before " + i);
                assertThat(body(receive(one))).isEqualTo(bytes(i, 5 * MIB));
            }
            assertThat(JmsBroker.text(one)).isEqualTo("last");
        }
        assertThat(left()).isZero();
    }

    @Test
    void shouldBringTextAndListeners() throws Exception {
        // given
        String text = "ä".repeat(8 * MIB);
        LinkedBlockingQueue<Message> received = new LinkedBlockingQueue<>();
        session.createConsumer(topic()).setMessageListener(received::add);

        // when
        Session sending = connection(broker.url()).createSession();
        sending.createProducer(topic()).send(sending.createTextMessage(text));

        // then
        Message message = received.poll(JmsBroker.DEADLINE_MILLIS, TimeUnit.MILLISECONDS);
        assertThat(((TextMessage) message).getText()).isEqualTo(text);
    }

    @Test
    void shouldBringABodyToATemporaryTopic() throws Exception {
        // given
        TemporaryTopic temporary = session.createTemporaryTopic();
        MessageConsumer consumer = session.createConsumer(temporary);

        // when
        Session sending = connection(broker.url()).createSession();
        sending.createProducer(temporary).send(message(sending, bytes(1, 5 * MIB)));

        // then
        assertThat(body(receive(consumer))).isEqualTo(bytes(1, 5 * MIB));
        assertThat(left()).isZero();
    }

    @Test
    void shouldSendAndReceiveInTransactions() throws Exception {
        // given
        Session sending = connections.getFirst().createSession(Session.SESSION_TRANSACTED);
        Session receiving = connections.getFirst().createSession(Session.SESSION_TRANSACTED);
        MessageProducer producer = sending.createProducer(topic());
        MessageConsumer consumer = receiving.createConsumer(topic());

        // when
        producer.send(message(sending, bytes(1, 5 * MIB)));
        sending.rollback();
        producer.send(message(sending, bytes(2, 5 * MIB)));
        producer.send(sending.createTextMessage("with it"));
        JmsBroker.expectNothing(consumer);
        sending.commit();

        // then
        assertThat(body(receive(consumer))).isEqualTo(bytes(2, 5 * MIB));
        receiving.rollback();
        Message again = receive(consumer);
        assertThat(again.getJMSRedelivered()).isTrue();
        assertThat(again.getBody(byte[].class)).isEqualTo(bytes(2, 5 * MIB));
        assertThat(JmsBroker.text(consumer)).isEqualTo("with it");
        receiving.commit();
        assertThat(left()).isZero();
    }

    @Test
    void shouldLeaveNothingOfAMessageWhoseProducerBreaks() throws Exception {
        // given
        MessageConsumer consumer = session.createConsumer(topic());
        try (ThrottledProxy proxy = new ThrottledProxy(broker.port())) {
            String url = proxy.url() + "?maxReconnectAttempts=0";
            Session cut = connection(url).createSession();
            MessageProducer producer = cut.createProducer(topic());
            proxy.breakAfter(4 * MIB);

            // when
            assertThatThrownBy(() -> producer.send(message(cut, bytes(1, 16 * MIB))))
                    .isInstanceOf(JMSException.class);
        }
        publish(bytes(2, 3 * MIB));

        // then
        assertThat(body(receive(consumer))).isEqualTo(bytes(2, 3 * MIB));
        JmsBroker.expectNothing(consumer);
        assertThat(left()).isZero();
    }

    @Test
    void shouldServeOthersWhileAConsumerStallsAndLeaveNothingWhenItGoes() throws Exception {
        // given
        MessageConsumer consumer = session.createConsumer(topic());
        try (ThrottledProxy proxy = new ThrottledProxy(broker.port())) {
            Session stalled = connection(proxy.url()).createSession();
            stalled.createConsumer(topic());
            proxy.stallAfter(MIB);

            // when
            for (int i = 0; i < 4; i++) {
                publish(bytes(i, 9 * MIB));
            }
            proxy.awaitStall();

            // then
            for (int i = 0; i < 4; i++) {
                assertThat(body(receive(consumer))).isEqualTo(bytes(i, 9 * MIB));
            }
        }
        assertThat(left()).isZero();
    }

    @Test
    void shouldBoundAllBodiesThatWaitAndEndWhoTakesNothing() throws Exception {
        // given room for 32 MiB of bodies
        broker.close();
        broker =
                new RunningBroker(
                        Map.of(
                                "transport.max-frame", "2MiB",
                                "subscription.total-buffer", "64MiB"));
        session = connection(broker.url()).createSession();
        try (ThrottledProxy proxy = new ThrottledProxy(broker.port())) {
            Session stalled = connection(proxy.url()).createSession();
            stalled.createConsumer(topic());
            proxy.stallAfter(MIB);

            // when
            int sent = 0;
            JMSException refused = null;
            while (refused == null && sent < 10) {
                refused = refusal(bytes(sent, 9 * MIB));
                sent += refused == null ? 1 : 0;
            }

            // then
            assertThat(sent).isBetween(2, 3);
            assertThat(refused)
                    .isInstanceOf(ResourceAllocationException.class)
                    .hasMessageContainingAll("live subscriptions", "total-buffer");

            // and others go on without it
            MessageConsumer consumer = session.createConsumer(topic());
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            while (refusal(bytes(1, 9 * MIB)) != null && System.nanoTime() < deadline) {
                Thread.onSpinWait();
            }
            assertThat(body(receive(consumer))).isEqualTo(bytes(1, 9 * MIB));
        }
    }

    /// @return why a message was refused, null if it was not
    private @Nullable JMSException refusal(byte[] body) {
        try {
            publish(body);
            return null;
        } catch (JMSException e) {
            return e;
        }
    }

    @Test
    void shouldEndAMessageWithItsConsumer() throws Exception {
        // given
        MessageConsumer other = consumer("");
        MessageConsumer ending = session.createConsumer(topic());
        for (int i = 0; i < 4; i++) {
            publish(bytes(i, 9 * MIB));
        }

        // when
        ending.close();

        // then
        for (int i = 0; i < 4; i++) {
            assertThat(body(receive(other))).isEqualTo(bytes(i, 9 * MIB));
        }
        MessageConsumer later = session.createConsumer(topic());
        publish(bytes(5, 3 * MIB));
        assertThat(body(receive(later))).isEqualTo(bytes(5, 3 * MIB));
        assertThat(left()).isZero();
    }

    @Test
    void shouldRefuseWhatIsTooLongOrHasADelay() throws Exception {
        // given
        MessageConsumer consumer = session.createConsumer(session.createTopic("short"));
        MessageProducer producer = session.createProducer(session.createTopic("short"));

        // then
        assertThatThrownBy(() -> producer.send(message(session, bytes(1, 5 * MIB))))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("queue.max-message-bytes is " + 3 * MIB);
        producer.setDeliveryDelay(60_000);
        assertThatThrownBy(() -> producer.send(message(session, bytes(1, 5 * MIB / 2))))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("delivery delay for topic 'short'")
                .hasMessageContaining("transport.max-frame");

        // when
        producer.setDeliveryDelay(0);
        producer.send(message(session, bytes(2, 5 * MIB / 2)));

        // then
        assertThat(body(receive(consumer))).isEqualTo(bytes(2, 5 * MIB / 2));
        assertThat(left()).isZero();
    }

    @Test
    void shouldForgetWhatLiveSubscriptionsHadNotReadWhenItStops() throws Exception {
        // given
        try (ThrottledProxy proxy = new ThrottledProxy(broker.port())) {
            Session stalled = connection(proxy.url()).createSession();
            stalled.createConsumer(topic());
            proxy.stallAfter(MIB);
            publish(bytes(1, 9 * MIB));
            proxy.awaitStall();

            // when
            RunningBroker again = broker.restarted();
            broker = again;
        }

        // then
        assertThat(partsInStore()).isZero();
    }
}

package winnow.tests.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static winnow.tests.jms.JmsBroker.expectNothing;
import static winnow.tests.jms.JmsBroker.receive;
import static winnow.tests.jms.JmsBroker.send;
import static winnow.tests.jms.JmsBroker.text;
import static winnow.tests.jms.JmsBroker.texts;

import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import jakarta.jms.TopicConnection;
import jakarta.jms.TopicSession;
import jakarta.jms.TopicSubscriber;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Subscriptions with a name: durable, shared, and both.
class SubscriptionTest {
    private static final String METER = "?clientID=meter";

    private JmsBroker broker;
    private Session session;
    private MessageProducer producer;

    @BeforeEach
    void connect() throws IOException, JMSException {
        broker = new JmsBroker();
        session = broker.connect().createSession();
        producer = session.createProducer(prices());
    }

    @AfterEach
    void close() {
        broker.close();
    }

    private Topic prices() throws JMSException {
        return session.createTopic("prices");
    }

    private void sendPrice(String region, String text) throws JMSException {
        TextMessage message = session.createTextMessage(text);
        message.setStringProperty("region", region);
        producer.send(message);
    }

    @Test
    void shouldKeepMessagesForADurableSubscription() throws Exception {
        // given
        Connection first = broker.connect(METER);
        MessageConsumer consumer = first.createSession().createDurableConsumer(prices(), "d");
        send(session, producer, "a");
        assertThat(text(consumer)).isEqualTo("a");
        first.close();

        // when
        send(session, producer, "b", "c");

        // then
        Session again = broker.connect(METER).createSession();
        MessageConsumer back = again.createDurableConsumer(prices(), "d");
        assertThat(texts(back, 2)).containsExactly("b", "c");
        expectNothing(back);
    }

    @Test
    void shouldBeginANewWithAnotherSelector() throws Exception {
        // given
        Session own = broker.connect(METER).createSession();
        own.createDurableConsumer(prices(), "d", "region = 'EU'", false).close();
        sendPrice("EU", "missed");

        // when
        MessageConsumer changed = own.createDurableConsumer(prices(), "d", "region = 'US'", false);
        sendPrice("EU", "not selected");
        sendPrice("US", "selected");

        // then
        assertThat(text(changed)).isEqualTo("selected");
        expectNothing(changed);
    }

    @Test
    void shouldKeepWhatWaitsIfASelectorDiffersInWhiteSpaceOnly() throws Exception {
        // given
        Session own = broker.connect(METER).createSession();
        String selector = "region = 'E U'\n AND (n IS NULL OR n>5)";
        own.createDurableConsumer(prices(), "d", selector, false).close();
        sendPrice("E U", "kept");

        // when
        String same = " region='E U' AND ( n  IS NULL OR n > 5 ) ";
        MessageConsumer again = own.createDurableConsumer(prices(), "d", same, false);

        // then
        assertThat(text(again)).isEqualTo("kept");
        again.close();
        sendPrice("E U", "dropped");
        String other = "region='EU' AND (n IS NULL OR n>5)";
        expectNothing(own.createDurableConsumer(prices(), "d", other, false));
    }

    /// 8.3.3: not while a consumed message of it is part of a transaction, or not acknowledged.
    @ParameterizedTest
    @ValueSource(ints = {Session.SESSION_TRANSACTED, Session.CLIENT_ACKNOWLEDGE})
    void shouldNotEndWhileAMessageIsNotAcknowledged(int mode) throws Exception {
        // given
        Session own = broker.connect(METER).createSession(mode);
        MessageConsumer consumer = own.createDurableConsumer(prices(), "d");
        send(session, producer, "a");
        Message received = receive(consumer);
        consumer.close();

        // when, then
        assertThatThrownBy(() -> own.unsubscribe("d"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("not acknowledged");
        if (mode == Session.SESSION_TRANSACTED) {
            own.commit();
        } else {
            received.acknowledge();
        }
        own.unsubscribe("d");
        expectNothing(own.createDurableConsumer(prices(), "d"));
    }

    @Test
    void shouldEndADurableSubscription() throws Exception {
        // given
        Session own = broker.connect(METER).createSession();
        MessageConsumer consumer = own.createDurableConsumer(prices(), "d");
        assertThatThrownBy(() -> own.unsubscribe("d")).isInstanceOf(IllegalStateException.class);
        consumer.close();

        // when
        own.unsubscribe("d");
        send(session, producer, "missed");

        // then
        assertThatThrownBy(() -> own.unsubscribe("d"))
                .isInstanceOf(InvalidDestinationException.class);
        expectNothing(own.createDurableConsumer(prices(), "d"));
    }

    @Test
    void shouldAllowOneConsumerOfADurableSubscription() throws Exception {
        // given
        Session own = broker.connect(METER).createSession();
        own.createDurableConsumer(prices(), "d");

        // when, then
        assertThatThrownBy(() -> own.createDurableConsumer(prices(), "d"))
                .isInstanceOf(IllegalStateException.class);
        assertThat(own.createDurableConsumer(prices(), "e")).isNotNull();
        assertThatThrownBy(() -> session.createDurableConsumer(prices(), "d"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("client identifier");
    }

    @Test
    void shouldLeaveOutMessagesOfItsOwnClient() throws Exception {
        // given
        Session own = broker.connect(METER).createSession();
        TopicSubscriber subscriber = own.createDurableSubscriber(prices(), "d", null, true);

        // when
        send(own, own.createProducer(prices()), "own");
        send(session, producer, "foreign");

        // then
        assertThat(text(subscriber)).isEqualTo("foreign");
        expectNothing(subscriber);
        assertThat(subscriber.getNoLocal()).isTrue();
        assertThat(subscriber.getTopic()).isEqualTo(prices());
    }

    @Test
    void shouldShareASubscriptionAmongConnections() throws Exception {
        // given
        List<MessageConsumer> consumers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Session own = broker.connect("?queuePrefetchMessages=1").createSession();
            consumers.add(own.createSharedConsumer(prices(), "s"));
        }
        String[] texts = new String[30];
        for (int i = 0; i < texts.length; i++) {
            texts[i] = Integer.toString(i);
        }

        // when
        send(session, producer, texts);

        // then
        List<String> received = new ArrayList<>();
        while (received.size() < texts.length) {
            int before = received.size();
            for (MessageConsumer consumer : consumers) {
                if (consumer.receive(JmsBroker.SILENCE_MILLIS) instanceof TextMessage message) {
                    received.add(message.getText());
                }
            }
            assertThat(received).hasSizeGreaterThan(before);
        }
        assertThat(received).containsExactlyInAnyOrder(texts);
    }

    @Test
    void shouldForgetASharedSubscriptionWithoutConsumers() throws Exception {
        // given
        MessageConsumer first = session.createSharedConsumer(prices(), "s");
        first.close();

        // when
        send(session, producer, "missed");

        // then
        expectNothing(session.createSharedConsumer(prices(), "s"));
    }

    @Test
    void shouldKeepMessagesForASharedDurableSubscription() throws Exception {
        // given
        Session first = broker.connect().createSession();
        first.createSharedDurableConsumer(prices(), "sd", "region = 'EU'");
        first.close();

        // when
        sendPrice("EU", "a");
        sendPrice("US", "not selected");
        sendPrice("EU", "b");

        // then
        Session again = broker.connect().createSession();
        MessageConsumer one = again.createSharedDurableConsumer(prices(), "sd", "region = 'EU'");
        assertThat(texts(one, 2)).containsExactly("a", "b");
        one.close();
        again.unsubscribe("sd");
    }

    @Test
    void shouldRefuseConsumersThatDiffer() throws Exception {
        // given
        session.createSharedConsumer(prices(), "s", "region = 'EU'");

        // when, then
        assertThatThrownBy(() -> session.createSharedConsumer(prices(), "s", "region = 'US'"))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() ->
                        session.createSharedConsumer(
                                session.createTopic("other"), "s", "region = 'EU'"))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldBringEverySubscriptionItsOwnCopy() throws Exception {
        // given
        Session own = broker.connect(METER).createSession();
        MessageConsumer live = own.createConsumer(prices());
        MessageConsumer durable = own.createDurableConsumer(prices(), "d");
        MessageConsumer shared = own.createSharedConsumer(prices(), "s");

        // when
        send(session, producer, "a", "b");

        // then
        assertThat(texts(live, 2)).containsExactly("a", "b");
        assertThat(texts(durable, 2)).containsExactly("a", "b");
        assertThat(texts(shared, 2)).containsExactly("a", "b");
    }

    @Test
    void shouldRecoverADurableSubscription() throws Exception {
        // given
        Session own = broker.connect(METER).createSession(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer durable = own.createDurableConsumer(prices(), "d");
        MessageConsumer live = own.createConsumer(prices());
        send(session, producer, "a");
        text(durable);
        text(live);

        // when
        own.recover();

        // then
        assertThat(receive(durable).getJMSRedelivered()).isTrue();
        assertThat(receive(live).getJMSRedelivered()).isTrue();
    }

    @Test
    void shouldHoldBackWhatIsDelayed() throws Exception {
        // given
        Session own = broker.connect(METER).createSession();
        MessageConsumer live = own.createConsumer(prices());
        MessageConsumer durable = own.createDurableConsumer(prices(), "d");
        producer.setDeliveryDelay(400);
        send(session, producer, "later");
        producer.setDeliveryDelay(0);
        send(session, producer, "now");

        // when, then
        for (MessageConsumer consumer : List.of(live, durable)) {
            assertThat(text(consumer)).isEqualTo("now");
            Message delayed = receive(consumer);
            assertThat(delayed.getBody(String.class)).isEqualTo("later");
            assertThat(delayed.getJMSDeliveryTime())
                    .isLessThanOrEqualTo(System.currentTimeMillis());
        }
    }

    @Test
    void shouldServeTheInterfacesForTopics() throws Exception {
        // given
        try (TopicConnection topics = broker.factory(METER).createTopicConnection()) {
            topics.start();
            TopicSession own = topics.createTopicSession(false, Session.AUTO_ACKNOWLEDGE);
            TopicSubscriber subscriber = own.createDurableSubscriber(prices(), "d");

            // when
            own.createPublisher(prices()).publish(own.createTextMessage("a"));

            // then
            assertThat(text(subscriber)).isEqualTo("a");
        }
    }
}

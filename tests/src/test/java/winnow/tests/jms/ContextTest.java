package winnow.tests.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static winnow.tests.jms.JmsBroker.DEADLINE_MILLIS;
import static winnow.tests.jms.JmsBroker.SILENCE_MILLIS;

import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import jakarta.jms.Topic;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The simplified interface to queues, transactions and named subscriptions.
class ContextTest {
    private JmsBroker broker;

    @BeforeEach
    void start() throws IOException {
        broker = new JmsBroker();
    }

    @AfterEach
    void close() {
        broker.close();
    }

    private static String body(JMSConsumer consumer) {
        return consumer.receiveBody(String.class, DEADLINE_MILLIS);
    }

    @Test
    void shouldSendToAQueueAndReceive() {
        try (JMSContext context = broker.factory("").createContext()) {
            // given
            Queue queue = context.createQueue("orders");

            // when
            context.createProducer().setPriority(7).setProperty("size", 5).send(queue, "a");

            // then
            JMSConsumer consumer = context.createConsumer(queue, "size = 5");
            assertThat(body(consumer)).isEqualTo("a");
        }
    }

    @Test
    void shouldCommitAndRollBack() {
        try (JMSContext context = broker.factory("").createContext(JMSContext.SESSION_TRANSACTED);
                JMSContext other = context.createContext(JMSContext.AUTO_ACKNOWLEDGE)) {
            // given
            Queue queue = context.createQueue("orders");
            JMSConsumer consumer = other.createConsumer(queue);

            // when
            context.createProducer().send(queue, "forgotten");
            context.rollback();
            context.createProducer().send(queue, "a");
            context.commit();

            // then
            assertThat(body(consumer)).isEqualTo("a");
            assertThat(consumer.receive(SILENCE_MILLIS)).isNull();
            assertThatThrownBy(other::commit).isInstanceOf(IllegalStateRuntimeException.class);
        }
    }

    @Test
    void shouldAcknowledgeAndRecover() throws JMSException {
        try (JMSContext context = broker.factory("").createContext(JMSContext.CLIENT_ACKNOWLEDGE)) {
            // given
            Queue queue = context.createQueue("orders");
            context.createProducer().send(queue, "a").send(queue, "b");
            JMSConsumer consumer = context.createConsumer(queue);
            assertThat(body(consumer)).isEqualTo("a");
            context.acknowledge();
            assertThat(body(consumer)).isEqualTo("b");

            // when
            context.recover();

            // then
            Message again = consumer.receive(DEADLINE_MILLIS);
            assertThat(again.getBody(String.class)).isEqualTo("b");
            assertThat(again.getJMSRedelivered()).isTrue();
        }
    }

    @Test
    void shouldSubscribeByName() {
        try (JMSContext context = broker.factory("?clientID=meter").createContext()) {
            // given
            Topic topic = context.createTopic("prices");
            context.createDurableConsumer(topic, "d").close();
            context.createSharedDurableConsumer(topic, "sd").close();

            // when
            context.createProducer().send(topic, "a");

            // then
            JMSConsumer durable = context.createDurableConsumer(topic, "d");
            JMSConsumer shared = context.createSharedDurableConsumer(topic, "sd");
            assertThat(body(durable)).isEqualTo("a");
            assertThat(body(shared)).isEqualTo("a");
            durable.close();
            shared.close();
            context.unsubscribe("d");
            context.unsubscribe("sd");
        }
    }

    @Test
    void shouldDelayDelivery() {
        try (JMSContext context = broker.factory("").createContext()) {
            // given
            Queue queue = context.createQueue("orders");
            JMSConsumer consumer = context.createConsumer(queue);

            // when
            context.createProducer().setDeliveryDelay(300).send(queue, "later");
            context.createProducer().send(queue, "now");

            // then
            assertThat(body(consumer)).isEqualTo("now");
            assertThat(body(consumer)).isEqualTo("later");
        }
    }
}

package winnow.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSProducer;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatRuntimeException;
import jakarta.jms.Topic;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import winnow.wire.FrameType;

/// What becomes of a message whose body the application cannot have.
class ReceiveBodyTest {
    private static final long DEADLINE_MILLIS = 10_000;

    private ScriptedBroker broker;
    private JMSContext context;
    private Topic topic;

    @BeforeEach
    void connect() throws Exception {
        broker = new ScriptedBroker();
        broker.relay();
        context = broker.factory().createContext();
        topic = context.createTopic("prices");
    }

    @AfterEach
    void disconnect() throws Exception {
        context.close();
        broker.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {JMSContext.AUTO_ACKNOWLEDGE, JMSContext.DUPS_OK_ACKNOWLEDGE})
    void shouldKeepAMessageWhoseBodyIsNotOfTheClass(int mode) throws Exception {
        // given
        try (JMSContext own = broker.factory().createContext(mode)) {
            JMSConsumer consumer = own.createConsumer(topic);
            own.createProducer().send(topic, "one").send(topic, "two");

            // when
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> consumer.receiveBody(Map.class, DEADLINE_MILLIS))
                        .isInstanceOf(MessageFormatRuntimeException.class);
            }

            // then
            Message first = consumer.receive(DEADLINE_MILLIS);
            assertThat(first.getBody(String.class)).isEqualTo("one");
            assertThat(first.getJMSRedelivered()).isFalse();
            assertThat(first.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
            assertThat(consumer.receiveBody(String.class, DEADLINE_MILLIS)).isEqualTo("two");
            assertThat(consumer.receiveBodyNoWait(String.class)).isNull();
        }
    }

    @Test
    void shouldGiveTheCreditOfAMessageBackOnce() throws Exception {
        // given
        WinnowConnectionFactory factory = broker.factory();
        factory.setPrefetchMessages(8);
        try (JMSContext own = factory.createContext()) {
            JMSConsumer consumer = own.createConsumer(topic);
            byte[] one = TestMessages.text("1");
            byte[] two = TestMessages.text("22");
            broker.deliver(1, one, two);

            // when
            assertThatThrownBy(() -> consumer.receiveBody(Map.class, DEADLINE_MILLIS))
                    .isInstanceOf(MessageFormatRuntimeException.class);
            consumer.receiveBody(String.class, DEADLINE_MILLIS);
            consumer.receiveBody(String.class, DEADLINE_MILLIS);

            // then
            int frameBytes = 2 * (4 + 1 + 1 + 1) + one.length + two.length;
            assertThat(broker.await(FrameType.CONSUMER_CREDIT).varints())
                    .containsExactly(1, 2, frameBytes);
        }
    }

    @Test
    void shouldDeliverAMessageWithAnotherBodyIfTheClientAcknowledges() throws Exception {
        // given
        try (JMSContext own = broker.factory().createContext(JMSContext.CLIENT_ACKNOWLEDGE)) {
            JMSConsumer consumer = own.createConsumer(topic);
            own.createProducer().send(topic, "one").send(topic, "two");

            // when
            assertThatThrownBy(() -> consumer.receiveBody(Map.class, DEADLINE_MILLIS))
                    .isInstanceOf(MessageFormatRuntimeException.class);

            // then
            assertThat(consumer.receiveBody(String.class, DEADLINE_MILLIS)).isEqualTo("two");
            own.recover();
            Message first = consumer.receive(DEADLINE_MILLIS);
            assertThat(first.getBody(String.class)).isEqualTo("one");
            assertThat(first.getJMSRedelivered()).isTrue();
        }
    }

    @Test
    void shouldTellAMissingBodyFromAMissingMessage() {
        // given
        JMSConsumer consumer = context.createConsumer(topic);
        JMSProducer producer = context.createProducer();
        List<Message> bodiless =
                List.of(
                        context.createTextMessage(null),
                        context.createBytesMessage(),
                        context.createMapMessage(),
                        context.createObjectMessage(null),
                        context.createStreamMessage(),
                        context.createMessage());
        for (Message message : bodiless) {
            // when
            producer.send(topic, message);

            // then
            assertThatThrownBy(() -> consumer.receiveBody(Object.class, DEADLINE_MILLIS))
                    .isInstanceOf(MessageFormatRuntimeException.class);
            assertThat(consumer.receive(DEADLINE_MILLIS)).hasSameClassAs(message);
        }
        assertThat(consumer.receiveBodyNoWait(Object.class)).isNull();
        producer.send(topic, "");
        assertThat(consumer.receiveBody(String.class, DEADLINE_MILLIS)).isEmpty();
    }
}

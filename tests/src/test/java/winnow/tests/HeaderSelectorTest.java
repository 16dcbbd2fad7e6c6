package winnow.tests;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.Message;
import jakarta.jms.Topic;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import winnow.client.WinnowConnectionFactory;

/// Header fields have the values in selectors that the receiver reads, also those that are not on
/// the wire because they have their defaults.
class HeaderSelectorTest {

    private static final long TIMEOUT_MILLIS = 20_000;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "JMSTimestamp = 0",
                "JMSTimestamp IS NOT NULL",
                "JMSMessageID IS NULL",
                "JMSPriority = 4",
                "JMSDeliveryMode = 'NON_PERSISTENT'",
                "JMSType IS NULL AND JMSCorrelationID IS NULL",
            })
    void shouldSeeDefaultsOfHeaderFields(String selector) throws Exception {
        try (RunningBroker broker = new RunningBroker(Map.of());
                JMSContext context = new WinnowConnectionFactory(broker.url()).createContext()) {
            // given
            Topic topic = context.createTopic("headers");
            JMSConsumer consumer = context.createConsumer(topic, selector);

            // when
            context.createProducer()
                    .setDisableMessageTimestamp(true)
                    .setDisableMessageID(true)
                    .setDeliveryMode(DeliveryMode.NON_PERSISTENT)
                    .send(topic, "text");

            // then
            Message message = consumer.receive(TIMEOUT_MILLIS);
            assertThat(message).isNotNull();
            assertThat(message.getJMSTimestamp()).isZero();
        }
    }

    /// A property that has the name of a header field is not that field.
    @Test
    void shouldNotTakeAPropertyForAHeaderField() throws Exception {
        try (RunningBroker broker = new RunningBroker(Map.of());
                JMSContext context = new WinnowConnectionFactory(broker.url()).createContext()) {
            // given
            Topic topic = context.createTopic("headers");
            JMSConsumer consumer =
                    context.createConsumer(
                            topic, "JMSDeliveryMode = 'NON_PERSISTENT' AND JMSPriority = 4");

            // when
            context.createProducer()
                    .setDeliveryMode(DeliveryMode.NON_PERSISTENT)
                    .setProperty("JMSDeliveryMode", 2)
                    .setProperty("JMSPriority", 9)
                    .setProperty("true", 1)
                    .send(topic, "text");

            // then
            Message message = consumer.receive(TIMEOUT_MILLIS);
            assertThat(message).isNotNull();
            assertThat(message.getJMSPriority()).isEqualTo(4);
            assertThat(message.getIntProperty("JMSDeliveryMode")).isEqualTo(2);
            assertThat(message.getIntProperty("true")).isEqualTo(1);
        }
    }

    @Test
    void shouldCarryACorrelationIdThatIsNoText() throws Exception {
        try (RunningBroker broker = new RunningBroker(Map.of());
                JMSContext context = new WinnowConnectionFactory(broker.url()).createContext()) {
            // given: conditions that look into the ID in each way
            byte[] id = {'#', '7', (byte) 0xC3, (byte) 0xFF, 0, (byte) 0xED, (byte) 0xA0};
            List<JMSConsumer> wanting = new ArrayList<>();
            List<JMSConsumer> others = new ArrayList<>();
            for (String selector :
                    List.of("JMSCorrelationID LIKE '#7%'", "JMSCorrelationID <> '#7'")) {
                wanting.add(context.createConsumer(context.createTopic("ids"), selector));
            }
            wanting.add(context.createConsumer(context.createTopic("ids?correlationId=#7*")));
            for (String selector :
                    List.of("JMSCorrelationID = '#7'", "JMSCorrelationID LIKE '%x%_y%'")) {
                others.add(context.createConsumer(context.createTopic("ids"), selector));
            }
            others.add(context.createConsumer(context.createTopic("ids?correlationId=[#1;#9]")));

            // when
            context.createProducer()
                    .setJMSCorrelationIDAsBytes(id)
                    .send(context.createTopic("ids"), "text");

            // then
            for (JMSConsumer consumer : wanting) {
                Message message = consumer.receive(TIMEOUT_MILLIS);
                assertThat(message).isNotNull();
                assertThat(message.getJMSCorrelationIDAsBytes()).isEqualTo(id);
            }
            for (JMSConsumer consumer : others) {
                assertThat(consumer.receiveNoWait()).isNull();
            }
        }
    }
}

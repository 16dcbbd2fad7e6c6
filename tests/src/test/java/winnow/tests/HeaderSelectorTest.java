package winnow.tests;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.Message;
import jakarta.jms.Topic;
import java.util.Map;
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
}

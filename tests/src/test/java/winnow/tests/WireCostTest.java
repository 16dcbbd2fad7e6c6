package winnow.tests;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.BytesMessage;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSProducer;
import jakarta.jms.Topic;
import java.util.Map;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import winnow.client.WinnowConnectionFactory;

/// Bytes above TCP for a message with a body of one byte, counted between real clients and a
/// broker.
class WireCostTest {
    private static final int MESSAGES = 20_000;

    @Test
    void shouldNeedAtMost32BytesForAMessageOfOneByteEachWay() throws Exception {
        try (RunningBroker broker = new RunningBroker(Map.of());
                CountingProxy producerSide = new CountingProxy(broker.port());
                CountingProxy consumerSide = new CountingProxy(broker.port());
                JMSContext producing = context(producerSide);
                JMSContext consuming = context(consumerSide)) {
            // given
            Topic topic = producing.createTopic("t");
            JMSConsumer consumer = consuming.createConsumer(topic);
            JMSProducer producer =
                    producing.createProducer().setDeliveryMode(DeliveryMode.NON_PERSISTENT);
            BytesMessage message = producing.createBytesMessage();
            message.writeByte((byte) 1);
            exchange(producer, topic, message, consumer, 1);
            LongSupplier[] counters = {
                producerSide::bytesToBroker,
                consumerSide::bytesToClient,
                producerSide::bytesToClient,
                consumerSide::bytesToBroker
            };
            double[] before = read(counters);

            // when
            exchange(producer, topic, message, consumer, MESSAGES);

            // then
            double[] after = read(counters);
            double[] perMessage = new double[counters.length];
            for (int i = 0; i < counters.length; i++) {
                perMessage[i] = (after[i] - before[i]) / MESSAGES;
            }
            System.out.printf(
                    "bytes for a 1-byte message: to broker %.2f, to consumer %.2f,"
                            + " back to producer %.3f, back from consumer %.3f%n",
                    perMessage[0], perMessage[1], perMessage[2], perMessage[3]);
            assertThat(perMessage[0]).as("to the broker").isBetween(20.0, 32.0);
            assertThat(perMessage[1]).as("to the consumer").isBetween(20.0, 32.0);
            assertThat(perMessage[2] + perMessage[3]).as("back").isLessThan(1);
        }
    }

    private static void exchange(
            JMSProducer producer, Topic topic, BytesMessage message, JMSConsumer consumer, int n) {
        for (int i = 0; i < n; i++) {
            producer.send(topic, message);
        }
        for (int i = 0; i < n; i++) {
            assertThat(consumer.receive(10_000)).as("message " + i).isNotNull();
        }
    }

    private static double[] read(LongSupplier... counters) {
        double[] values = new double[counters.length];
        for (int i = 0; i < counters.length; i++) {
            values[i] = counters[i].getAsLong();
        }
        return values;
    }

    private static JMSContext context(CountingProxy proxy) {
        return new WinnowConnectionFactory(proxy.url()).createContext();
    }
}

package winnow.tests.jms;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.Message;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import winnow.client.WinnowConnectionFactory;
import winnow.tests.RunningBroker;

/// Messages that are copied for sockets piece by piece, between small ones.
class LargeTopicMessageTest {
    private static final int PRODUCERS = 2;
    private static final int CONSUMERS = 5;
    private static final int MESSAGES = 12;
    private static final int WAIT_MILLIS = 60_000;

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void shouldDeliverLargeAndSmallMessagesInOrder(int loops) throws Exception {
        Map<String, String> settings = Map.of("transport.event-loops", String.valueOf(loops));
        try (RunningBroker broker = new RunningBroker(settings);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            // given
            WinnowConnectionFactory factory = new WinnowConnectionFactory(broker.url());
            List<JMSContext> contexts = new ArrayList<>();
            List<JMSConsumer> consumers = new ArrayList<>();
            for (int i = 0; i < CONSUMERS; i++) {
                JMSContext context = factory.createContext();
                contexts.add(context);
                consumers.add(context.createConsumer(context.createTopic("t")));
            }

            // when
            List<Future<?>> done = new ArrayList<>();
            for (int p = 0; p < PRODUCERS; p++) {
                int producer = p;
                done.add(threads.submit(() -> produce(factory, producer)));
            }
            for (JMSConsumer consumer : consumers) {
                done.add(
                        threads.submit(() -> {
                            consume(consumer);
                            return null;
                        }));
            }

            // then
            for (Future<?> each : done) {
                each.get();
            }
            contexts.forEach(JMSContext::close);
        }
    }

    private static int bytes(int number) {
        return switch (number % 4) {
            case 0 -> 7_000_000 + number;
            case 1 -> 10;
            case 2 -> 600_000 + number;
            default -> 100_000;
        };
    }

    private static void produce(WinnowConnectionFactory factory, int producer) {
        try (JMSContext context = factory.createContext()) {
            for (int number = 0; number < MESSAGES; number++) {
                byte[] body = new byte[bytes(number)];
                Arrays.fill(body, (byte) (producer * MESSAGES + number));
                context.createProducer()
                        .setProperty("producer", producer)
                        .setProperty("number", number)
                        .send(context.createTopic("t"), body);
            }
        }
    }

    private static void consume(JMSConsumer consumer) throws Exception {
        Map<Integer, Integer> next = new HashMap<>();
        for (int i = 0; i < PRODUCERS * MESSAGES; i++) {
            Message message = consumer.receive(WAIT_MILLIS);
            assertThat(message).isInstanceOf(BytesMessage.class);
            int producer = message.getIntProperty("producer");
            int number = message.getIntProperty("number");
            assertThat(number).isEqualTo(next.getOrDefault(producer, 0));
            next.put(producer, number + 1);
            byte[] expected = new byte[bytes(number)];
            Arrays.fill(expected, (byte) (producer * MESSAGES + number));
            assertThat(message.getBody(byte[].class)).isEqualTo(expected);
        }
    }
}

package winnow.tests;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.Message;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import winnow.client.WinnowConnectionFactory;

/// Many real clients against a real broker with small buffers: nothing is lost, doubled or
/// reordered, whatever the number of event loops, slow consumers included.
class DeliveryTest {
    private static final int PRODUCERS = 4;
    private static final int CONSUMERS = 6;
    private static final int GROUPS = 3;
    private static final int PER_PRODUCER = 3_000;

    @ParameterizedTest(name = "{0} event loops, {1}")
    @CsvSource({"1,NON_PERSISTENT", "3,NON_PERSISTENT", "3,PERSISTENT"})
    void shouldDeliverEachMessageOnceAndInOrder(int loops, String mode) throws Exception {
        long seed = Long.getLong("winnow.seed", System.nanoTime());
        Map<String, String> settings =
                Map.of(
                        "transport.event-loops",
                        String.valueOf(loops),
                        "subscription.buffer",
                        "8KiB",
                        "session.producer-window",
                        "8KiB");
        try (RunningBroker broker = new RunningBroker(settings);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            // given consumers of every kind of filter, some of them slow
            List<Consumer> consumers = new ArrayList<>();
            for (int i = 0; i < CONSUMERS; i++) {
                consumers.add(new Consumer(broker.url(), i, new Random(seed + i)));
            }

            // when
            List<Future<?>> producers = new ArrayList<>();
            int perProducer = mode.equals("PERSISTENT") ? PER_PRODUCER / 10 : PER_PRODUCER;
            for (int p = 0; p < PRODUCERS; p++) {
                int number = p;
                producers.add(
                        threads.submit(() -> produce(broker.url(), number, perProducer, mode)));
            }
            for (Future<?> producer : producers) {
                producer.get(60, TimeUnit.SECONDS);
            }

            // then
            for (Consumer consumer : consumers) {
                consumer.check(perProducer, "-Dwinnow.seed=" + seed);
                consumer.close();
            }
        }
    }

    private static void produce(String url, int number, int count, String mode) {
        try (JMSContext context = new WinnowConnectionFactory(url).createContext()) {
            JMSProducer producer =
                    context.createProducer()
                            .setDeliveryMode(
                                    mode.equals("PERSISTENT")
                                            ? DeliveryMode.PERSISTENT
                                            : DeliveryMode.NON_PERSISTENT);
            for (int i = 0; i < count; i++) {
                producer.setJMSCorrelationID("#" + i % GROUPS)
                        .setProperty("producer", number)
                        .setProperty("sequence", i)
                        .setProperty("group", i % GROUPS)
                        .send(context.createTopic("t"), "x".repeat(i % 200));
            }
        }
    }

    /// Consumer `number` takes all messages, those of one group by correlation ID, or those of one
    /// group by property.
    private static final class Consumer {
        private final JMSContext context;
        private final int number;
        private final Random random;
        private final Map<Integer, Integer> lastSequence = new HashMap<>();
        private final AtomicInteger received = new AtomicInteger();
        private final CountDownLatch broken = new CountDownLatch(1);
        private volatile String failure = "";

        Consumer(String url, int number, Random random) throws IOException {
            this.number = number;
            this.random = random;
            context = new WinnowConnectionFactory(url).createContext();
            String topic = number % 3 == 1 ? "t?correlationId=#" + number % GROUPS : "t";
            String selector = number % 3 == 2 ? "group = " + number % GROUPS : null;
            context.createConsumer(context.createTopic(topic), selector)
                    .setMessageListener(this::onMessage);
        }

        private void onMessage(Message message) {
            try {
                int producer = message.getIntProperty("producer");
                int sequence = message.getIntProperty("sequence");
                int step = number % 3 == 0 ? 1 : GROUPS;
                int first = number % 3 == 0 ? 0 : number % GROUPS;
                Integer last = lastSequence.put(producer, sequence);
                int expected = last == null ? first : last + step;
                if (sequence != expected
                        || message.getBody(String.class).length() != sequence % 200) {
                    fail(
                            "expected "
                                    + expected
                                    + " of producer "
                                    + producer
                                    + ", found "
                                    + sequence);
                }
                if (number >= 3 && random.nextInt(200) == 0) {
                    Thread.sleep(1);
                }
                received.incrementAndGet();
            } catch (JMSException | InterruptedException e) {
                fail(e.toString());
            }
        }

        private void fail(String reason) {
            failure = reason;
            broken.countDown();
        }

        void check(int perProducer, String seed) throws InterruptedException {
            int expected = PRODUCERS * (number % 3 == 0 ? perProducer : perProducer / GROUPS);
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            while (received.get() < expected && System.nanoTime() < deadline) {
                if (broken.await(5, TimeUnit.MILLISECONDS)) {
                    break;
                }
            }
            assertThat(failure).as("consumer " + number + ", " + seed).isEmpty();
            assertThat(received).as("consumer " + number + ", " + seed).hasValue(expected);
        }

        void close() {
            context.close();
        }
    }
}

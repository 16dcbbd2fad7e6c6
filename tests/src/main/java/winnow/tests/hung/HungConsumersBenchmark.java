package winnow.tests.hung;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import winnow.client.WinnowConnectionFactory;

/// Throughput and latency of 20 healthy consumers of a topic beside none, one and ten that hang, in
/// turns against one broker, so that what disturbs the machine disturbs all. Each round of a point
/// has connections of its own. Prints a table of medians.
public final class HungConsumersBenchmark {
    private static final int HEALTHY = 20;
    private static final int[] HUNG = {0, 1, 10};
    private static final int BODY_BYTES = 1024;
    private static final int PACED_PER_SECOND = 1000;
    private static final String TOPIC = "hung";

    private final String url;
    private final int seconds;

    /// @param rate messages per second that each healthy consumer gets when the producer does not
    ///   pause
    /// @param medianMicros from the time when a message was due until a listener has it, at a
    ///   bounded rate
    private record Result(double rate, double medianMicros, double p99Micros) {}

    private HungConsumersBenchmark(String url, int seconds) {
        this.url = url;
        this.seconds = seconds;
    }

    /// `URL SECONDS ROUNDS`
    public static void main(String[] args) throws Exception {
        HungConsumersBenchmark benchmark =
                new HungConsumersBenchmark(args[0], Integer.parseInt(args[1]));
        benchmark.run(0);
        Map<Integer, List<Result>> results = new TreeMap<>();
        for (int round = 0; round < Integer.parseInt(args[2]); round++) {
            for (int i = 0; i < HUNG.length; i++) {
                int hung = HUNG[(i + round) % HUNG.length];
                results.computeIfAbsent(hung, _ -> new ArrayList<>()).add(benchmark.run(hung));
            }
        }
        print(results);
        System.exit(0);
    }

    private static void print(Map<Integer, List<Result>> results) {
        System.out.println(
                "| hung | msg/s to each of " + HEALTHY + " | ratio | p50 µs | p99 µs | ratio |");
        System.out.println("|---|---|---|---|---|---|");
        Result alone = median(results.getOrDefault(0, List.of()));
        results.forEach((hung, all) -> {
            Result result = median(all);
            System.out.printf(
                    Locale.ROOT,
                    "| %d | %,.0f | %.2f | %,.0f | %,.0f | %.2f |%n",
                    hung,
                    result.rate,
                    result.rate / alone.rate,
                    result.medianMicros,
                    result.p99Micros,
                    result.p99Micros / alone.p99Micros);
        });
    }

    private static Result median(List<Result> all) {
        return new Result(
                median(all.stream().mapToDouble(Result::rate).toArray()),
                median(all.stream().mapToDouble(Result::medianMicros).toArray()),
                median(all.stream().mapToDouble(Result::p99Micros).toArray()));
    }

    private static double median(double[] values) {
        Arrays.sort(values);
        return values[values.length / 2];
    }

    private Result run(int hungCount) throws JMSException {
        CountDownLatch released = new CountDownLatch(1);
        List<Connection> open = new ArrayList<>();
        LongAdder received = new LongAdder();
        Latencies latencies = new Latencies(HEALTHY * PACED_PER_SECOND * (seconds + 1));
        try {
            for (int i = 0; i < hungCount; i++) {
                open.add(connect(_ -> awaitQuietly(released)));
            }
            for (int i = 0; i < HEALTHY; i++) {
                open.add(
                        connect(message -> {
                            received.increment();
                            long due = message.getLongProperty("due");
                            if (due > 0) {
                                latencies.add(System.nanoTime() - due);
                            }
                        }));
            }
            Connection sending = new WinnowConnectionFactory(url).createConnection();
            open.add(sending);
            double rate = publishUnpaced(sending, received);
            long before = received.sum();
            publishPaced(sending);
            await(received, before, (long) HEALTHY * PACED_PER_SECOND * seconds);
            return new Result(rate, latencies.micros(0.5), latencies.micros(0.99));
        } finally {
            released.countDown();
            for (Connection one : open) {
                one.close();
            }
        }
    }

    private interface Listener {
        void onMessage(Message message) throws JMSException;
    }

    private Connection connect(Listener listener) throws JMSException {
        Connection connection = new WinnowConnectionFactory(url).createConnection();
        Session session = connection.createSession();
        session.createConsumer(session.createTopic(TOPIC))
                .setMessageListener(message -> {
                    try {
                        listener.onMessage(message);
                    } catch (JMSException e) {
                        throw new IllegalStateException(e);
                    }
                });
        connection.start();
        return connection;
    }

    private static void awaitQuietly(CountDownLatch released) {
        try {
            released.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static MessageProducer producer(Session session) throws JMSException {
        MessageProducer producer = session.createProducer(session.createTopic(TOPIC));
        producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
        producer.setDisableMessageID(true);
        producer.setDisableMessageTimestamp(true);
        return producer;
    }

    private static BytesMessage message(Session session, long due) throws JMSException {
        BytesMessage message = session.createBytesMessage();
        message.writeBytes(new byte[BODY_BYTES]);
        message.setLongProperty("due", due);
        return message;
    }

    /// @return messages per second that each healthy consumer has got
    private double publishUnpaced(Connection connection, LongAdder received) throws JMSException {
        try (Session session = connection.createSession()) {
            MessageProducer producer = producer(session);
            long start = System.nanoTime();
            long end = start + TimeUnit.SECONDS.toNanos(seconds);
            long sent = 0;
            while (System.nanoTime() < end) {
                producer.send(message(session, 0));
                sent++;
            }
            await(received, 0, HEALTHY * sent);
            double nanos = System.nanoTime() - start;
            return sent * 1e9 / nanos;
        }
    }

    private static void await(LongAdder received, long from, long count) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (received.sum() < from + count) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException(
                        "expected %d messages within 30 s, found %d"
                                .formatted(count, received.sum() - from));
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    private void publishPaced(Connection connection) throws JMSException {
        try (Session session = connection.createSession()) {
            MessageProducer producer = producer(session);
            long start = System.nanoTime();
            for (int i = 0; i < seconds * PACED_PER_SECOND; i++) {
                long due = start + i * TimeUnit.SECONDS.toNanos(1) / PACED_PER_SECOND;
                while (System.nanoTime() < due) {
                    LockSupport.parkNanos(due - System.nanoTime());
                }
                producer.send(message(session, due));
            }
        }
    }

    /// Thread-safe.
    private static final class Latencies {
        private final long[] nanos;
        private final AtomicInteger count = new AtomicInteger();

        Latencies(int most) {
            nanos = new long[most];
        }

        void add(long latencyNanos) {
            int index = count.getAndIncrement();
            if (index < nanos.length) {
                nanos[index] = latencyNanos;
            }
        }

        double micros(double part) {
            long[] sorted = Arrays.copyOf(nanos, Math.min(count.get(), nanos.length));
            Arrays.sort(sorted);
            return sorted[(int) (part * (sorted.length - 1))] / 1e3;
        }
    }
}

package winnow.tests.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Message;
import jakarta.jms.Topic;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import winnow.client.WinnowConnectionFactory;

/// A publisher that waits for each confirmation and a consumer with a selector, over connections of
/// their own: each message must arrive once, in order and soon.
final class Witness implements AutoCloseable {
    private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long ARRIVAL_SECONDS = 30;

    private final JMSContext publishing;
    private final JMSContext consuming;
    private final Thread publisher;
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong received = new AtomicLong();
    private final AtomicLong longestNanos = new AtomicLong();
    private final AtomicReference<@Nullable String> fault = new AtomicReference<>();
    private volatile boolean running = true;

    Witness(String url) {
        publishing = new WinnowConnectionFactory(url).createContext();
        consuming = new WinnowConnectionFactory(url).createContext();
        Topic topic = consuming.createTopic("witness");
        JMSConsumer consumer = consuming.createConsumer(topic, "region = 'EU'");
        consumer.setMessageListener(this::onMessage);
        publisher = Thread.ofPlatform().name("witness").start(this::publish);
    }

    private void publish() {
        JMSProducer producer = publishing.createProducer().setDeliveryMode(DeliveryMode.PERSISTENT);
        Topic topic = publishing.createTopic("witness");
        try {
            while (running) {
                LockSupport.parkNanos(INTERVAL_NANOS);
                long number = sent.get() + 1;
                producer.setProperty("region", "EU").setProperty("number", number);
                producer.setProperty("begun", System.nanoTime()).send(topic, "");
                sent.incrementAndGet();
                producer.setProperty("region", "US").send(topic, "");
            }
        } catch (JMSRuntimeException e) {
            fault.compareAndSet(null, "the publisher failed: " + e);
        }
    }

    private void onMessage(Message message) {
        try {
            long number = message.getLongProperty("number");
            long expected = received.incrementAndGet();
            if (number != expected || !message.getStringProperty("region").equals("EU")) {
                fault.compareAndSet(null, "expected message " + expected + ", found " + number);
            }
            long nanos = System.nanoTime() - message.getLongProperty("begun");
            longestNanos.accumulateAndGet(nanos, Math::max);
        } catch (JMSException e) {
            fault.compareAndSet(null, "the consumer failed: " + e);
        }
    }

    /// Longest time from the call of `send` until the message was received, since the last call.
    long takeLongestMillis() {
        return TimeUnit.NANOSECONDS.toMillis(longestNanos.getAndSet(0));
    }

    /// Waits until what was sent so far has been received, and fails if anything was lost, doubled,
    /// reordered or refused.
    void check() throws InterruptedException {
        long target = sent.get() + 1;
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(ARRIVAL_SECONDS);
        while (received.get() < target && fault.get() == null && System.nanoTime() < end) {
            Thread.sleep(1);
        }
        assertThat(fault.get()).as("fault of the witness").isNull();
        assertThat(received.get())
                .as("messages that the witness received")
                .isGreaterThanOrEqualTo(target);
    }

    /// Ends at once, when the broker may be gone.
    void abandon() {
        running = false;
        publisher.interrupt();
    }

    @Override
    public void close() {
        running = false;
        try {
            publisher.join(TimeUnit.SECONDS.toMillis(ARRIVAL_SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        publishing.close();
        consuming.close();
    }
}

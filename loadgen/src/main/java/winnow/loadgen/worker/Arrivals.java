package winnow.loadgen.worker;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;

/// Records how long after their due times the messages of a [PacedPublisher] arrive, without those
/// of the warm-up.
///
/// Written by the one thread on which the provider calls it. The latencies may be read once all
/// messages have arrived.
final class Arrivals implements MessageListener {

    /// Digits that are exact, of any latency.
    private static final int DIGITS = 3;

    private final Pace pace;
    private final ErrorLog errors;
    private final Histogram latencyNanos = new Histogram(DIGITS);
    private final AtomicLong arrived = new AtomicLong();
    private final CountDownLatch complete = new CountDownLatch(1);
    private long lastDue = Long.MIN_VALUE;

    Arrivals(Pace pace, ErrorLog errors) {
        this.pace = pace;
        this.errors = errors;
    }

    @Override
    public void onMessage(Message message) {
        var now = System.nanoTime();
        try {
            record(((BytesMessage) message).readLong(), now);
        } catch (JMSException | RuntimeException problem) {
            errors.add("subscriber 0", problem);
        }
    }

    /// Waits until all messages of the pace have arrived.
    ///
    /// @return whether they have
    boolean await(long millis) throws InterruptedException {
        return complete.await(millis, TimeUnit.MILLISECONDS);
    }

    /// Messages that have arrived so far, warm-up included.
    long count() {
        return arrived.get();
    }

    /// The latencies that were measured.
    Reply.Latencies latencies() {
        return new Reply.Latencies(
                latencyNanos.getTotalCount(),
                latencyNanos.getValueAtPercentile(50),
                latencyNanos.getValueAtPercentile(99),
                latencyNanos.getValueAtPercentile(99.9),
                latencyNanos.getMaxValue());
    }

    /// Messages of one publisher arrive in the order of their due times, so the first ones are
    /// those of the warm-up.
    private void record(long due, long now) {
        if (lastDue != Long.MIN_VALUE && due - lastDue <= 0) {
            throw new IllegalStateException("a message arrived twice or in the wrong order");
        }
        lastDue = due;
        if (arrived.get() >= pace.warmupMessages()) {
            latencyNanos.recordValue(now - due);
        }
        if (arrived.incrementAndGet() == pace.messages()) {
            complete.countDown();
        }
    }
}

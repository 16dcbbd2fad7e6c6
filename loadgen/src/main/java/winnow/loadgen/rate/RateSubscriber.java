package winnow.loadgen.rate;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import jakarta.jms.Session;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;
import winnow.loadgen.worker.Provider;

/// Records how long after their due times messages of [RatePublisher]s arrive. Opened and closed by
/// the run's thread, called by the provider's; the counts may be read by any.
final class RateSubscriber implements MessageListener, AutoCloseable {

    private static final int DIGITS = 3;

    private final RateLoad load;
    private final int number;
    private final RateProblems problems;
    private final Connection connection;
    private final Session session;
    private final Recorder latencyNanos = new Recorder(DIGITS);
    private final AtomicLong received = new AtomicLong();
    private final AtomicLong distinct = new AtomicLong();
    private final AtomicLong receivedInWindow = new AtomicLong();
    private final AtomicLong outOfSequence = new AtomicLong();

    /// Next number of each publisher.
    private final long[] next;

    /// Numbers of each publisher that have come, to whoever shares this destination.
    private final List<DistinctNumbers> arrived;

    /// Used again.
    private @Nullable Histogram interval;

    private volatile RateWindow window = new RateWindow(0, 0);
    private int unsettled;

    /// @param arrived numbers of each publisher that have come, one list for all who share messages
    RateSubscriber(
            RateLoad load,
            Provider provider,
            int number,
            List<DistinctNumbers> arrived,
            RateProblems problems)
            throws JMSException {
        this.arrived = arrived;
        this.load = load;
        this.number = number;
        this.problems = problems;
        next = new long[load.publishers()];
        connection = provider.connectMeasured();
        connection.setExceptionListener(problem -> problems.fail(name(), problem));
        session =
                load.batch() > 0
                        ? connection.createSession(true, Session.SESSION_TRANSACTED)
                        : connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
        load.target().consumer(session).setMessageListener(this);
    }

    private String name() {
        return "subscriber " + number;
    }

    /// Lets messages come.
    ///
    /// @param window of those that count
    void start(RateWindow window) throws JMSException {
        this.window = window;
        connection.start();
    }

    @Override
    public void onMessage(Message message) {
        var now = System.nanoTime();
        try {
            var body = (BytesMessage) message;
            var isNew = record(body.readLong(), body.readInt(), body.readLong(), now);
            handle();
            received.incrementAndGet();
            if (isNew) {
                distinct.incrementAndGet();
            }
        } catch (JMSException | RuntimeException problem) {
            problems.fail(name(), problem);
        }
    }

    /// @return false if it has come before
    private boolean record(long due, int publisher, long position, long now) {
        var isNew = arrived.get(publisher).add(position);
        if (position < next[publisher] || !isNew) {
            outOfSequence.incrementAndGet();
        }
        next[publisher] = Math.max(next[publisher], position + 1);
        if (window.contains(due)) {
            latencyNanos.recordValue(Math.max(0, now - due));
        }
        if (window.contains(now)) {
            receivedInWindow.incrementAndGet();
        }
        return isNew;
    }

    private void handle() throws JMSException {
        if (!load.handling().isZero()) {
            LockSupport.parkNanos(load.handling().toNanos());
        }
        unsettled++;
        if (load.batch() > 0 && unsettled >= load.batch()) {
            session.commit();
            unsettled = 0;
        }
    }

    /// Settles what has come: nobody else is to get it.
    @Override
    public void close() throws JMSException {
        try {
            connection.stop();
            if (load.batch() > 0) {
                session.commit();
            }
        } finally {
            connection.close();
        }
    }

    /// The latencies since the last call; valid until the next one. One thread at a time.
    Histogram latencies() {
        interval = latencyNanos.getIntervalHistogram(interval);
        return interval;
    }

    /// Messages that have come and were handled.
    long received() {
        return received.get();
    }

    /// Messages that have come and were handled, those that came again to whomever not counted.
    long distinct() {
        return distinct.get();
    }

    /// Messages that came in the window.
    long receivedInWindow() {
        return receivedInWindow.get();
    }

    /// Messages that came after a later one of the same publisher, or again.
    long outOfSequence() {
        return outOfSequence.get();
    }
}

package winnow.tests.queues;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/// Bounds the messages that have been sent and not received, so that a point measures a steady flow
/// and not the growth of a backlog. Senders take places in lots. Thread-safe.
final class QueueWindow {
    /// Messages that a sender takes places for at a time.
    static final int LOT = 50;

    private static final int MESSAGES = 10_000;

    private final Semaphore lots = new Semaphore(MESSAGES / LOT);
    private final AtomicLong received = new AtomicLong();

    /// Waits for the places of a lot.
    ///
    /// @return false if there were none for a while, which is the time to look whether to go on
    boolean take() throws InterruptedException {
        return lots.tryAcquire(100, TimeUnit.MILLISECONDS);
    }

    /// Counts a message that a consumer got; the last of a lot gives its places back.
    void landed() {
        if (received.incrementAndGet() % LOT == 0) {
            lots.release();
        }
    }

    /// Messages that consumers got.
    long received() {
        return received.get();
    }
}

package winnow.tests.queues;

import jakarta.jms.JMSException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/// Sends a number of messages that nobody receives yet.
///
/// @param messages sent
/// @param seconds that this took
record Filling(long messages, double seconds) {

    /// @param limit after which it stops with fewer messages
    static Filling of(Client client, SendPlan plan, Duration limit)
            throws JMSException, InterruptedException {
        long start = System.nanoTime();
        Senders senders = new Senders(client, plan, null);
        while (!senders.areDone() && System.nanoTime() - start < limit.toNanos()) {
            TimeUnit.MILLISECONDS.sleep(5);
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        senders.stop();
        return new Filling(senders.sent(), seconds);
    }

    double perSecond() {
        return messages / seconds;
    }
}

package winnow.loadgen.mix;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import winnow.loadgen.worker.Provider;

/// The consumers of one destination, all on one session.
final class MixConsumers {
    private static final int SLOW_SECONDS = 5;
    private static final int SLOW_PERIOD_SECONDS = 15;

    private MixConsumers() {}

    static void subscribe(Connection connection, MixDestination from, LongAdder received)
            throws JMSException {
        var session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
        var destination = from.of(session);
        var nanos = TimeUnit.MILLISECONDS.toNanos(from.consumeMillis());
        for (var selector : from.selectors()) {
            Provider.consumer(session, destination, selector)
                    .setMessageListener(_ -> {
                        received.increment();
                        if (nanos > 0 && isSlowNow(System.nanoTime())) {
                            LockSupport.parkNanos(nanos);
                        }
                    });
        }
        connection.start();
    }

    /// A slow consumer is slow for a third of the time, so that it falls behind and catches up.
    private static boolean isSlowNow(long nanoTime) {
        return Math.floorMod(TimeUnit.NANOSECONDS.toSeconds(nanoTime), SLOW_PERIOD_SECONDS)
                < SLOW_SECONDS;
    }
}

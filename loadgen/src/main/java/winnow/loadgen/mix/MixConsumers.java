package winnow.loadgen.mix;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import winnow.loadgen.worker.Provider;

/// The subscriptions of one topic, all on one session.
final class MixConsumers {
    private MixConsumers() {}

    static void subscribe(Connection connection, MixTopic topic, LongAdder received)
            throws JMSException {
        var session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
        var destination = session.createTopic(topic.name());
        var nanos = TimeUnit.MILLISECONDS.toNanos(topic.consumeMillis());
        for (var selector : topic.selectors()) {
            Provider.consumer(session, destination, selector)
                    .setMessageListener(_ -> {
                        received.increment();
                        if (nanos > 0) {
                            LockSupport.parkNanos(nanos);
                        }
                    });
        }
        connection.start();
    }
}

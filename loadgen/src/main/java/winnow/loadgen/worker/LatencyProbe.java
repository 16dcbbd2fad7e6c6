package winnow.loadgen.worker;

import jakarta.jms.JMSException;
import java.util.List;

/// Measures how long messages take under a light load: one publisher sends at a given pace, all
/// subscribers of a point are connected, and the first of them notes when each message arrives.
/// Publisher and subscribers share this process's clock. Owned by the worker's main thread.
///
/// ```
/// PacedPublisher --- due time in the body ---> broker ---> subscriber 0: Arrivals
///                                                     ---> the other matching ones
///                                                          those that do not match
/// ```
final class LatencyProbe {

    private final Command.MeasureLatency order;
    private final ErrorLog errors = new ErrorLog();
    private final Arrivals arrivals;

    LatencyProbe(Command.MeasureLatency order) {
        this.order = order;
        arrivals = new Arrivals(order.pace(), errors);
    }

    /// Connects everybody, sends, waits for the last message and disconnects everybody.
    ///
    /// @throws IllegalStateException if messages are missing or the provider reported an error
    Reply.Latencies measure() throws JMSException, InterruptedException {
        var complete = false;
        try {
            complete = sendAndReceive();
        } catch (JMSException failed) {
            if (errors.isEmpty()) {
                throw failed;
            }
            throw new IllegalStateException(describe(errors.snapshot()), failed);
        }
        if (!errors.isEmpty()) {
            throw new IllegalStateException(describe(errors.snapshot()));
        }
        if (!complete) {
            throw new IllegalStateException(
                    ("expected %,d messages to arrive, found %,d when %,d ms had passed since the"
                                    + " last was sent")
                            .formatted(
                                    order.pace().messages(),
                                    arrivals.count(),
                                    order.patienceMillis()));
        }
        return arrivals.latencies();
    }

    /// Subscribers first, so that no message can miss one.
    ///
    /// @return whether all messages arrived
    private boolean sendAndReceive() throws JMSException, InterruptedException {
        try (var sessions = new SubscriberSessions(order.provider(), order.point(), errors)) {
            subscribe(sessions);
            sessions.start();
            try (var publisher = new PacedPublisher(order, errors)) {
                publisher.send();
                return errors.isEmpty() && arrivals.await(order.patienceMillis());
            }
        }
    }

    private void subscribe(SubscriberSessions sessions) throws JMSException {
        var point = order.point();
        for (var number = 0; number < point.subscribers(); number++) {
            order.provider()
                    .consumer(
                            sessions.of(number),
                            order.topic(),
                            point,
                            point.firstSubscribedId(number))
                    .setMessageListener(number == 0 ? arrivals : _ -> {});
        }
    }

    private static String describe(List<String> problems) {
        return String.join("; ", problems);
    }
}

package winnow.loadgen.worker;

import jakarta.jms.JMSException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Everybody in this worker who takes part in one point. Owned by the worker's main thread.
final class PointLoad {

    /// A send that waits longer than this for the broker is reported instead of waited for.
    private static final long STOP_MILLIS = 30_000;

    private final List<LoadPublisher> publishers = new ArrayList<>();
    private final List<Subscriber> subscribers = new ArrayList<>();
    private final ErrorLog errors = new ErrorLog();
    private final SubscriberSessions sessions;

    private PointLoad(Command.Open order) {
        sessions = new SubscriberSessions(order.provider(), order.point(), errors);
    }

    /// Subscribers first, so that no message can miss one.
    static PointLoad open(Command.Open order) throws JMSException, IOException {
        var point = order.point();
        var counters =
                SharedCounters.map(
                        Path.of(order.counters()), point.publishers(), point.subscribers());
        var load = new PointLoad(order);
        try {
            for (var number : order.subscribers().numbers(point.subscribers()).toArray()) {
                load.subscribers.add(
                        new Subscriber(
                                order, number, load.sessions.of(number), counters, load.errors));
            }
            load.sessions.start();
            for (var number : order.publishers().numbers(point.publishers()).toArray()) {
                var window = window(order, counters, number);
                load.publishers.add(
                        new LoadPublisher(order, number, counters, window, load.errors));
            }
            return load;
        } catch (JMSException | RuntimeException failed) {
            load.close();
            throw failed;
        }
    }

    void start() {
        publishers.forEach(LoadPublisher::start);
    }

    /// @return what was sent, indexed by target; empty without publishers
    List<Tally> stop() throws InterruptedException {
        publishers.forEach(LoadPublisher::stop);
        var sent = new ArrayList<Tally>();
        for (var publisher : publishers) {
            if (!publisher.join(STOP_MILLIS)) {
                throw new IllegalStateException(
                        "a send has not returned for " + STOP_MILLIS / 1000 + " s");
            }
            var tallies = publisher.sentByTarget();
            for (var target = 0; target < tallies.size(); target++) {
                if (target == sent.size()) {
                    sent.add(Tally.NONE);
                }
                sent.set(target, sent.get(target).plus(tallies.get(target)));
            }
        }
        return sent;
    }

    /// Errors so far.
    List<String> errors() {
        return errors.snapshot();
    }

    /// Publishers first: closing waits for the broker to have taken what they sent.
    Reply.Closed close() {
        publishers.forEach(publisher -> close("publisher", publisher));
        close("subscriber", sessions);
        return new Reply.Closed(subscribers.stream().map(Subscriber::receipt).toList(), errors());
    }

    private void close(String who, AutoCloseable participant) {
        try {
            participant.close();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (Exception problem) {
            errors.add("closing a " + who, problem);
        }
    }

    private static FlightWindow window(Command.Open order, SharedCounters counters, int number) {
        if (!order.isBounded()) {
            return FlightWindow.unbounded();
        }
        var point = order.point();
        return switch (order.reserving()) {
            case PUBLISHER ->
                    FlightWindow.bounded(
                            counters,
                            number,
                            point.publishers(),
                            point.matching(),
                            point.receivers(),
                            order.maxInFlight());
            case COORDINATOR -> FlightWindow.granted(counters, number);
        };
    }
}

package winnow.loadgen.mix;

import jakarta.jms.Connection;
import jakarta.jms.InvalidSelectorException;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import winnow.loadgen.worker.Provider;

/// Runs the mixed workload until it is stopped or something fails. Thread-safe.
public final class MixRun implements AutoCloseable {
    /// Between two clients that come, subscribe and go.
    private static final Duration VISIT_INTERVAL = Duration.ofSeconds(2);

    /// One visitor of so many has a selector that is refused.
    private static final int VISITS_PER_MISTAKE = 5;

    private final Provider provider;
    private final List<Connection> connections = new ArrayList<>();
    private final CountDownLatch stop = new CountDownLatch(1);
    private final LongAdder published = new LongAdder();
    private final LongAdder received = new LongAdder();
    private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();

    /// Subscribes, then begins to publish.
    ///
    /// @param messagesPerSecond of all producers together
    /// @throws JMSException if the broker is not there or refuses
    public MixRun(Provider provider, double messagesPerSecond) throws JMSException {
        this.provider = provider;
        try {
            for (var one : MixDestination.all()) {
                MixConsumers.subscribe(connect(), one, received);
            }
            for (var one : MixDestination.all()) {
                var producer =
                        new MixProducer(connect(), one, messagesPerSecond * one.share(), published);
                start(one.name(), () -> producer.run(this::stopped));
            }
            start("visitors", this::receiveVisitors);
        } catch (JMSException failed) {
            close();
            throw failed;
        }
    }

    @FunctionalInterface
    private interface Work {
        void run() throws JMSException, InterruptedException;
    }

    private Connection connect() throws JMSException {
        var connection = provider.connectMeasured();
        connection.setExceptionListener(this::onFailure);
        connections.add(connection);
        return connection;
    }

    private void start(String name, Work work) {
        Thread.ofVirtual()
                .name(name)
                .start(() -> {
                    try {
                        work.run();
                    } catch (JMSException | InterruptedException | RuntimeException failed) {
                        onFailure(failed);
                    }
                });
    }

    /// Ends the run, unless it is ending already: later failures are of no interest.
    private void onFailure(Exception failed) {
        if (!stopped()) {
            failure.compareAndSet(null, failed);
            stop();
        }
    }

    private boolean stopped() {
        return stop.getCount() == 0;
    }

    /// Clients that come, subscribe and go, some with a mistake in their selectors.
    private void receiveVisitors() throws JMSException, InterruptedException {
        for (var visit = 1;
                !stop.await(VISIT_INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
                visit++) {
            var mistaken = visit % VISITS_PER_MISTAKE == 0;
            try (var connection = provider.connect();
                    var session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE)) {
                var selector = mistaken ? "customer = = 1" : "customer = " + -visit;
                session.createConsumer(session.createTopic("mix.orders"), selector).close();
            } catch (InvalidSelectorException expected) {
                if (!mistaken) {
                    throw expected;
                }
            }
        }
    }

    /// Waits until the run is stopped or something fails.
    ///
    /// @return false if the time is over before
    public boolean await(Duration time) throws InterruptedException {
        return stop.await(time.toNanos(), TimeUnit.NANOSECONDS);
    }

    /// Ends the run soon.
    public void stop() {
        stop.countDown();
    }

    /// Messages published so far.
    public long published() {
        return published.sum();
    }

    /// Messages received so far, by all consumers.
    public long received() {
        return received.sum();
    }

    /// Failure that ended the run, if one did.
    public Optional<Exception> failure() {
        return Optional.ofNullable(failure.get());
    }

    /// Stops, then closes the connections: a producer that waits for the slow consumer ends with
    /// its connection.
    @Override
    public void close() throws JMSException {
        stop();
        for (var connection : connections) {
            connection.close();
        }
    }
}

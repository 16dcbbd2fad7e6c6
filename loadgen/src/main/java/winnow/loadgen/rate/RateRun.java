package winnow.loadgen.rate;

import jakarta.jms.JMSException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import winnow.loadgen.run.LoadException;
import winnow.loadgen.worker.Provider;

/// One load at one rate, in this process, whose clock times all messages. Owned by the thread of
/// the command.
public final class RateRun {

    /// Messages under way to all subscribers where the capacity is measured: none of the brokers
    /// that were tried ran dry with it.
    private static final int MAX_UNDER_WAY = 10_000;

    /// Wait for messages while none comes.
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /// Time to remove what is on the broker when the command is stopped.
    private static final Duration AT_INTERRUPT = Duration.ofSeconds(5);

    private static final Duration SAMPLE = Duration.ofSeconds(1);
    private static final long POLL_MILLIS = 20;
    private static final int DIGITS = 3;

    private final RateLoad load;
    private final RateListener listener;
    private final Duration patience;
    private final RateProblems problems = new RateProblems();
    private final LongAdder sent = new LongAdder();
    private final List<RateSubscriber> subscribers = new CopyOnWriteArrayList<>();
    private final List<RatePublisher> publishers = new CopyOnWriteArrayList<>();
    private final List<SideLoad> sides = new CopyOnWriteArrayList<>();
    private final List<SideFigures> sideFigures = new ArrayList<>();
    private final Histogram latencyNanos = new Histogram(DIGITS);
    private volatile boolean stopped;

    private RateRun(RateLoad load, RateListener listener, Duration patience) {
        this.load = load;
        this.listener = listener;
        this.patience = patience;
    }

    /// Sends at a rate.
    ///
    /// @param messagesPerSecond of all publishers together, above 0
    /// @throws LoadException if a client could not connect, or failed on the way
    public static RateResult at(
            double messagesPerSecond, RateLoad load, Provider provider, RateListener listener)
            throws LoadException, InterruptedException {
        return at(messagesPerSecond, load, provider, listener, PATIENCE);
    }

    /// The same.
    ///
    /// @param patience wait for messages while none comes
    static RateResult at(
            double messagesPerSecond,
            RateLoad load,
            Provider provider,
            RateListener listener,
            Duration patience)
            throws LoadException, InterruptedException {
        if (!(messagesPerSecond > 0) || messagesPerSecond > TimeUnit.SECONDS.toNanos(1)) {
            throw new IllegalArgumentException(
                    "expected a rate above 0 messages a second, found " + messagesPerSecond);
        }
        return new RateRun(load, listener, patience).run(provider, messagesPerSecond);
    }

    /// Sends as fast as subscribers receive, with a bounded number of messages under way.
    ///
    /// @throws LoadException if a client could not connect, or failed on the way
    public static RateResult saturated(RateLoad load, Provider provider, RateListener listener)
            throws LoadException, InterruptedException {
        return new RateRun(load, listener, PATIENCE).run(provider, 0);
    }

    private RateResult run(Provider provider, double messagesPerSecond)
            throws LoadException, InterruptedException {
        var atInterrupt = new Thread(() -> removeAtInterrupt(provider), "interrupted");
        Runtime.getRuntime().addShutdownHook(atInterrupt);
        try {
            connect(provider);
            return measure(messagesPerSecond);
        } catch (JMSException failed) {
            throw new LoadException(
                    "cannot send to the " + load.target() + ": " + failed.getMessage(), failed);
        } finally {
            stopped = true;
            try {
                Runtime.getRuntime().removeShutdownHook(atInterrupt);
                close(provider);
            } catch (IllegalStateException ending) {
                // The hook does it.
            }
        }
    }

    /// At Ctrl-C a durable subscription does not stay behind, or it is named.
    private void removeAtInterrupt(Provider provider) {
        if (load.target().kind() != Target.Kind.DURABLE) {
            return;
        }
        stopped = true;
        var closing = Thread.ofPlatform().daemon().start(() -> close(provider));
        try {
            if (!closing.join(AT_INTERRUPT)) {
                listener.onWarning("the %s may be left".formatted(load.target()));
            }
        } catch (InterruptedException again) {
            Thread.currentThread().interrupt();
        }
    }

    /// Subscribers first, so that no message can miss one.
    private void connect(Provider provider) throws JMSException {
        var shared = arrivals();
        for (var number = 0; number < load.subscribers(); number++) {
            var arrived = load.target().kind() == Target.Kind.TOPIC ? arrivals() : shared;
            subscribers.add(new RateSubscriber(load, provider, number, arrived, problems));
        }
        for (var number = 0; number < load.publishers(); number++) {
            publishers.add(new RatePublisher(load, provider, number, sent, problems));
        }
        sides.addAll(load.beside().of(load.target(), provider));
        for (var side : sides) {
            side.connect();
        }
    }

    /// For each publisher.
    private List<DistinctNumbers> arrivals() {
        return Stream.generate(DistinctNumbers::new).limit(load.publishers()).toList();
    }

    private RateResult measure(double messagesPerSecond)
            throws JMSException, LoadException, InterruptedException {
        var begin = System.nanoTime();
        var window = RateWindow.after(begin, load.warmup(), load.duration());
        for (var subscriber : subscribers) {
            subscriber.start(window);
        }
        for (var side : sides) {
            side.begin(begin, window);
        }
        var length = load.warmup().plus(load.duration()).toNanos();
        BooleanSupplier ends = () -> stopped || problems.hasFailed();
        IntFunction<Turns> turns =
                messagesPerSecond > 0
                        ? number -> Turns.at(times(messagesPerSecond, number), begin, length, ends)
                        : _ -> Turns.saturated(this::hasRoom, begin, length, ends);
        var threads = new ArrayList<Thread>();
        for (var number = 0; number < publishers.size(); number++) {
            var sending = publishers.get(number).sending(turns.apply(number), window);
            threads.add(Thread.ofPlatform().daemon().name("publisher-" + number).start(sending));
        }
        awaitEnd(threads, begin + length);
        endSides();
        awaitArrivals();
        sample();
        failIfOver();
        return result(messagesPerSecond);
    }

    private SendTimes times(double messagesPerSecond, int number) {
        return load.spacing().times(messagesPerSecond, number, load.publishers(), load.seed());
    }

    /// Transactions that are not committed are under way, too.
    private boolean hasRoom() {
        var open = 2L * load.publishers() * load.batch() * load.copies();
        return missing() < Math.max(MAX_UNDER_WAY, open);
    }

    /// @param end of the time in which messages are due: publishers that a disturbance keeps from
    ///   sending go on after it
    private void awaitEnd(List<Thread> threads, long end)
            throws LoadException, InterruptedException {
        var next = System.nanoTime() + SAMPLE.toNanos();
        for (var thread : threads) {
            while (!thread.join(Duration.ofMillis(POLL_MILLIS))) {
                failIfOver();
                if (System.nanoTime() - end >= 0) {
                    endSides();
                }
                if (System.nanoTime() - next >= 0) {
                    next += SAMPLE.toNanos();
                    sample();
                }
            }
        }
    }

    /// Keeps the figures of disturbances, and ends them.
    private void endSides() {
        for (var side : sides) {
            sideFigures.add(side.figures());
            closeQuietly(side);
        }
        sides.clear();
    }

    /// Until all has come, or nothing more does.
    private void awaitArrivals() throws LoadException, InterruptedException {
        var before = received();
        var since = System.nanoTime();
        while (missing() > 0 && System.nanoTime() - since < patience.toNanos()) {
            Thread.sleep(POLL_MILLIS);
            failIfOver();
            if (received() > before) {
                before = received();
                since = System.nanoTime();
            }
        }
    }

    private long received() {
        return subscribers.stream().mapToLong(RateSubscriber::received).sum();
    }

    /// Copies that have not come; others that have come twice do not make up for them.
    private long missing() {
        return sent.sum() * load.copies()
                - subscribers.stream().mapToLong(RateSubscriber::distinct).sum();
    }

    private void sample() {
        var interval = new Histogram(DIGITS);
        for (var subscriber : subscribers) {
            interval.add(subscriber.latencies());
        }
        latencyNanos.add(interval);
        listener.onInterval(interval, sent.sum(), received());
    }

    /// @throws LoadException if a client has failed, or the run is cut short
    private void failIfOver() throws LoadException {
        if (stopped) {
            throw new LoadException("stopped before the run was complete");
        }
        var failure = problems.failure();
        if (failure != null) {
            throw new LoadException(failure);
        }
    }

    private RateResult result(double messagesPerSecond) {
        var lag = new Histogram(DIGITS);
        var sending = new Histogram(DIGITS);
        for (var publisher : publishers) {
            publisher.addLagTo(lag);
            publisher.addSendsTo(sending);
        }
        var seconds = load.duration().toNanos() / (double) TimeUnit.SECONDS.toNanos(1);
        var sentInTime = publishers.stream().mapToLong(RatePublisher::sentInWindow).sum();
        var receivedInTime = subscribers.stream().mapToLong(RateSubscriber::receivedInWindow).sum();
        return new RateResult(
                messagesPerSecond,
                sentInTime / seconds,
                receivedInTime / seconds,
                publishers.stream().mapToLong(RatePublisher::due).sum(),
                sentInTime,
                receivedInTime / load.copies(),
                sent.sum(),
                received(),
                missing(),
                subscribers.stream().mapToLong(RateSubscriber::outOfSequence).sum(),
                problems.refused(),
                problems.refusal(),
                LatencyFigures.of(latencyNanos),
                LatencyFigures.of(sending),
                LatencyFigures.of(lag),
                sideFigures);
    }

    /// Publishers first: closing waits for what they have sent.
    private void close(Provider provider) {
        sides.forEach(RateRun::closeQuietly);
        publishers.forEach(RateRun::closeQuietly);
        subscribers.forEach(RateRun::closeQuietly);
        if (load.target().kind() != Target.Kind.DURABLE) {
            return;
        }
        try (var connection = provider.connect()) {
            load.target().remove(connection);
        } catch (JMSException alreadyToldOrGone) {
            listener.onWarning(
                    "the %s may be left: %s"
                            .formatted(load.target(), alreadyToldOrGone.getMessage()));
        }
    }

    private static void closeQuietly(AutoCloseable client) {
        try {
            client.close();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (Exception alreadyClosed) {
            // A failure before this one is told, and nothing is measured any more.
        }
    }
}

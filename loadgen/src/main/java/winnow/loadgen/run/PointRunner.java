package winnow.loadgen.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import winnow.loadgen.machine.BrokerProbe;
import winnow.loadgen.machine.Calibration;
import winnow.loadgen.machine.ThreadUse;
import winnow.loadgen.machine.WorkerLook;
import winnow.loadgen.worker.Command;
import winnow.loadgen.worker.Pace;
import winnow.loadgen.worker.Part;
import winnow.loadgen.worker.SharedCounters;
import winnow.loadgen.worker.Tally;
import winnow.loadgen.workload.LoadSettings;
import winnow.loadgen.workload.Point;

/// Measures one point as the FioranoMQ paper does, section 3.2: everybody connects, messages are
/// made in advance, publishers send as fast as they may, the beginning and the end are cut off, and
/// then every copy is accounted for.
///
/// ```
/// open | start | warm-up | sample ... duration ... sample | cool-down | stop | drain | close
/// ```
///
/// Latency is measured apart from that, under a light load ([#latency]).
///
/// Owned by the coordinator's thread.
public final class PointRunner {

    /// Time that deliveries may stand still, with copies missing, before these count as lost.
    public static final Duration PATIENCE = Duration.ofSeconds(5);

    /// Time to listen for copies too many once all have arrived.
    private static final Duration QUIET = Duration.ofMillis(100);

    private static final Duration POLL = Duration.ofMillis(5);

    private final Workers workers;
    private final BrokerProbe broker;
    private final String topicPrefix;
    private final Duration patience;
    private final @Nullable Calibration calibration;
    private int topics;

    /// @param topicPrefix unlike that of any other run on the same broker
    /// @param patience how long deliveries may stand still, [#PATIENCE] unless there is a reason
    /// @param calibration null if nobody asks what a CPU second was worth
    public PointRunner(
            Workers workers,
            BrokerProbe broker,
            String topicPrefix,
            Duration patience,
            @Nullable Calibration calibration) {
        this.calibration = calibration;
        this.workers = workers;
        this.broker = broker;
        this.topicPrefix = topicPrefix;
        this.patience = patience;
    }

    /// Measures a point on topics of its own.
    ///
    /// @param position for [Measurement#position]
    /// @param repetition for [Measurement#repetition]
    public Measurement run(Point point, LoadSettings settings, int position, int repetition)
            throws LoadException, InterruptedException {
        try {
            var file = Files.createTempFile("winnow-load-", ".counters");
            try {
                return run(point, settings, position, repetition, file);
            } finally {
                Files.deleteIfExists(file);
            }
        } catch (IOException failed) {
            throw new LoadException("cannot measure: " + failed.getMessage(), failed);
        }
    }

    /// Waits for a moment that is calmer than one has been.
    ///
    /// @param patience how long to wait at most
    void awaitCalm(Disturbance worse, @Nullable Double referenceMicros, Duration patience)
            throws InterruptedException {
        if (calibration == null
                || referenceMicros == null
                || worse.share() < Disturbance.TO_REPEAT) {
            return;
        }
        var end = System.nanoTime() + patience.toNanos();
        while (calibration.calibrate() / referenceMicros - 1 > worse.share() / 2
                && System.nanoTime() < end) {
            Thread.sleep(POLL.multipliedBy(10));
        }
    }

    /// Measures the latency of a point under a light load on a topic of its own: one publisher
    /// sends at a rate, whatever publishers the point has.
    ///
    /// @param settings of which the warm-up, the bodies, of at least eight bytes, the delivery mode
    ///   and the completion listener count
    /// @param ratePerSecond messages due in each second
    /// @param duration time to measure, after the warm-up
    /// @throws LoadException if a message did not arrive, the provider reported an error or the
    ///   none of the workers publishes and subscribes
    public Latency latency(Point point, LoadSettings settings, int ratePerSecond, Duration duration)
            throws LoadException, InterruptedException {
        replaceWorkersAfterFailure();
        var pace = new Pace(ratePerSecond, settings.warmup().toMillis(), duration.toMillis());
        var order =
                new Command.MeasureLatency(
                        workers.provider(),
                        nextTopic(),
                        point,
                        shape(point, settings),
                        pace,
                        patience.toMillis());
        try {
            return workers.latency(order);
        } catch (IOException failed) {
            throw new LoadException("cannot measure: " + failed.getMessage(), failed);
        }
    }

    /// Makes a point possible after one that failed.
    ///
    /// @return true if the workers are new, with nothing compiled
    public boolean replaceWorkersAfterFailure() throws LoadException, InterruptedException {
        return workers.replaceAfterFailure();
    }

    private Measurement run(
            Point point, LoadSettings settings, int position, int repetition, Path file)
            throws LoadException, IOException, InterruptedException {
        var counters = SharedCounters.map(file, point.publishers(), point.subscribers());
        var order = order(point, settings, file);
        workers.open(order);
        // Everybody has mapped it; so nothing stays behind, however this process ends.
        Files.delete(file);
        var calibrationBefore = calibration == null ? null : (Double) calibration.calibrate();
        workers.startSending();
        var total = settings.warmup().plus(settings.duration()).plus(settings.cooldown());
        var watch = new PointWatch(broker.cpu(), workers, total);
        watch.pass(settings.warmup());
        var before = sample();
        watch.pass(settings.duration());
        var after = sample();
        watch.pass(settings.cooldown());
        var sent = workers.stopSending();
        drain(point, counters, sent);
        var calibrationAfter = calibration == null ? null : (Double) calibration.calibrate();
        var matching = broker.matching().of(order.topic(0)).orElse(null);
        var closed = workers.closeConnections();
        var seconds = (after.nanoTime - before.nanoTime) / 1e9;
        var use = new LoadUse(before.workers, after.workers);
        return new Measurement(
                position,
                repetition,
                point,
                seconds,
                Math.round(use.sentPerSecond() * seconds),
                Math.round(use.deliveredPerSecond() * seconds),
                secondsBetween(before.brokerNanos, after.brokerNanos),
                secondsBetween(before.compilerNanos, after.compilerNanos),
                use.processors() * seconds,
                conditions(before, after, use, calibrationBefore, calibrationAfter),
                matching,
                Accounting.of(point, sent, closed.receipts()),
                closed.errors(),
                watch.moments(),
                workers.machines(use));
    }

    private static Conditions conditions(
            Sample before,
            Sample after,
            LoadUse use,
            @Nullable Double calibrationBefore,
            @Nullable Double calibrationAfter) {
        return new Conditions(
                use.machineBusyShare(),
                use.machineStolenShare(),
                use.memoryShare(),
                calibrationBefore,
                calibrationAfter,
                known(after.brokerThreads.busiestShareSince(before.brokerThreads)),
                known(use.busiestThreadShare()));
    }

    private static @Nullable Double known(OptionalDouble share) {
        return share.isPresent() ? share.getAsDouble() : null;
    }

    private Command.Open order(Point point, LoadSettings settings, Path counters)
            throws LoadException {
        var least = point.matching() * point.publishers();
        var bound = settings.maxInFlight(point);
        if (bound > 0 && bound < least) {
            throw new LoadException(
                    "expected at least %,d copies in flight, one message per publisher,"
                                    .formatted(least)
                            + " found %,d".formatted(bound));
        }
        return new Command.Open(
                workers.provider(),
                Part.NONE,
                Part.NONE,
                nextTopic(),
                point,
                shape(point, settings),
                bound,
                Command.Reserving.PUBLISHER,
                counters.toString());
    }

    private String nextTopic() {
        return topicPrefix + "." + ++topics;
    }

    private static Command.MessageShape shape(Point point, LoadSettings settings) {
        return new Command.MessageShape(
                point.bodyBytes(), settings.delivery(), settings.async(), settings.messages());
    }

    /// Waits until all copies have arrived and nothing more comes, or nothing has come for long.
    private void drain(Point point, SharedCounters counters, List<Tally> sent)
            throws InterruptedException {
        var due = 0L;
        for (var subscriber = 0; subscriber < point.subscribers(); subscriber++) {
            due += Accounting.due(point, sent, subscriber).count();
        }
        var delivered = counters.delivered();
        var lastProgress = System.nanoTime();
        while (true) {
            var wait = delivered < due ? patience : QUIET;
            if (System.nanoTime() - lastProgress > wait.toNanos()) {
                return;
            }
            Thread.sleep(POLL);
            var now = counters.delivered();
            if (now != delivered) {
                delivered = now;
                lastProgress = System.nanoTime();
            }
        }
    }

    private Sample sample() throws IOException, LoadException, InterruptedException {
        return new Sample(
                System.nanoTime(),
                broker.cpu().cpuNanos(),
                broker.cpu().compilerNanos(),
                broker.threads().now(),
                workers.look(true));
    }

    private static @Nullable Double secondsBetween(OptionalLong before, OptionalLong after) {
        return before.isPresent() && after.isPresent()
                ? (after.getAsLong() - before.getAsLong()) / 1e9
                : null;
    }

    /// Everything that is read at one instant.
    private record Sample(
            long nanoTime,
            OptionalLong brokerNanos,
            OptionalLong compilerNanos,
            ThreadUse brokerThreads,
            List<WorkerLook> workers) {}
}

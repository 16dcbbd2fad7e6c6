package winnow.loadgen.run;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import winnow.loadgen.machine.CpuClock;
import winnow.loadgen.machine.WorkerLook;

/// Looks at counters and CPU times at intervals while a point is measured. Owned by the
/// coordinator's thread.
final class PointWatch {

    /// Parts that a point is divided into.
    private static final int PARTS = 20;

    /// Shorter parts would say more of the clocks than of the load.
    private static final Duration SHORTEST = Duration.ofMillis(100);

    /// A worker that is lost is noticed within this time.
    private static final Duration CHECK = Duration.ofSeconds(1);

    private final CpuClock broker;
    private final Workers workers;
    private final Duration interval;
    private final long beginNanos = System.nanoTime();
    private final List<Moment> moments = new ArrayList<>();
    private Look last;

    /// @param total time for which the publishers send
    PointWatch(CpuClock broker, Workers workers, Duration total)
            throws IOException, LoadException, InterruptedException {
        this.broker = broker;
        this.workers = workers;
        var part = total.dividedBy(PARTS);
        interval = part.compareTo(SHORTEST) < 0 ? SHORTEST : part;
        last = look();
    }

    private record Look(long nanoTime, OptionalLong broker, List<WorkerLook> workers) {}

    /// Waits, and looks meanwhile.
    void pass(Duration time) throws IOException, LoadException, InterruptedException {
        var end = System.nanoTime() + time.toNanos();
        for (var left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
            var next = last.nanoTime + interval.toNanos() - System.nanoTime();
            if (next <= 0) {
                note();
            } else {
                Thread.sleep(Duration.ofNanos(Math.min(Math.min(left, next), CHECK.toNanos())));
                workers.check();
            }
        }
    }

    /// All parts that are over.
    List<Moment> moments() {
        return List.copyOf(moments);
    }

    private void note() throws IOException, LoadException, InterruptedException {
        var now = look();
        var seconds = (now.nanoTime - last.nanoTime) / 1e9;
        var use = new LoadUse(last.workers, now.workers);
        moments.add(
                new Moment(
                        (now.nanoTime - beginNanos) / 1e9,
                        use.sentPerSecond(),
                        use.deliveredPerSecond(),
                        now.broker.isPresent() && last.broker.isPresent()
                                ? (now.broker.getAsLong() - last.broker.getAsLong()) / 1e9 / seconds
                                : null,
                        use.processors(),
                        workers.machines(use)));
        last = now;
    }

    private Look look() throws IOException, LoadException, InterruptedException {
        return new Look(System.nanoTime(), broker.cpuNanos(), workers.look(false));
    }
}

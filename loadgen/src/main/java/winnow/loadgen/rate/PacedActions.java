package winnow.loadgen.rate;

import jakarta.jms.JMSException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/// Repeats an action at a rate on a few threads, each with an action of its own. One that takes
/// long delays those behind it on its thread, and the rate that is achieved says so.
final class PacedActions implements SideLoad {

    /// Time for an action under way to end.
    private static final Duration END = Duration.ofSeconds(5);

    private final SideFigures.Kind kind;
    private final double perSecond;
    private final int threadCount;
    private final IntFunction<PacedAction> actions;
    private final List<Thread> threads = new ArrayList<>();
    private final LongAdder done = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final AtomicReference<@Nullable String> failure = new AtomicReference<>();
    private RateWindow window = new RateWindow(0, 1);
    private volatile boolean stopped;

    /// @param perSecond of all threads together, above 0
    /// @param mostThreads their number, if there is so much to do
    /// @param actions makes that of each thread, by its number from 0
    PacedActions(
            SideFigures.Kind kind,
            double perSecond,
            int mostThreads,
            IntFunction<PacedAction> actions) {
        this.kind = kind;
        this.perSecond = perSecond;
        this.actions = actions;
        threadCount = (int) Math.clamp(Math.ceil(perSecond), 1, mostThreads);
    }

    @Override
    public void begin(long begin, RateWindow counted) {
        window = counted;
        var end = counted.from() + counted.nanos();
        BooleanSupplier ends = () -> stopped || System.nanoTime() - end >= 0;
        for (var number = 0; number < threadCount; number++) {
            var action = actions.apply(number);
            var times = SendTimes.constant(perSecond / threadCount, (double) number / threadCount);
            var turns = Turns.at(times, begin, end - begin, ends);
            threads.add(
                    Thread.ofPlatform()
                            .daemon()
                            .name("beside-" + number)
                            .start(() -> repeat(action, turns)));
        }
    }

    private void repeat(PacedAction action, Turns turns) {
        try (action) {
            for (var number = 0L; turns.next() != Turns.NONE; number++) {
                try {
                    action.perform(number);
                    count(done);
                } catch (JMSException | RuntimeException problem) {
                    failure.compareAndSet(null, String.valueOf(problem.getMessage()));
                    count(failed);
                }
            }
        } catch (JMSException | RuntimeException alreadyGone) {
            // What failed before is counted.
        }
    }

    private void count(LongAdder counter) {
        if (window.contains(System.nanoTime())) {
            counter.increment();
        }
    }

    @Override
    public SideFigures figures() {
        var seconds = window.nanos() / (double) TimeUnit.SECONDS.toNanos(1);
        var first = failure.get();
        return new SideFigures(
                kind, perSecond, done.sum() / seconds, failed.sum(), first == null ? "" : first);
    }

    /// Waits a while for what is under way.
    @Override
    public void close() {
        stopped = true;
        var end = System.nanoTime() + END.toNanos();
        try {
            for (var thread : threads) {
                var _ = thread.join(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}

package winnow.tests.benchmark.hold;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import winnow.broker.subscription.Loop;

/// Measures from within an event loop how long the loop is away from its sockets. It runs in each
/// iteration, before the tasks and behind them, so the loop never sleeps meanwhile. Owned by the
/// loop where nothing else is said.
final class LoopProbe {
    /// Between two arrivals of something that the loop should do.
    private static final long PERIOD_NANOS = 100_000;

    /// How often the look behind the tasks is put off behind those that have come meanwhile, such
    /// as the end of the iteration behind a slice.
    private static final int PUT_OFF = 2;

    private static final int DIGITS = 3;

    /// An hour: a histogram that grows takes milliseconds to do so.
    private static final long MOST_NANOS = 3_600_000_000_000L;

    private final Loop loop;
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final CompletableFuture<Times> ended = new CompletableFuture<>();
    private final Times times = new Times();
    private volatile boolean ending;
    private volatile @Nullable Thread thread;

    /// When the iteration began, for all threads.
    private volatile long iterationNanos;

    private long iterationProcessorNanos;
    private long phaseProcessorNanos;
    private long dueNanos;

    /// Nanoseconds.
    static final class Times {
        /// What something has to wait that is due every 100 µs.
        final Histogram waits = new Histogram(MOST_NANOS, DIGITS);

        /// Whole iterations by the clock.
        final Histogram holds = new Histogram(MOST_NANOS, DIGITS);

        /// Processor time of whole iterations.
        final Histogram processor = new Histogram(MOST_NANOS, DIGITS);

        /// The processor time of those above [LongHolds#LONG_NANOS], by when they began.
        final Map<Long, Long> longIterations = new HashMap<>();

        /// Processor time from the end of the tasks to the next ones: sockets are read, and what
        /// they bring is matched.
        final Histogram reading = new Histogram(MOST_NANOS, DIGITS);

        /// Processor time of tasks: matches that go on, deliveries that leave, what is tuned.
        final Histogram tasks = new Histogram(MOST_NANOS, DIGITS);

        /// Adds an iteration, and what was due since the one before.
        ///
        /// @param due when the next thing was due
        /// @return when the next one is
        long add(long begin, long now, long processorNanos, long due) {
            processor.recordValue(processorNanos);
            if (processorNanos > LongHolds.LONG_NANOS) {
                longIterations.put(begin, processorNanos);
            }
            holds.recordValue(now - begin);
            long next = due;
            while (next <= now) {
                waits.recordValue(now - next);
                next += PERIOD_NANOS;
            }
            return next;
        }
    }

    private LoopProbe(Loop loop) {
        this.loop = loop;
    }

    /// Begins to measure. Any thread.
    static LoopProbe begin(Loop loop) {
        LoopProbe probe = new LoopProbe(loop);
        loop.execute(probe::onBegin);
        return probe;
    }

    /// Ends, and waits for that. Any thread but the loop's.
    Times end() {
        ending = true;
        return ended.join();
    }

    /// The loop's thread once it has begun. Any thread.
    @Nullable Thread thread() {
        return thread;
    }

    /// The time at which the iteration began. Any thread.
    long iterationNanos() {
        return iterationNanos;
    }

    private void onBegin() {
        iterationNanos = System.nanoTime();
        dueNanos = iterationNanos + PERIOD_NANOS;
        iterationProcessorNanos = threads.getCurrentThreadCpuTime();
        phaseProcessorNanos = iterationProcessorNanos;
        thread = Thread.currentThread();
        scheduleNext();
    }

    private void scheduleNext() {
        loop.execute(() -> onTasksEnd(PUT_OFF));
        loop.executeAfterReading(this::onTasks);
    }

    private void onTasks() {
        if (ending) {
            ended.complete(times);
            return;
        }
        long processor = threads.getCurrentThreadCpuTime();
        long now = System.nanoTime();
        times.reading.recordValue(processor - phaseProcessorNanos);
        dueNanos = times.add(iterationNanos, now, processor - iterationProcessorNanos, dueNanos);
        phaseProcessorNanos = processor;
        iterationProcessorNanos = processor;
        iterationNanos = now;
        scheduleNext();
    }

    private void onTasksEnd(int putOff) {
        if (putOff > 0) {
            loop.execute(() -> onTasksEnd(putOff - 1));
            return;
        }
        long processor = threads.getCurrentThreadCpuTime();
        times.tasks.recordValue(processor - phaseProcessorNanos);
        phaseProcessorNanos = processor;
    }
}

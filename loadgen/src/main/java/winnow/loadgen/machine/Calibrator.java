package winnow.loadgen.machine;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.hipparchus.stat.descriptive.rank.Percentile;

/// Tells what a CPU second is worth at the moment, by the CPU time of a fixed piece of work
/// ([ReferenceWork]) on each processor at once: the time that another process takes away does not
/// count, only what it makes slower. All at once, because broker and load keep all of them busy,
/// too.
///
/// One thread per processor, each bound to its own where the system allows that. Owned by the
/// coordinator's thread.
public final class Calibrator implements Calibration, AutoCloseable {

    /// Runs of the work before it counts, for the just-in-time compilers.
    private static final int WARM_UP = 60;

    /// Calibrations from which a reference can be taken.
    private static final int REFERENCES = 8;

    /// Processors beyond these are not calibrated.
    private static final int MOST_PROCESSORS = 64;

    private final List<ExecutorService> threads = new ArrayList<>();
    private final List<Callable<Long>> work = new ArrayList<>();
    private final List<Double> seen = new ArrayList<>();
    private OptionalDouble reference = OptionalDouble.empty();

    /// Takes a second, for the compiler.
    public Calibrator() throws InterruptedException {
        var processors = Processors.allowed();
        // Java knows of a container's quota, the kernel's mask does not.
        var available = Runtime.getRuntime().availableProcessors();
        var most = Math.min(Math.min(MOST_PROCESSORS, available), processors.size());
        var clock = ManagementFactory.getThreadMXBean();
        for (var processor : processors.subList(0, most)) {
            threads.add(
                    Executors.newSingleThreadExecutor(
                            Thread.ofPlatform()
                                    .daemon()
                                    .name("calibration-" + processor)
                                    .factory()));
            work.add(timed(new ReferenceWork(), clock, processor));
        }
        for (var run = 0; run < WARM_UP; run++) {
            calibrate();
        }
        seen.clear();
    }

    /// Mean CPU time of the work over all processors, now, in microseconds. Takes some 10 ms of the
    /// clock, more where others use the processors. Not above zero where the clock is too coarse.
    @Override
    public double calibrate() throws InterruptedException {
        var results = new ArrayList<Future<Long>>();
        for (var i = 0; i < work.size(); i++) {
            results.add(threads.get(i).submit(work.get(i)));
        }
        var sum = 0L;
        for (var result : results) {
            try {
                sum += result.get();
            } catch (ExecutionException failed) {
                throw new IllegalStateException("calibration failed", failed);
            }
        }
        var mean = sum / 1e3 / results.size();
        if (mean > 0) {
            seen.add(mean);
        }
        return mean;
    }

    /// The time on the machine when nothing else disturbs it: the fastest tenth of what
    /// [#calibrate] gave around the points of the warm-up. Not of an idle machine, because load
    /// leaves processors slower and caches colder than it finds them (measured: by 1.5 to 1.7). The
    /// same from the first call on; empty without a warm-up.
    public OptionalDouble referenceMicros() {
        if (reference.isEmpty() && seen.size() >= REFERENCES) {
            reference = OptionalDouble.of(new Percentile(10).evaluate(toArray(seen)));
        }
        return reference;
    }

    private static double[] toArray(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }

    @Override
    public void close() {
        threads.forEach(ExecutorService::shutdownNow);
    }

    private static Callable<Long> timed(ReferenceWork work, ThreadMXBean clock, int processor) {
        return new Callable<>() {
            private boolean bound;
            private long kept;

            @Override
            public Long call() {
                if (!bound) {
                    Processors.bindThread(processor);
                    bound = true;
                }
                // What ran before has taken the caches: the first time brings the work's own back.
                kept += work.run();
                var before = clock.getCurrentThreadCpuTime();
                kept += work.run();
                return clock.getCurrentThreadCpuTime() - before + (kept == 42 ? 1 : 0);
            }
        };
    }
}

package winnow.tests.benchmark.hold;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/// Tells what an event loop did when it was away from its sockets for longer than it should, by
/// processor time. Looks at it from a thread of its own.
@SuppressWarnings("try") // An interrupted wait ends the measurement.
final class LongHolds implements AutoCloseable {
    static final long LONG_NANOS = 1_000_000;

    private static final long LOOK_NANOS = 200_000;
    private static final int FRAMES = 6;

    private final LoopProbe probe;
    private final Thread watcher;

    /// By the time at which the iteration began.
    private final Map<Long, String> stacks = new HashMap<>();

    private volatile boolean closed;

    LongHolds(LoopProbe probe) {
        this.probe = probe;
        watcher = Thread.ofPlatform().name("long-holds").daemon().start(this::watch);
    }

    private void watch() {
        long seen = 0;
        while (!closed) {
            LockSupport.parkNanos(LOOK_NANOS);
            Thread loop = probe.thread();
            long iteration = probe.iterationNanos();
            if (loop != null && iteration != seen && System.nanoTime() - iteration > LONG_NANOS) {
                seen = iteration;
                StackTraceElement[] stack = loop.getStackTrace();
                if (probe.iterationNanos() == iteration) {
                    stacks.put(iteration, summary(stack));
                }
            }
        }
    }

    /// The innermost frame, and those of the broker around it.
    private static String summary(StackTraceElement[] stack) {
        return Arrays.stream(stack)
                .filter(frame ->
                        frame.equals(stack[0]) || frame.getClassName().startsWith("winnow."))
                .limit(FRAMES)
                .map(LongHolds::name)
                .collect(Collectors.joining(" < "));
    }

    private static String name(StackTraceElement frame) {
        String type = frame.getClassName();
        return type.substring(type.lastIndexOf('.') + 1)
                + "."
                + frame.getMethodName()
                + ":"
                + frame.getLineNumber();
    }

    /// What was seen in the iterations that took the most processor time, each with that time;
    /// after [#close].
    List<String> longest(LoopProbe.Times times, int limit) {
        return times.longIterations.entrySet().stream()
                .sorted(Map.Entry.<Long, Long>comparingByValue().reversed())
                .limit(limit)
                .map(held ->
                        held.getValue() / 1_000
                                + " µs "
                                + stacks.getOrDefault(held.getKey(), "not seen"))
                .toList();
    }

    @Override
    public void close() throws InterruptedException {
        closed = true;
        watcher.join();
    }
}

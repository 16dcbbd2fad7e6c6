package winnow.tests.benchmark;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;

/// What all benchmarks of selectors have in common. One fork, so that all of them together take
/// less than a quarter of an hour; the spread between forks is therefore not in the error.
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xms4g", "-Xmx4g", "-XX:+UseParallelGC", "-XX:+UseCompactObjectHeaders"})
public abstract class SelectorBenchmark {

    /// Collects garbage once, as in any broker that has run for a while. In the 4 GB of the
    /// benchmarks 100,000 selectors are made without a collection, and each is then alone among 6
    /// KB of what its parser left, on memory pages of its own: a message took 4.3 µs so, 1.3 after
    /// a collection, and 1.6 with the broker's own collector and heap size, which collects often.
    static void settleHeap() {
        System.gc();
    }
}

package winnow.loadgen.rate;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Failures of a run. Thread-safe.
final class RateProblems {

    private final AtomicReference<@Nullable String> failure = new AtomicReference<>();
    private final AtomicReference<@Nullable String> refusal = new AtomicReference<>();
    private final AtomicLong refused = new AtomicLong();

    /// A connection or consumer has failed, so that the run is of no use.
    void fail(String where, Exception problem) {
        failure.compareAndSet(null, where + ": " + problem);
    }

    /// The broker did not take a message.
    void refuse(Exception problem) {
        refusal.compareAndSet(null, String.valueOf(problem.getMessage()));
        refused.incrementAndGet();
    }

    boolean hasFailed() {
        return failure.get() != null;
    }

    /// The first failure, null for none.
    @Nullable String failure() {
        return failure.get();
    }

    /// Messages that the broker did not take.
    long refused() {
        return refused.get();
    }

    /// Reason why it did not take the first of them, empty if it took all.
    String refusal() {
        var first = refusal.get();
        return first == null ? "" : first;
    }
}

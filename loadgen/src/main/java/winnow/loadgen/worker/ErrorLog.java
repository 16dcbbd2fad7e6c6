package winnow.loadgen.worker;

import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/// Errors that occurred while a point ran. Thread-safe: a concurrent queue, bounded.
final class ErrorLog {

    /// The first errors explain a failed run; thousands of the same kind explain nothing more.
    private static final int KEPT = 20;

    private final ConcurrentLinkedQueue<String> errors = new ConcurrentLinkedQueue<>();
    private final AtomicInteger size = new AtomicInteger();

    void add(String where, Exception problem) {
        if (size.incrementAndGet() <= KEPT) {
            errors.add(where + ": " + problem);
        }
    }

    /// Tells whether nothing went wrong so far.
    boolean isEmpty() {
        return errors.isEmpty();
    }

    List<String> snapshot() {
        return List.copyOf(errors);
    }
}

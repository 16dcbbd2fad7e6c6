package winnow.selector;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Scratch space of matching for any number of threads: a few objects are kept for the next thread
/// that needs one. Thread-safe, without locks.
final class Scratches<T> {

    private static final int KEPT =
            Integer.highestOneBit(2 * Runtime.getRuntime().availableProcessors());

    private final Supplier<T> maker;
    private final AtomicReferenceArray<@Nullable T> kept = new AtomicReferenceArray<>(KEPT);

    Scratches(Supplier<T> maker) {
        this.maker = maker;
    }

    T take() {
        int home = home();
        for (int i = 0; i < KEPT; i++) {
            T scratch = kept.getAndSet((home + i) % KEPT, null);
            if (scratch != null) {
                return scratch;
            }
        }
        return maker.get();
    }

    /// Drops it if enough are kept.
    void giveBack(T scratch) {
        int home = home();
        for (int i = 0; i < KEPT; i++) {
            if (kept.compareAndSet((home + i) % KEPT, null, scratch)) {
                return;
            }
        }
    }

    private static int home() {
        return (int) (Thread.currentThread().threadId() % KEPT);
    }
}

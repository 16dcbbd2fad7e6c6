package winnow.selector.compile;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// The classes of shapes that are evaluated often. One class per selector would be slower than
/// closures (code that does not fit the processor's caches); selectors of one shape share theirs.
/// Their number is bounded, and a selector that gets none stays with its closures. Thread-safe.
public final class ShapeClasses {

    /// Of all selectors of the process, as classes are.
    public static final ShapeClasses OF_PROCESS =
            new ShapeClasses(10_000, task -> Thread.ofVirtual().start(task));

    /// A smaller predicate is one call anyway. An AND of two parts gains: 5.0 instead of 9.0 ns.
    private static final int MIN_PARTS = 3;

    /// Keeps methods far below the 8000 bytes above which none is compiled.
    private static final int MAX_PARTS = 100;

    private static final int MAX_CLASSES = 128;
    private static final int MAX_COUNTED = 1_024;

    private final long hotEvaluations;
    private final Executor background;
    private final Map<String, ShapeClass> bySignature = new ConcurrentHashMap<>();
    private final AtomicInteger classes = new AtomicInteger();

    /// @param hotEvaluations of a shape, by all selectors that have it, after which it gets a class
    /// @param background where classes are made, which takes milliseconds
    public ShapeClasses(long hotEvaluations, Executor background) {
        this.hotEvaluations = hotEvaluations;
        this.background = background;
    }

    /// Counter of the evaluations of a predicate, or null if a class would not make it faster.
    public @Nullable ShapeClass of(Predicate predicate) {
        Shape shape = predicate.shape();
        AtomicInteger parts = new AtomicInteger();
        shape.forEach(_ -> parts.incrementAndGet());
        if (parts.get() < MIN_PARTS || parts.get() > MAX_PARTS) {
            return null;
        }
        String signature = shape.signature();
        ShapeClass known = bySignature.get(signature);
        if (known != null) {
            return known;
        }
        if (bySignature.size() >= MAX_COUNTED) {
            bySignature.values().removeIf(counted -> !counted.isDefined());
        }
        return bySignature.computeIfAbsent(
                signature, _ -> new ShapeClass(this, signature, hotEvaluations));
    }

    /// Number of classes.
    public int size() {
        return classes.get();
    }

    /// @param shape one that the class is for
    void define(ShapeClass shapeClass, Shape shape) {
        if (classes.incrementAndGet() > MAX_CLASSES) {
            classes.decrementAndGet();
            return;
        }
        background.execute(() -> shapeClass.define(shape));
    }
}

package winnow.selector.compile;

import java.lang.invoke.MethodHandle;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// Counts the evaluations of all predicates of one shape, and makes them faster when there were
/// enough. Thread-safe; counts of several threads at once may get lost.
public final class ShapeClass {

    private final ShapeClasses classes;
    private final long hotEvaluations;
    private final AtomicBoolean requested = new AtomicBoolean();
    private volatile @Nullable MethodHandle factory;
    private long evaluations;

    ShapeClass(ShapeClasses classes, long hotEvaluations) {
        this.classes = classes;
        this.hotEvaluations = hotEvaluations;
    }

    /// Notes some evaluations of a predicate of this shape, and returns what to evaluate from now
    /// on, or null until the class is there.
    public @Nullable Predicate evaluated(Predicate predicate, int times) {
        MethodHandle current = factory;
        if (current != null) {
            return make(current, Constants.of(predicate.shape()));
        }
        count(predicate, times);
        return null;
    }

    /// Only notes evaluations.
    public void count(Predicate predicate, int times) {
        evaluations += times;
        if (evaluations >= hotEvaluations && requested.compareAndSet(false, true)) {
            classes.define(this, predicate);
        }
    }

    boolean isDefined() {
        return requested.get();
    }

    void define(Shape shape) {
        factory = ShapeClassWriter.define(shape);
    }

    private static Predicate make(MethodHandle factory, Constants constants) {
        try {
            return (Predicate) factory.invokeExact(constants.numbers(), constants.objects());
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("a constructor without checked exceptions", e);
        }
    }
}

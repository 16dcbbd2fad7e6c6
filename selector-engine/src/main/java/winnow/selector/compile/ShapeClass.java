package winnow.selector.compile;

import java.lang.invoke.MethodHandle;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// Counts the evaluations of all predicates of one shape, and makes them faster when there were
/// enough. Their owners may put operands into another order meanwhile: then a predicate is not of
/// this shape any more, and gets nothing here. Thread-safe; counts of several threads at once may
/// get lost.
public final class ShapeClass {

    private final ShapeClasses classes;
    private final String signature;
    private final long hotEvaluations;
    private final AtomicBoolean requested = new AtomicBoolean();
    private volatile @Nullable MethodHandle factory;
    private long evaluations;

    ShapeClass(ShapeClasses classes, String signature, long hotEvaluations) {
        this.classes = classes;
        this.signature = signature;
        this.hotEvaluations = hotEvaluations;
    }

    /// Notes some evaluations of a predicate of this shape, and returns what to evaluate from now
    /// on, or null until the class is there.
    public @Nullable Predicate evaluated(Predicate predicate, int times) {
        MethodHandle current = factory;
        if (current != null) {
            Shape shape = predicate.shape();
            return fits(shape) ? make(current, ShapeConstants.of(shape)) : null;
        }
        count(predicate, times);
        return null;
    }

    /// Only notes evaluations.
    public void count(Predicate predicate, int times) {
        evaluations += times;
        if (evaluations < hotEvaluations || requested.get()) {
            return;
        }
        Shape shape = predicate.shape();
        if (fits(shape) && requested.compareAndSet(false, true)) {
            classes.define(this, shape);
        }
    }

    private boolean fits(Shape shape) {
        return shape.signature().equals(signature);
    }

    boolean isDefined() {
        return requested.get();
    }

    void define(Shape shape) {
        factory = ShapeClassWriter.define(shape);
    }

    private static Predicate make(MethodHandle factory, ShapeConstants constants) {
        try {
            return (Predicate) factory.invokeExact(constants.numbers(), constants.objects());
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("a constructor without checked exceptions", e);
        }
    }
}

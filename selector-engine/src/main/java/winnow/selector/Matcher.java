package winnow.selector;

import org.jspecify.annotations.Nullable;
import winnow.selector.compile.Predicate;
import winnow.selector.compile.ShapeClass;

/// A selector bound to the slots of a topic. Any number of threads may call it at once, each with
/// its own [SlotValues]. An evaluation does not throw, and does not allocate, but for once when the
/// predicate gets a class that is shared by selectors of its shape.
public final class Matcher {

    private final Predicate closures;

    /// The closures or, later, what a class does with the same answers; immutable both, so a thread
    /// may see either.
    private Predicate predicate;

    /// Null when there is no faster one, or it has been found.
    private @Nullable ShapeClass shape;

    private final int requiredVersion;
    private final Slots slots;

    Matcher(Predicate predicate, @Nullable ShapeClass shape, int requiredVersion, Slots slots) {
        this.closures = predicate;
        this.predicate = predicate;
        this.shape = shape;
        this.requiredVersion = requiredVersion;
        this.slots = slots;
    }

    /// Whether the selector is TRUE for the message. Values that were reset before this matcher was
    /// bound may lack what it looks at, so they do not match: a subscription starts with the first
    /// message that is read after it.
    public boolean matches(SlotValues values) {
        assert values.areFor(slots) : "values of another topic";
        if (values.isSampled()) {
            countEvaluations();
        }
        return values.version() >= requiredVersion && predicate.test(values);
    }

    private void countEvaluations() {
        ShapeClass current = shape;
        if (current != null) {
            Predicate faster = current.evaluated(closures, SlotValues.SAMPLE_PERIOD);
            if (faster != null) {
                predicate = faster;
                shape = null;
            }
        }
    }
}

package winnow.selector.compile;

import java.util.ArrayList;
import java.util.List;
import winnow.selector.slot.SlotValues;

/// One two-valued question about a message. Immutable; never throws, never allocates. An abstract
/// class and not an interface, because a virtual call is cheaper than an interface call where many
/// kinds meet at one call site.
public abstract class Predicate {

    static final Predicate ALWAYS = new Constant(true);
    static final Predicate NEVER = new Constant(false);

    Predicate() {}

    public abstract boolean test(SlotValues values);

    /// Shape from which a class made for it would be written.
    Shape shape() {
        return new Shape.Other(this);
    }

    /// In a loop and not a stream: a stream costs a dozen stack frames per level of nesting.
    static List<Shape> shapes(Predicate[] predicates) {
        List<Shape> shapes = new ArrayList<>(predicates.length);
        for (Predicate predicate : predicates) {
            shapes.add(predicate.shape());
        }
        return shapes;
    }

    static Predicate constant(boolean value) {
        return value ? ALWAYS : NEVER;
    }

    private static final class Constant extends Predicate {

        private final boolean value;

        Constant(boolean value) {
            this.value = value;
        }

        @Override
        public boolean test(SlotValues values) {
            return value;
        }
    }
}

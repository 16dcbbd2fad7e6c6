package winnow.selector.compile;

import winnow.selector.SlotValues;

/// One two-valued question about a message. Immutable; never throws, never allocates. An abstract
/// class and not an interface, because a virtual call is cheaper than an interface call where many
/// kinds meet at one call site.
public abstract class Predicate {

    static final Predicate ALWAYS = new Constant(true);
    static final Predicate NEVER = new Constant(false);

    Predicate() {}

    public abstract boolean test(SlotValues values);

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

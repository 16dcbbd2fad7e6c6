package winnow.selector;

import winnow.selector.compile.Predicate;

/// A selector bound to the slots of a topic. Immutable; any number of threads may call it at once,
/// each with its own [SlotValues]. An evaluation neither allocates nor throws.
public final class Matcher {

    private final Predicate predicate;
    private final int requiredVersion;
    private final Slots slots;

    Matcher(Predicate predicate, int requiredVersion, Slots slots) {
        this.predicate = predicate;
        this.requiredVersion = requiredVersion;
        this.slots = slots;
    }

    /// Whether the selector is TRUE for the message. Values that were reset before this matcher was
    /// bound may lack what it looks at, so they do not match: a subscription starts with the first
    /// message that is read after it.
    public boolean matches(SlotValues values) {
        assert values.areFor(slots) : "values of another topic";
        return values.version() >= requiredVersion && predicate.test(values);
    }
}

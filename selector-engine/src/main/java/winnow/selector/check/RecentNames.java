package winnow.selector.check;

import org.jspecify.annotations.Nullable;
import winnow.selector.expression.Identifier;

/// The names that selectors used last, each as one object: the selectors of a topic use the same
/// few, and a name that is in the cache from the last selector need not be read again.
///
/// Any thread. A lost write costs nothing but another object, because identifiers are immutable and
/// equal by name.
final class RecentNames {

    /// A power of two; together at most 80 KB.
    private static final int COUNT = 512;

    /// Longer names are rare, and hold memory.
    private static final int MAX_LENGTH = 64;

    private static final @Nullable Identifier[] RECENT = new Identifier[COUNT];

    private RecentNames() {}

    static Identifier of(String name) {
        int hash = name.hashCode();
        int i = (hash ^ hash >>> 16) & COUNT - 1;
        Identifier recent = RECENT[i];
        if (recent != null && recent.name().equals(name)) {
            return recent;
        }
        Identifier identifier = new Identifier(name);
        if (name.length() <= MAX_LENGTH) {
            RECENT[i] = identifier;
        }
        return identifier;
    }
}

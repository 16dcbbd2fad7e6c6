package winnow.client.message;

import java.io.ObjectInputFilter;
import java.util.List;

/// Which classes an object message may be deserialised into. Deserialising what a stranger sent
/// runs code of every class that it names, so the default is none but [ValueClasses]. Immutable.
///
/// @param patterns class names, package prefixes that end in `.*` (and their sub-packages), or `*`
///   for all classes there are
public record AllowedClasses(List<String> patterns) implements ObjectInputFilter {
    /// Nothing but values and collections of them.
    public static final AllowedClasses NONE = new AllowedClasses(List.of());

    private static final String ALL = "*";

    /// Limits of what a few bytes can make the receiver allocate.
    private static final int MAX_DEPTH = 100;

    private static final int MAX_REFERENCES = 1_000_000;
    private static final int MAX_ARRAY_LENGTH = 16 * 1024 * 1024;

    /// An element of an array takes a byte at least. Hash tables ask for more than they have.
    private static final int ARRAY_ELEMENTS_PER_BYTE = 8;

    public AllowedClasses {
        patterns = List.copyOf(patterns);
    }

    /// The same for one body of so many bytes, all arrays of which together have no more elements
    /// than can be in it: an array is made before its elements are read.
    ///
    /// @param work to be told of each object that has been read
    ObjectInputFilter ofBody(int bytes, HashWork work) {
        return new ObjectInputFilter() {
            private long left = (long) bytes * ARRAY_ELEMENTS_PER_BYTE;

            @Override
            public Status checkInput(FilterInfo info) {
                left -= Math.max(0, info.arrayLength());
                return left < 0 || (!patterns.contains(ALL) && !work.admits(info))
                        ? Status.REJECTED
                        : AllowedClasses.this.checkInput(info);
            }
        };
    }

    @Override
    public Status checkInput(FilterInfo info) {
        if (info.depth() > MAX_DEPTH
                || info.references() > MAX_REFERENCES
                || info.arrayLength() > MAX_ARRAY_LENGTH) {
            return Status.REJECTED;
        }
        Class<?> type = info.serialClass();
        if (type == null) {
            return Status.UNDECIDED;
        }
        while (type.isArray()) {
            type = type.getComponentType();
        }
        return isAllowed(type) ? Status.ALLOWED : Status.REJECTED;
    }

    private boolean isAllowed(Class<?> type) {
        if (ValueClasses.contains(type)) {
            return true;
        }
        for (String pattern : patterns) {
            boolean matches =
                    (pattern.equals(ALL) || pattern.endsWith(".*"))
                            ? type.getName().startsWith(pattern.substring(0, pattern.length() - 1))
                            : type.getName().equals(pattern);
            if (matches) {
                return true;
            }
        }
        return false;
    }
}

package winnow.client.message;

import java.io.ObjectInputFilter;
import java.util.List;
import java.util.Map;

/// Which classes an object message may be deserialised into. Deserialising what a stranger sent
/// runs code of every class that it names, so the default is none but [JdkValueClasses]. Immutable.
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

    /// A reference takes a byte of the body at least. A hash table of the JDK has up to three
    /// places for each element, 16 at least.
    private static final int REFERENCES_PER_BYTE = 3;

    private static final Map<Class<?>, Integer> PRIMITIVE_BYTES =
            Map.of(
                    boolean.class, 1,
                    byte.class, Byte.BYTES,
                    char.class, Character.BYTES,
                    short.class, Short.BYTES,
                    int.class, Integer.BYTES,
                    float.class, Float.BYTES,
                    long.class, Long.BYTES,
                    double.class, Double.BYTES);

    public AllowedClasses {
        patterns = List.copyOf(patterns);
    }

    /// The same for one body of so many bytes, all arrays of which together take no more than can
    /// be in it: an array is made before its elements are read.
    ///
    /// @param work to be told of each object that has been read
    ObjectInputFilter ofBody(int bytes, HashWork work) {
        return new ObjectInputFilter() {
            private long primitiveBytes = bytes;
            private long references = (long) bytes * REFERENCES_PER_BYTE;

            @Override
            public Status checkInput(FilterInfo info) {
                return !admits(info) || (!patterns.contains(ALL) && !work.admits(info))
                        ? Status.REJECTED
                        : AllowedClasses.this.checkInput(info);
            }

            private boolean admits(FilterInfo info) {
                Class<?> type = info.serialClass();
                if (type == null || !type.isArray()) {
                    return true;
                }
                long length = Math.max(0, info.arrayLength());
                int elementBytes = PRIMITIVE_BYTES.getOrDefault(type.getComponentType(), 0);
                if (elementBytes > 0) {
                    primitiveBytes -= length * elementBytes;
                } else {
                    references -= length;
                }
                return primitiveBytes >= 0 && references >= 0;
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
        if (JdkValueClasses.contains(type)) {
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

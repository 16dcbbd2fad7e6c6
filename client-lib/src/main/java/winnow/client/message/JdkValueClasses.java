package winnow.client.message;

import java.util.Set;

/// Classes that any object message may hold: values of the JDK, which run no code but their own
/// when they are deserialised, and collections, whose elements are checked one by one.
final class JdkValueClasses {
    private static final Set<String> NAMES =
            Set.of(
                    "java.lang.Object", // never an object's class, but that of a list's array
                    "java.lang.String",
                    "java.lang.Boolean",
                    "java.lang.Character",
                    "java.lang.Number",
                    "java.lang.Byte",
                    "java.lang.Short",
                    "java.lang.Integer",
                    "java.lang.Long",
                    "java.lang.Float",
                    "java.lang.Double",
                    "java.lang.Enum", // what each enum that is allowed extends
                    "java.math.BigInteger",
                    "java.math.BigDecimal",
                    "java.net.URI",
                    "java.sql.Date",
                    "java.sql.Time",
                    "java.sql.Timestamp",
                    "java.util.BitSet",
                    "java.util.Calendar",
                    "java.util.Currency",
                    "java.util.Date",
                    "java.util.GregorianCalendar",
                    "java.util.Locale",
                    "java.util.SimpleTimeZone",
                    "java.util.TimeZone",
                    "java.util.UUID",
                    "sun.util.calendar.ZoneInfo");

    private static final Set<String> COLLECTIONS =
            Set.of(
                    "java.util.ArrayDeque",
                    "java.util.ArrayList",
                    "java.util.Arrays$ArrayList",
                    "java.util.CollSer",
                    "java.util.Collections$EmptyList",
                    "java.util.Collections$EmptyMap",
                    "java.util.Collections$EmptySet",
                    "java.util.Collections$SingletonList",
                    "java.util.Collections$SingletonMap",
                    "java.util.Collections$SingletonSet",
                    "java.util.Collections$UnmodifiableCollection",
                    "java.util.Collections$UnmodifiableList",
                    "java.util.Collections$UnmodifiableMap",
                    "java.util.Collections$UnmodifiableRandomAccessList",
                    "java.util.Collections$UnmodifiableSet",
                    "java.util.EnumMap",
                    "java.util.EnumSet",
                    "java.util.EnumSet$SerializationProxy",
                    "java.util.HashMap",
                    "java.util.HashSet",
                    "java.util.Hashtable",
                    "java.util.ImmutableCollections$List12",
                    "java.util.ImmutableCollections$ListN",
                    "java.util.ImmutableCollections$Map1",
                    "java.util.ImmutableCollections$MapN",
                    "java.util.ImmutableCollections$Set12",
                    "java.util.ImmutableCollections$SetN",
                    "java.util.JumboEnumSet",
                    "java.util.LinkedHashMap",
                    "java.util.LinkedHashSet",
                    "java.util.LinkedList",
                    "java.util.Map$Entry", // what the arrays of hash tables are of
                    "java.util.RegularEnumSet",
                    "java.util.TreeMap",
                    "java.util.TreeSet",
                    "java.util.Vector");

    /// Packages of values only.
    private static final Set<String> PACKAGES = Set.of("java.time", "java.time.chrono");

    private JdkValueClasses() {}

    static boolean contains(Class<?> type) {
        return type.isPrimitive()
                || NAMES.contains(type.getName())
                || COLLECTIONS.contains(type.getName())
                || PACKAGES.contains(type.getPackageName());
    }
}

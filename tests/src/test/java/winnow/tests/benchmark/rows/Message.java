package winnow.tests.benchmark.rows;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;

/// One generated message: as numbers, which static structures compare, and as an application would
/// set it. Immutable.
public final class Message {
    /// There is no value.
    public static final int MISSING = -1;

    /// There is a value, but of a type that the selectors do not ask for.
    public static final int OTHER_TYPE = -2;

    private static final int NUMBER_TYPES = 10;

    private final int[] values;
    private final Map<String, Object> properties;

    private Message(int[] values, Map<String, Object> properties) {
        this.values = values;
        this.properties = properties;
    }

    /// @param values for each attribute a number of its own type, [#MISSING] or [#OTHER_TYPE]
    /// @param random chooses the types
    static Message of(Row row, int[] values, Random random) {
        Map<String, Object> properties = new LinkedHashMap<>();
        for (int attribute = 0; attribute < values.length; attribute++) {
            if (values[attribute] != MISSING) {
                properties.put(Atom.nameOf(attribute), property(row, values, attribute, random));
            }
        }
        return new Message(values, properties);
    }

    private static Object property(Row row, int[] values, int attribute, Random random) {
        int value = values[attribute];
        if (value == OTHER_TYPE) {
            return row.isText(attribute) ? notText(random) : notNumber(random);
        }
        if (row.isText(attribute)) {
            return Atom.textOf(value);
        }
        if (row.confused == 0) {
            return value;
        }
        return switch (random.nextInt(NUMBER_TYPES)) {
            case 0 -> (Object) (long) value;
            case 1 -> (Object) (double) value;
            default -> (Object) value;
        };
    }

    private static Object notText(Random random) {
        return switch (random.nextInt(3)) {
            case 0 -> (Object) random.nextInt(Row.NUMBERS);
            case 1 -> (Object) (random.nextInt(Row.NUMBERS) + 0.5);
            default -> (Object) random.nextBoolean();
        };
    }

    private static Object notNumber(Random random) {
        return switch (random.nextInt(3)) {
            case 0 -> Integer.toString(random.nextInt(Row.NUMBERS));
            case 1 -> Atom.textOf(random.nextInt(Row.VALUES));
            default -> random.nextBoolean();
        };
    }

    /// The number of an attribute's value, [#MISSING] or [#OTHER_TYPE].
    public int value(int attribute) {
        return values[attribute];
    }

    /// [#value] of all attributes. Borrowed: never change it.
    int[] values() {
        return values;
    }

    /// True if each value has the type that the selectors ask for.
    boolean isPlain() {
        for (int value : values) {
            if (value == OTHER_TYPE) {
                return false;
            }
        }
        return true;
    }

    public Map<String, Object> properties() {
        return properties;
    }
}

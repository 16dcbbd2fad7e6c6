package winnow.broker.config;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Changes values in a record of records by their keys. The key of a value is the path of component
/// names in kebab-case: `transport.max-frame`. Immutable.
public final class ConfigReader {
    private static final Pattern DURATION = Pattern.compile("(-?[0-9]{1,9})(ms|s|m)");

    private ConfigReader() {}

    /// A copy of `defaults` in which the values of `settings` replace those of the same keys.
    ///
    /// @throws IllegalArgumentException naming the key, what was expected and what was found
    public static <R extends Record> R read(R defaults, Map<String, String> settings) {
        Map<String, String> known = keys(defaults);
        for (String key : settings.keySet()) {
            if (!known.containsKey(key)) {
                throw new IllegalArgumentException(
                        "unknown setting '" + key + "'; known are " + known.keySet());
            }
        }
        return apply(defaults, "", settings);
    }

    /// All keys of a record of records with their values as text that [#read] takes, in
    /// alphabetical order.
    public static Map<String, String> keys(Record config) {
        Map<String, String> keys = new LinkedHashMap<>();
        collect(config, "", keys);
        return new TreeMap<>(keys);
    }

    private static void collect(Record config, String prefix, Map<String, String> keys) {
        for (RecordComponent component : config.getClass().getRecordComponents()) {
            Object value = valueOf(config, component);
            String key = prefix + kebab(component.getName());
            if (value instanceof Record section && parser(section.getClass()) == null) {
                collect(section, key + ".", keys);
            } else {
                keys.put(key, text(value));
            }
        }
    }

    private static <R extends Record> R apply(
            R config, String prefix, Map<String, String> settings) {
        RecordComponent[] components = config.getClass().getRecordComponents();
        List<Object> values = new ArrayList<>();
        for (RecordComponent component : components) {
            Object value = valueOf(config, component);
            String key = prefix + kebab(component.getName());
            String text = settings.get(key);
            if (value instanceof Record section && parser(section.getClass()) == null) {
                values.add(apply(section, key + ".", settings));
            } else if (text == null) {
                values.add(value);
            } else {
                values.add(parse(key, component.getType(), text));
            }
        }
        return construct(config, components, values, prefix);
    }

    private static Object parse(String key, Class<?> type, String text) {
        try {
            if (type == int.class) {
                return Integer.parseInt(text);
            } else if (type == boolean.class) {
                return parseBoolean(text);
            } else if (type == Duration.class) {
                return parseDuration(text);
            } else if (type == Path.class) {
                return Path.of(text);
            } else if (type.isEnum()) {
                return parseEnum(type, text);
            }
            Method parser = parser(type);
            return parser == null ? text : parser.invoke(null, text);
        } catch (InvocationTargetException e) {
            throw new IllegalArgumentException(key + ": " + e.getTargetException().getMessage(), e);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("cannot call parse of " + type, e);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    key + ": expected a whole number, found '" + text + "'", e);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(key + ": " + e.getMessage(), e);
        }
    }

    /// The `parse(String)` of a type that is a single value, null if it has none.
    private static @Nullable Method parser(Class<?> type) {
        try {
            Method method = type.getMethod("parse", String.class);
            return Modifier.isStatic(method.getModifiers()) ? method : null;
        } catch (NoSuchMethodException _) {
            return null;
        }
    }

    private static boolean parseBoolean(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default ->
                    throw new IllegalArgumentException(
                            "expected true or false, found '" + text + "'");
        };
    }

    /// Reads `500ms`, `5s` or `2m`.
    ///
    /// @throws IllegalArgumentException with what was expected
    public static Duration parseDuration(String text) {
        Matcher duration = DURATION.matcher(text);
        if (!duration.matches()) {
            throw new IllegalArgumentException(
                    "expected a duration of up to 9 digits such as 500ms, 5s or 2m, found '"
                            + text
                            + "'");
        }
        long value = Long.parseLong(duration.group(1));
        return switch (duration.group(2)) {
            case "ms" -> Duration.ofMillis(value);
            case "s" -> Duration.ofSeconds(value);
            default -> Duration.ofMinutes(value);
        };
    }

    /// The text that a value is read from.
    public static String text(Object value) {
        if (value instanceof Duration duration) {
            return duration.toMillisPart() == 0
                    ? duration.toSeconds() + "s"
                    : duration.toMillis() + "ms";
        }
        return String.valueOf(value);
    }

    private static Object parseEnum(Class<?> type, String text) {
        for (Object constant : type.getEnumConstants()) {
            if (constant.toString().equalsIgnoreCase(text)) {
                return constant;
            }
        }
        String allowed = Arrays.toString(type.getEnumConstants()).toLowerCase(Locale.ROOT);
        throw new IllegalArgumentException("expected one of " + allowed + ", found '" + text + "'");
    }

    private static Object valueOf(Record config, RecordComponent component) {
        try {
            return component.getAccessor().invoke(config);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot read " + component, e);
        }
    }

    @SuppressWarnings("unchecked")
    private static <R extends Record> R construct(
            R config, RecordComponent[] components, List<Object> values, String prefix) {
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            return (R) config.getClass().getConstructor(types).newInstance(values.toArray());
        } catch (InvocationTargetException e) {
            throw new IllegalArgumentException(prefix + e.getTargetException().getMessage(), e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot make " + config.getClass(), e);
        }
    }

    private static String kebab(String name) {
        return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }
}

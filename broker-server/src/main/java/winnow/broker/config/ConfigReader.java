package winnow.broker.config;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Changes values in a record of records by their keys. The key of a value is the path of component
/// names in kebab-case: `transport.max-frame`. Immutable.
public final class ConfigReader {
    private static final String HIDDEN = "(hidden)";
    private static final Pattern DURATION = Pattern.compile("(-?[0-9]{1,9})(ms|s|m)");

    private ConfigReader() {}

    /// A copy of `defaults` in which the values of `settings` replace those of the same keys.
    ///
    /// @throws IllegalArgumentException naming the key, what was expected and what was found
    public static <R extends Record> R read(R defaults, Map<String, String> settings) {
        Set<String> known = keys(defaults).keySet();
        for (String key : settings.keySet()) {
            if (!known.contains(key)) {
                throw new IllegalArgumentException(
                        "unknown setting '" + key + "'" + NearestKeys.hint(key, known, one -> one));
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
            if (isSection(value)) {
                collect((Record) value, key + ".", keys);
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
            if (isSection(value)) {
                values.add(apply((Record) value, key + ".", settings));
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
            return parse(type, text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(key + ": " + e.getMessage(), e);
        }
    }

    /// The value that a text stands for.
    ///
    /// @throws IllegalArgumentException saying what was expected and what was found
    static Object parse(Class<?> type, String text) {
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
            throw new IllegalArgumentException(e.getTargetException().getMessage(), e);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("cannot call parse of " + type, e);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("expected a whole number, found '" + text + "'", e);
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

    /// @throws IllegalArgumentException if it is neither true nor false
    public static boolean parseBoolean(String text) {
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
        return value instanceof Enum<?> constant
                ? constant.name().toLowerCase(Locale.ROOT).replace('_', '-')
                : String.valueOf(value);
    }

    /// The constant with that name, in lower case and with `-` for `_`.
    ///
    /// @throws IllegalArgumentException naming all of them
    public static Object parseEnum(Class<?> type, String text) {
        for (Object constant : type.getEnumConstants()) {
            if (text(constant).equalsIgnoreCase(text)) {
                return constant;
            }
        }
        List<String> allowed =
                Arrays.stream(type.getEnumConstants()).map(ConfigReader::text).toList();
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

    /// The settings of a record of records as people want to know them, in alphabetical order.
    ///
    /// @param config values in force; of the same form as `defaults`
    public static List<SettingInfo> describe(Record defaults, Record config) {
        List<SettingInfo> infos = new ArrayList<>();
        describe(defaults, config, "", infos);
        infos.sort(Comparator.comparing(SettingInfo::key));
        return infos;
    }

    private static void describe(
            Record defaults, Record config, String prefix, List<SettingInfo> infos) {
        for (RecordComponent component : config.getClass().getRecordComponents()) {
            Object ofDefault = valueOf(defaults, component);
            Object value = valueOf(config, component);
            String key = prefix + kebab(component.getName());
            if (isSection(value)) {
                describe((Record) ofDefault, (Record) value, key + ".", infos);
            } else {
                infos.add(info(key, component, ofDefault, effective(config, component, value)));
            }
        }
    }

    private static SettingInfo info(
            String key, RecordComponent component, Object ofDefault, Object effective) {
        Setting setting = setting(component);
        return new SettingInfo(
                key,
                setting.value(),
                unit(component.getType(), setting),
                Ranges.text(setting),
                setting.zero(),
                text(ofDefault),
                setting.secret() ? HIDDEN : text(effective),
                setting.reloadable(),
                setting.secret());
    }

    private static Setting setting(RecordComponent component) {
        Setting setting = component.getAnnotation(Setting.class);
        if (setting == null) {
            throw new IllegalStateException(
                    "expected @Setting on "
                            + component.getDeclaringRecord().getSimpleName()
                            + "."
                            + component.getName()
                            + ", found none");
        }
        return setting;
    }

    private static String unit(Class<?> type, Setting setting) {
        if (!setting.unit().isEmpty()) {
            return setting.unit();
        } else if (type == Duration.class) {
            return "time: ms, s, m";
        } else if (type == ByteSize.class) {
            return "bytes: B, KiB, MiB, GiB";
        } else if (type == boolean.class) {
            return "true or false";
        } else if (type == Path.class) {
            return "path";
        } else if (type.isEnum()) {
            return String.join(
                    " or ",
                    Arrays.stream(type.getEnumConstants()).map(ConfigReader::text).toList());
        }
        return type == int.class ? "number" : "text";
    }

    private static Object effective(Record config, RecordComponent component, Object value) {
        String method = setting(component).effective();
        if (method.isEmpty()) {
            return value;
        }
        try {
            Object computed = config.getClass().getMethod(method).invoke(config);
            return value instanceof ByteSize
                    ? new ByteSize(((Number) computed).longValue())
                    : computed;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot call " + method + " of " + config, e);
        }
    }

    private static boolean isSection(Object value) {
        return value instanceof Record section && parser(section.getClass()) == null;
    }

    static String kebab(String name) {
        return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }
}

package winnow.broker.config;

import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;

/// Checks the values of a record against the ranges that [Setting] gives its components.
public final class Ranges {
    private static final ClassValue<List<Range>> OF_RECORD =
            new ClassValue<>() {
                @Override
                protected List<Range> computeValue(Class<?> type) {
                    return Arrays.stream(type.getRecordComponents()).map(Range::of).toList();
                }
            };

    private Ranges() {}

    /// To be called by the compact constructor of a record of settings.
    ///
    /// @param values of the components, in their order
    /// @throws IllegalArgumentException naming the key within its section, the range and the value
    public static void check(Class<? extends Record> type, Object... values) {
        List<Range> ranges = OF_RECORD.get(type);
        if (ranges.size() != values.length) {
            throw new IllegalStateException(type + " has " + ranges.size() + " components");
        }
        for (int i = 0; i < values.length; i++) {
            ranges.get(i).check(values[i]);
        }
    }

    /// The range of a component for people, empty if it has none.
    static String text(Setting setting) {
        String zero = setting.zero().isEmpty() ? "" : "0 or ";
        if (setting.min().isEmpty() && setting.max().isEmpty()) {
            return "";
        }
        if (setting.max().isEmpty()) {
            return zero + "at least " + setting.min();
        }
        if (setting.min().isEmpty()) {
            return zero + "at most " + setting.max();
        }
        return zero + setting.min() + " to " + setting.max();
    }

    private record Range(String key, long min, long max, boolean zero, String text) {
        static Range of(RecordComponent component) {
            Setting setting = component.getAnnotation(Setting.class);
            String key = ConfigReader.kebab(component.getName());
            if (setting == null) {
                return new Range(key, Long.MIN_VALUE, Long.MAX_VALUE, true, "");
            }
            return new Range(
                    key,
                    bound(component.getType(), setting.min(), Long.MIN_VALUE),
                    bound(component.getType(), setting.max(), Long.MAX_VALUE),
                    !setting.zero().isEmpty(),
                    Ranges.text(setting));
        }

        private static long bound(Class<?> type, String text, long otherwise) {
            if (text.isEmpty()) {
                return otherwise;
            }
            return number(ConfigReader.parse(type, text)).orElseThrow();
        }

        void check(Object value) {
            OptionalLong number = number(value);
            if (number.isEmpty() || (zero && number.getAsLong() == 0)) {
                return;
            }
            if (number.getAsLong() < min || number.getAsLong() > max) {
                throw new IllegalArgumentException(
                        key + ": expected " + text + ", found " + ConfigReader.text(value));
            }
        }

        /// Of sizes the bytes, of times the milliseconds.
        private static OptionalLong number(Object value) {
            return switch (value) {
                case Integer number -> OptionalLong.of(number);
                case ByteSize size -> OptionalLong.of(size.bytes());
                case Duration time -> OptionalLong.of(time.toMillis());
                default -> OptionalLong.empty();
            };
        }
    }
}

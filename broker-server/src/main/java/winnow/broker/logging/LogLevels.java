package winnow.broker.logging;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/// Levels of loggers by name, as in `winnow.broker.session=debug,io.netty=info`. Immutable.
public record LogLevels(Map<String, Level> levels) {
    public static final LogLevels NONE = new LogLevels(Map.of());

    public LogLevels {
        levels = Map.copyOf(levels);
    }

    /// @throws IllegalArgumentException saying what was expected and what was found
    public static LogLevels parse(String text) {
        Map<String, Level> levels = new LinkedHashMap<>();
        for (String one : text.isBlank() ? new String[0] : text.split(",", -1)) {
            int equals = one.indexOf('=');
            Level level = equals < 1 ? null : level(one.substring(equals + 1).strip());
            if (level == null) {
                throw new IllegalArgumentException(
                        "expected NAME=LEVEL, joined by commas, with a level of error, warn, info,"
                                + " debug or trace, found '"
                                + one
                                + "'");
            }
            levels.put(one.substring(0, equals).strip(), level);
        }
        return new LogLevels(levels);
    }

    private static @Nullable Level level(String text) {
        for (Level level : Level.values()) {
            if (level.name().equalsIgnoreCase(text)) {
                return level;
            }
        }
        return null;
    }

    @Override
    public String toString() {
        return levels.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(one -> one.getKey() + "=" + one.getValue().name().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(","));
    }
}

package winnow.broker.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Gathers the values of settings, later sources over earlier ones, and everything that is wrong
/// with them. Used by one thread.
public final class SettingSources {
    /// The source of a value that nobody has set.
    public static final String DEFAULT = "default";

    /// Nobody reads more.
    private static final int MAX_PROBLEMS = 100;

    private final Record defaults;
    private final Set<String> keys;
    private final Map<String, Value> values = new TreeMap<>();
    private final List<String> problems = new ArrayList<>();

    /// A value as text and where it is from.
    private record Value(String text, String source) {}

    /// @param defaults a record of records of settings
    public SettingSources(Record defaults) {
        this.defaults = defaults;
        this.keys = ConfigReader.keys(defaults).keySet();
    }

    Set<String> keys() {
        return keys;
    }

    /// Adds what a YAML file says.
    public SettingSources file(Path file) {
        new YamlSettings(file, this).read();
        return this;
    }

    /// Adds what environment variables say.
    public SettingSources environment(Map<String, String> environment) {
        EnvironmentSettings.read(environment, this);
        return this;
    }

    /// Adds a value.
    ///
    /// @param source for people: where it is from
    public SettingSources put(String key, String text, String source) {
        if (keys.contains(key)) {
            values.put(key, new Value(text, source));
        } else if (problems.size() < MAX_PROBLEMS) {
            problem(
                    source
                            + ": unknown setting '"
                            + key
                            + "'"
                            + NearestKeys.hint(key, keys, one -> one));
        }
        return this;
    }

    void problem(String text) {
        if (problems.size() < MAX_PROBLEMS) {
            problems.add(text);
        }
    }

    /// Origin of a setting's value.
    public String source(String key) {
        Value value = values.get(key);
        return value == null ? DEFAULT : value.source();
    }

    /// The text that a setting was given, empty if nobody has set it.
    public String text(String key) {
        Value value = values.get(key);
        return value == null ? "" : value.text();
    }

    /// Settings that can be read.
    ///
    /// @param config the defaults changed by what is right, null if they contradict each other
    /// @param problems everything that is wrong
    public record Checked<R extends Record>(@Nullable R config, List<String> problems) {
        public Checked {
            problems = List.copyOf(problems);
        }
    }

    /// The defaults changed by what was added.
    ///
    /// @throws IllegalArgumentException naming everything that is wrong, a line each
    public <R extends Record> R read(Class<R> type) {
        Checked<R> checked = check(type);
        R config = checked.config();
        if (config == null || !checked.problems().isEmpty()) {
            throw new IllegalArgumentException(String.join("\n", checked.problems()));
        }
        return config;
    }

    /// The defaults changed by what is right of what was added, and what is wrong with the rest.
    public <R extends Record> Checked<R> check(Class<R> type) {
        Map<String, String> texts = new TreeMap<>();
        values.forEach((key, value) -> texts.put(key, value.text()));
        R read = null;
        boolean more = true;
        while (read == null && more) {
            try {
                read = type.cast(ConfigReader.read(defaults, texts));
            } catch (IllegalArgumentException e) {
                more = forget(String.valueOf(e.getMessage()), texts);
            }
        }
        return new Checked<>(read, problems);
    }

    /// Notes a problem and takes the value away that it is about, so that the others are found.
    ///
    /// @return false if that value is not known
    private boolean forget(String problem, Map<String, String> texts) {
        int colon = problem.indexOf(':');
        String key = colon < 0 ? "" : problem.substring(0, colon);
        Value value = texts.remove(key) == null ? null : values.get(key);
        problem(value == null ? problem : value.source() + ": " + problem);
        return value != null;
    }
}

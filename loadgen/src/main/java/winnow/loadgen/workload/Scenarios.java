package winnow.loadgen.workload;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/// The scenarios that come with the load generator, one JSON file each.
public final class Scenarios {

    /// File names without ending; also the order in help texts.
    private static final List<String> NAMES =
            List.of(
                    "4.1",
                    "4.2",
                    "4.3",
                    "4.4",
                    "4.5",
                    "4.6",
                    "4.7",
                    "4.8",
                    "4.9-correlation",
                    "4.9-property",
                    "4.10",
                    "throughput",
                    "others",
                    "others-identical",
                    "others-or",
                    "others-and");

    private static final ObjectMapper JSON = new ObjectMapper();

    private Scenarios() {}

    /// All of them, in the order of their names.
    public static List<Scenario> all() {
        return NAMES.stream().map(Scenarios::named).toList();
    }

    /// All names that [#named] knows.
    public static List<String> names() {
        return NAMES;
    }

    /// @throws IllegalArgumentException for an unknown name
    public static Scenario named(String name) {
        if (!NAMES.contains(name)) {
            throw new IllegalArgumentException(
                    "expected a scenario out of %s, found '%s'".formatted(NAMES, name));
        }
        try (var file = Scenarios.class.getResourceAsStream(name + ".json")) {
            if (file == null) {
                throw new IllegalStateException("scenario file missing: " + name);
            }
            return JSON.readValue(file, Scenario.class);
        } catch (IOException unreadable) {
            throw new UncheckedIOException("scenario " + name, unreadable);
        }
    }
}

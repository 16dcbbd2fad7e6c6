package winnow.tests.queues;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// What to measure, and how large. Immutable.
///
/// @param home Winnow's sources
/// @param out directory of the results; the brokers' files are below it meanwhile
/// @param floor class path of the floor's program, empty if there is none
/// @param brokers names of [Contender]s
/// @param scenarios names of [QueueScenario]s
/// @param producers of the points of synced sends
/// @param interval that one point is measured for
/// @param warmUp before each point
/// @param firstWarmUp before the first point of a broker
/// @param backlog messages that wait at a restart and are drained
/// @param drainers consumers that drain them
/// @param durables durable subscriptions
/// @param selective consumers with a selector of their own
/// @param unmatched messages that none of them takes
/// @param rounds how often those are measured with and without
/// @param scenarioLimit after which a broker's part of a scenario is given up
/// @param limit after which no further part is begun
record BenchmarkOptions(
        Path home,
        Path out,
        String floor,
        List<String> brokers,
        List<String> scenarios,
        List<Integer> producers,
        Duration interval,
        Duration warmUp,
        Duration firstWarmUp,
        long backlog,
        int drainers,
        int durables,
        int selective,
        long unmatched,
        int rounds,
        Duration scenarioLimit,
        Duration limit) {

    private static final Map<String, String> DEFAULTS =
            Map.ofEntries(
                    Map.entry("home", "."),
                    Map.entry("out", "reports/queues"),
                    Map.entry("floor", ""),
                    Map.entry("brokers", "winnow,artemis,classic"),
                    Map.entry("scenarios", "synced,fast,backlog,durable,selective,late"),
                    Map.entry("producers", "1,10,50"),
                    Map.entry("seconds", "5"),
                    Map.entry("warm-up", "3"),
                    Map.entry("first-warm-up", "20"),
                    Map.entry("backlog", "1000000"),
                    Map.entry("drainers", "1"),
                    Map.entry("durables", "100"),
                    Map.entry("selective", "1000"),
                    Map.entry("unmatched", "100000"),
                    Map.entry("rounds", "1"),
                    Map.entry("scenario-limit", "120"),
                    Map.entry("limit", "1200"));

    /// @param arguments as `--name value`, in pairs
    /// @throws IllegalArgumentException with what was expected and found
    static BenchmarkOptions parse(String... arguments) {
        Map<String, String> values = new HashMap<>(DEFAULTS);
        for (int i = 0; i < arguments.length; i += 2) {
            String name = arguments[i].replaceFirst("^--", "");
            if (!DEFAULTS.containsKey(name) || i + 1 == arguments.length) {
                throw new IllegalArgumentException(
                        "expected pairs of an option and its value, the options being "
                                + DEFAULTS.keySet().stream().map("--"::concat).sorted().toList()
                                + ", found "
                                + arguments[i]);
            }
            values.put(name, arguments[i + 1]);
        }
        return of(values);
    }

    private static BenchmarkOptions of(Map<String, String> values) {
        return new BenchmarkOptions(
                Path.of(text(values, "home")).toAbsolutePath(),
                Path.of(text(values, "out")).toAbsolutePath(),
                text(values, "floor"),
                names(values, "brokers"),
                names(values, "scenarios"),
                names(values, "producers").stream().map(Integer::valueOf).toList(),
                seconds(values, "seconds"),
                seconds(values, "warm-up"),
                seconds(values, "first-warm-up"),
                number(values, "backlog"),
                (int) number(values, "drainers"),
                (int) number(values, "durables"),
                (int) number(values, "selective"),
                number(values, "unmatched"),
                (int) number(values, "rounds"),
                seconds(values, "scenario-limit"),
                seconds(values, "limit"));
    }

    private static String text(Map<String, String> values, String name) {
        return values.getOrDefault(name, "");
    }

    private static List<String> names(Map<String, String> values, String name) {
        return Arrays.stream(text(values, name).split(",", -1))
                .map(part -> part.strip().toLowerCase(Locale.ROOT))
                .filter(part -> !part.isEmpty())
                .toList();
    }

    private static long number(Map<String, String> values, String name) {
        String value = text(values, name);
        if (!value.matches("[1-9][0-9]{0,8}")) {
            throw new IllegalArgumentException(
                    "expected 1 to 999999999 for --" + name + ", found '" + value + "'");
        }
        return Long.parseLong(value);
    }

    private static Duration seconds(Map<String, String> values, String name) {
        return Duration.ofSeconds(number(values, name));
    }
}

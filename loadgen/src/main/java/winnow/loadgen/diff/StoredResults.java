package winnow.loadgen.diff;

import static java.util.Locale.ROOT;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import winnow.loadgen.run.LoadException;
import winnow.loadgen.run.Measurement;
import winnow.loadgen.run.ResultFiles;
import winnow.loadgen.run.Run;

/// Speeds of all points that a command has left in a directory. Immutable.
///
/// @param kind of results, which two have to have in common
/// @param unit of the speeds: the larger, the better
/// @param speeds by point, one for each repetition, above zero
/// @param settings of the measurements: values by name, several where runs differ
public record StoredResults(
        String kind,
        String unit,
        Map<String, List<Double>> speeds,
        Map<String, Set<String>> settings) {

    private static final ObjectMapper JSON = new ObjectMapper();

    /// More than any run makes.
    private static final long MOST_BYTES = 1L << 30;

    /// Of those of `load run`, what matters for figures; its points tell the rest.
    private static final List<String> OF_RUNS =
            List.of("settings", "machine", "provider", "workers", "sharedMachine");

    private static final double MICROS = 1e6;

    private static final List<String> FILES =
            List.of("points.jsonl", "rate.json", "round-trips.json");

    /// Levels of directories below that of a paper or a comparison.
    private static final int DEPTH = 3;

    /// Speed of a point of `load run`.
    public enum Speed {
        /// By the clock.
        THROUGHPUT("throughput", "received and dispatched messages/s"),
        /// By the CPU time of the broker.
        BROKER_CPU("broker-cpu", "received and dispatched messages per second of broker CPU time");

        private final String label;
        private final String unit;

        Speed(String label, String unit) {
            this.label = label;
            this.unit = unit;
        }

        @Override
        public String toString() {
            return label;
        }
    }

    /// Reads `points.jsonl`, `rate.json` or `round-trips.json`, of which the first is taken.
    ///
    /// @param directory that has one of them, or the file itself
    /// @param speed of points of `load run`
    /// @param warnings gets a sentence for each line that is cut off
    /// @throws LoadException if there are no results
    public static StoredResults read(Path directory, Speed speed, Consumer<String> warnings)
            throws LoadException {
        for (var name : FILES) {
            var file = file(directory, name);
            if (Files.isRegularFile(file)) {
                var results =
                        switch (name) {
                            case "points.jsonl" -> ofPoints(file, speed, warnings);
                            case "rate.json" -> ofRates(file);
                            default -> ofRoundTrips(file);
                        };
                if (results.speeds.isEmpty()) {
                    throw new LoadException(file + ": expected points that count, found none");
                }
                return results;
            }
        }
        throw new LoadException(
                directory
                        + ": expected points.jsonl, rate.json or round-trips.json, found none of"
                        + " them");
    }

    /// Directories with results below one, relative to it: an empty path alone if it has results
    /// itself or is not there, one for each step of a paper or each scenario of a provider's
    /// comparison.
    public static SortedSet<Path> directories(Path directory) throws LoadException {
        if (!Files.isDirectory(directory)
                || FILES.stream().anyMatch(name -> Files.isRegularFile(file(directory, name)))) {
            return new TreeSet<>(Set.of(Path.of("")));
        }
        try (var files = Files.walk(directory, DEPTH)) {
            return files.filter(file -> FILES.contains(String.valueOf(file.getFileName())))
                    .map(file -> directory.relativize(file.resolveSibling("")))
                    .collect(Collectors.toCollection(TreeSet::new));
        } catch (IOException | UncheckedIOException failed) {
            throw new LoadException("cannot read the directory " + directory, failed);
        }
    }

    private static Path file(Path directory, String name) {
        return directory.endsWith(name) ? directory : directory.resolve(name);
    }

    private static StoredResults ofPoints(Path file, Speed speed, Consumer<String> warnings)
            throws LoadException {
        var runs = ResultFiles.read(file, warnings);
        var matchings = new LinkedHashMap<String, Set<String>>();
        for (var run : runs) {
            for (var one : run.measurements()) {
                matchings
                        .computeIfAbsent(name(run, one, ""), _ -> new TreeSet<>())
                        .add(String.valueOf(one.matching()));
            }
        }
        // A broker that has learnt another matching is compared with the one before; a run of both
        // ways, as of the demo, has two points.
        var speeds = new LinkedHashMap<String, List<Double>>();
        for (var run : runs) {
            for (var one : run.valid()) {
                var several = matchings.getOrDefault(name(run, one, ""), Set.of()).size() > 1;
                var value =
                        speed == Speed.BROKER_CPU
                                ? one.overallPerBrokerSecond().orElse(0)
                                : one.overallPerSecond();
                var suffix = several ? ", " + one.matching() : "";
                add(speeds, name(run, one, suffix), value);
            }
        }
        if (speeds.isEmpty() && runs.stream().anyMatch(run -> !run.valid().isEmpty())) {
            throw new LoadException(
                    file
                            + ": expected CPU time of the broker, found none: leave --by out, or"
                            + " measure with --metrics-url or --broker-pid");
        }
        var settings = new TreeMap<String, Set<String>>();
        for (var run : runs) {
            var header = ResultFiles.json(run.header());
            for (var name : OF_RUNS) {
                flatten(name, header.path(name), settings);
            }
            for (var worker : header.path("workerMachines")) {
                var roles = worker.path("roles").asText();
                flatten("machine that " + roles, worker.path("machine"), settings);
            }
        }
        settings.put("body bytes", bodies(runs));
        return new StoredResults("points.jsonl", speed.unit, speeds, settings);
    }

    private static String name(Run run, Measurement one, String suffix) {
        return run.header().scenario() + ": " + one.point().label() + suffix;
    }

    private static Set<String> bodies(List<Run> runs) {
        var bodies = new TreeSet<String>();
        for (var run : runs) {
            run.measurements().forEach(one -> bodies.add(one.point().bodyBytes() + " B"));
        }
        return bodies;
    }

    private static StoredResults ofRates(Path file) throws LoadException {
        var root = tree(file);
        var speeds = new LinkedHashMap<String, List<Double>>();
        for (var index = 0; index < root.path("runs").size(); index++) {
            var run = root.path("runs").path(index);
            if (run.path("voidReason").asText().isEmpty()) {
                var micros = run.path("latency").path("p99Micros").asDouble();
                var goal = root.path("goals").path(index).asText();
                var name = goal.endsWith("%") ? goal + " of the capacity" : rate(run);
                add(speeds, name, micros > 0 ? MICROS / micros : 0);
            }
        }
        var settings = new TreeMap<String, Set<String>>();
        flatten("load", root.path("load"), settings);
        return new StoredResults(
                "rate.json", "1 / p99 of the latency in seconds", speeds, settings);
    }

    /// As exact as it can be typed.
    private static String rate(JsonNode run) {
        var form = new DecimalFormat("#,##0.#########", DecimalFormatSymbols.getInstance(ROOT));
        return form.format(run.path("ratePerSecond").asDouble()) + " messages/s";
    }

    private static StoredResults ofRoundTrips(Path file) throws LoadException {
        var root = tree(file);
        var speeds = new LinkedHashMap<String, List<Double>>();
        for (var one : root.path("results")) {
            var micros = one.path("meanMicros").asDouble();
            var name = "%s, %,d B".formatted(one.path("layer").asText(), one.path("bytes").asInt());
            add(speeds, name, micros > 0 ? MICROS / micros : 0);
        }
        var settings = new TreeMap<String, Set<String>>();
        flatten("settings", root.path("settings"), settings);
        flatten("machine", root.path("machine"), settings);
        return new StoredResults("round-trips.json", "round trips/s", speeds, settings);
    }

    /// Adds a speed, unless there is none.
    private static void add(Map<String, List<Double>> speeds, String point, double speed) {
        if (speed > 0 && Double.isFinite(speed)) {
            speeds.computeIfAbsent(point, _ -> new ArrayList<>()).add(speed);
        }
    }

    private static void flatten(String name, JsonNode node, Map<String, Set<String>> settings) {
        if (node.isObject()) {
            node.properties()
                    .forEach(field ->
                            flatten(name + "." + field.getKey(), field.getValue(), settings));
        } else if (!node.isMissingNode() && !node.isNull()) {
            var text = node.isTextual() ? node.asText() : node.toString();
            settings.computeIfAbsent(name, _ -> new LinkedHashSet<>()).add(text);
        }
    }

    private static JsonNode tree(Path file) throws LoadException {
        try {
            if (Files.size(file) > MOST_BYTES) {
                throw new LoadException(file + ": expected less than 1 GiB");
            }
            return JSON.readTree(file.toFile());
        } catch (JsonProcessingException malformed) {
            throw new LoadException(
                    file + ": expected results, found: " + malformed.getOriginalMessage());
        } catch (IOException failed) {
            throw new LoadException("cannot read results from " + file, failed);
        }
    }
}

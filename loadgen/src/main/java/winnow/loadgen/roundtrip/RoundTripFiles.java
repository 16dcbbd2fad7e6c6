package winnow.loadgen.roundtrip;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import winnow.loadgen.report.OutputFile;
import winnow.loadgen.run.LoadException;

/// Results as files: `round-trips.json`, `round-trips.csv` and `round-trips.html`.
public final class RoundTripFiles {

    private static final String COLUMNS =
            "layer,bytes,round_trips,mean_us,best_series_us,worst_series_us,p50_us,p99_us,"
                    + "mb_per_s,stream_per_s,stream_mb_per_s,wire_bytes\n";

    private static final ObjectMapper JSON =
            new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    private RoundTripFiles() {}

    /// Writes all of them.
    ///
    /// @return the page
    public static Path write(RoundTripRun run, Path directory) throws LoadException {
        var page = directory.resolve("round-trips.html");
        try {
            OutputFile.write(directory.resolve("round-trips.json"), json(run) + "\n");
            OutputFile.write(directory.resolve("round-trips.csv"), csv(run));
            OutputFile.write(page, RoundTripPage.of(run));
            return page;
        } catch (IOException failed) {
            throw new LoadException("cannot write results to " + directory, failed);
        }
    }

    /// The results that [#write] has written.
    ///
    /// @param file `round-trips.json`
    public static RoundTripRun read(Path file) throws LoadException {
        try {
            return JSON.readValue(file.toFile(), RoundTripRun.class);
        } catch (IOException failed) {
            throw new LoadException("cannot read " + file, failed);
        }
    }

    /// The drawings of the page.
    ///
    /// @param prefix of their ids, unlike any other of the page
    public static String drawings(RoundTripRun run, String prefix) {
        return RoundTripPage.charts(run, prefix, Set.of());
    }

    /// Latency and bandwidth alone.
    ///
    /// @param prefix of their ids, unlike any other of the page
    public static String mainDrawings(RoundTripRun run, String prefix) {
        return RoundTripPage.charts(run, prefix, Set.of("latency", "bandwidth"));
    }

    /// A table of what the papers state of round trips.
    public static String papers() {
        return RoundTripPage.papers();
    }

    /// One object.
    public static String json(RoundTripRun run) throws IOException {
        return JSON.writeValueAsString(run);
    }

    static String csv(RoundTripRun run) {
        var out = new StringBuilder(COLUMNS);
        for (var one : run.results()) {
            out.append(
                    String.join(
                            ",",
                            one.layer().label(),
                            Integer.toString(one.bytes()),
                            Long.toString(one.trips()),
                            figure(one.meanMicros()),
                            figure(one.bestMicros()),
                            figure(one.worstMicros()),
                            figure(one.p50Micros()),
                            figure(one.p99Micros()),
                            figure(one.megabytesPerSecond()),
                            figure(one.streamPerSecond()),
                            figure(one.streamMegabytesPerSecond()),
                            figure(one.wireBytes())));
            out.append('\n');
        }
        return out.toString();
    }

    /// Empty if it is unknown.
    private static String figure(@Nullable Double value) {
        return value == null ? "" : String.format(Locale.ROOT, "%.3f", value);
    }
}

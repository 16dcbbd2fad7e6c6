package winnow.tests.queues;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// What the disk allows: group commits into a bare file and into the store's log, without network
/// and broker, and relays that store what plain sockets send in a bare file or in the store's log.
/// Programs in processes of their own.
final class Floor {
    /// The name of the bare file in the results.
    static final String BARE = "bare file";

    private static final Map<String, String> COLUMNS =
            Map.of(
                    "msg/s", "msg/s",
                    "p50 us", "p50 us",
                    "p99 us", "p99 us",
                    "broker us", "broker us/msg",
                    "file B", "file B/msg");

    /// How often a program warms up for the first time: once for each relay.
    private static final int MAX_WARM_UPS = 3;

    private Floor() {}

    /// Adds its rows to the synced sends.
    ///
    /// @param turn `before` or `after` the brokers
    static void measure(BenchmarkOptions options, String turn, Results results)
            throws IOException, InterruptedException {
        Path files = Files.createTempDirectory(options.out(), "floor-");
        try {
            String directory = files.toString();
            String log = "winnow.store.rocksdb.GroupCommitBenchmark";
            run(options, turn, results, log, directory, "500", "4");
            String relay = "winnow.tests.floor.StoringRelayBenchmark";
            String firstWarmUp = Long.toString(options.firstWarmUp().toSeconds());
            String warmUp = Long.toString(options.warmUp().toSeconds());
            run(options, turn, results, relay, directory, "4", firstWarmUp, warmUp);
        } finally {
            Stage.delete(files);
        }
    }

    private static void run(
            BenchmarkOptions options, String turn, Results results, String main, String... args)
            throws IOException, InterruptedException {
        Duration limit =
                options.scenarioLimit().plus(options.firstWarmUp().multipliedBy(MAX_WARM_UPS));
        FloorProgram program = new FloorProgram(options, limit);
        for (Map<String, String> row : program.run(main, args)) {
            Figures figures = new Figures();
            row.forEach((column, cell) -> {
                String name = COLUMNS.get(column);
                if (name != null) {
                    figures.with(name, Double.parseDouble(cell));
                }
            });
            List<String> cells = List.copyOf(row.values());
            String point = SyncedSends.point(Integer.parseInt(cells.get(0)));
            results.add(SyncedSends.NAME, point, cells.get(1) + " " + turn, figures);
        }
    }
}

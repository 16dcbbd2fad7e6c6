package winnow.tests.queues;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// What the disk allows: group commits into a bare file and, as a second row, into the store's log,
/// without network and broker. A program of the store's tests in a process of its own.
final class Floor {
    /// The name of the bare file in the results.
    static final String BARE = "bare file";

    private static final int COLUMNS = 8;

    private Floor() {}

    /// Adds its rows to the synced sends.
    ///
    /// @param turn `before` or `after` the brokers
    static void measure(BenchmarkOptions options, String turn, Results results)
            throws IOException, InterruptedException {
        Path files = Files.createTempDirectory(options.out(), "floor-");
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx512m",
                                "--enable-native-access=ALL-UNNAMED",
                                "-cp",
                                options.floor(),
                                "winnow.store.rocksdb.GroupCommitBenchmark",
                                files.toString(),
                                "500",
                                "4")
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        try (BufferedReader out = process.inputReader()) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                add(line.split("\\s*\\|\\s*", -1), turn, results);
            }
        } finally {
            process.destroyForcibly().waitFor();
            delete(files);
        }
    }

    private static void add(String[] cells, String turn, Results results) {
        if (cells.length < COLUMNS || !cells[1].matches("\\d+")) {
            return;
        }
        Figures figures =
                new Figures()
                        .with("msg/s", Double.parseDouble(cells[3]))
                        .with("p50 us", Double.parseDouble(cells[4]))
                        .with("p99 us", Double.parseDouble(cells[5]));
        if (cells.length > COLUMNS) {
            figures.with("file B/msg", Double.parseDouble(cells[7]));
        }
        String point = SyncedSends.point(Integer.parseInt(cells[1]));
        String log = cells[2].startsWith("bare") ? BARE : "store's log";
        results.add(SyncedSends.NAME, point, log + " " + turn, figures);
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            List<Path> deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
            for (Path path : deepestFirst) {
                Files.deleteIfExists(path);
            }
        }
    }
}

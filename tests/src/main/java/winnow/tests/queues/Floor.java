package winnow.tests.queues;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// What the disk allows: group commits into a bare file and into the store's log, without network
/// and broker, and a relay that stores in a bare file what plain sockets send. Programs in
/// processes of their own.
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
            run(options, turn, results, relay, directory, "4", "3");
        } finally {
            delete(files);
        }
    }

    private static void run(
            BenchmarkOptions options, String turn, Results results, String main, String... args)
            throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx512m",
                                "--enable-native-access=ALL-UNNAMED",
                                "--sun-misc-unsafe-memory-access=allow",
                                "-cp",
                                options.floor(),
                                main));
        command.addAll(List.of(args));
        Process process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        try (BufferedReader out = process.inputReader()) {
            List<String> header = List.of();
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                List<String> cells = List.of(line.split("\\s*\\|\\s*", -1));
                if (header.isEmpty() && cells.contains("producers")) {
                    header = cells;
                } else if (cells.size() > 2 && cells.get(1).matches("\\d+")) {
                    add(header, cells, turn, results);
                }
            }
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    private static void add(List<String> header, List<String> cells, String turn, Results results) {
        Figures figures = new Figures();
        for (int i = 3; i < Math.min(header.size(), cells.size()); i++) {
            String name = COLUMNS.get(header.get(i));
            if (name != null) {
                figures = figures.with(name, Double.parseDouble(cells.get(i)));
            }
        }
        String point = SyncedSends.point(Integer.parseInt(cells.get(1)));
        results.add(SyncedSends.NAME, point, cells.get(2) + " " + turn, figures);
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

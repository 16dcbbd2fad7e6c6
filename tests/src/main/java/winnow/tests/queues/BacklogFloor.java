package winnow.tests.queues;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/// What no broker that keeps messages in this store can go below: a restart is a start without
/// messages and one scan of the rows that a broker must know; a drain is a relay that passes on
/// what it reads of the store. It works on a copy of the broker's files, which shares what they
/// hold. Used by one thread.
final class BacklogFloor implements AutoCloseable {
    /// The name of the rows, before the turn.
    static final String FLOOR = "floor";

    private static final String SCAN = "winnow.tests.floor.ReplayBenchmark";
    private static final String DRAIN = "winnow.tests.floor.DrainBenchmark";

    /// Where the broker keeps the store in its directory.
    private static final String STORE = "store";

    private final Stage stage;
    private final long messages;
    private final FloorProgram program;
    private final Path copy;

    /// @param messages that wait
    BacklogFloor(Stage stage, long messages) {
        this.stage = stage;
        this.messages = messages;
        copy = stage.files().resolveSibling(stage.files().getFileName() + "-copy");
        program = new FloorProgram(stage.options(), stage.options().scenarioLimit().dividedBy(3));
    }

    /// Measures the floor of a restart; makes the copy if there is none. The broker must not run.
    ///
    /// @param turn `before` or `after` the broker
    void restart(String turn) throws InterruptedException {
        if (!stage.options().floor().isEmpty()) {
            orLeaveOut(() -> measureRestart(turn));
        }
    }

    private void measureRestart(String turn) throws IOException, InterruptedException {
        String store = stage.files().resolve(STORE).toString();
        Map<String, String> scan =
                Files.exists(copy)
                        ? program.run(SCAN, copy.toString()).getFirst()
                        : program.run(SCAN, store, copy.toString()).getFirst();
        double scanSeconds = number(scan, "scan s");
        stage.add(
                QueueBacklog.NAME,
                QueueBacklog.RESTART,
                FLOOR + " " + turn,
                new Figures()
                        .with("messages", (double) messages)
                        .with("seconds", stage.emptyRestartSeconds() + scanSeconds)
                        .with("scan s", scanSeconds));
    }

    /// Measures the floor of a drain.
    ///
    /// @param turn `before` or `after` the broker
    void drain(String turn) throws InterruptedException {
        if (Files.exists(copy)) {
            orLeaveOut(() -> measureDrain(turn));
        }
    }

    private interface Measurement {
        void run() throws IOException, InterruptedException;
    }

    /// The broker's own figures do not depend on the floor.
    private static void orLeaveOut(Measurement floor) throws InterruptedException {
        try {
            floor.run();
        } catch (IOException | RuntimeException e) {
            System.err.println("queues: a floor is left out: " + e.getMessage());
        }
    }

    private void measureDrain(String turn) throws IOException, InterruptedException {
        Map<String, String> drain =
                program.run(DRAIN, copy.toString(), Long.toString(messages)).getFirst();
        Figures figures = new Figures();
        figures.with("messages", number(drain, "messages"));
        figures.with("seconds", number(drain, "seconds"));
        figures.with("msg/s", number(drain, "msg/s"));
        figures.with("broker us/msg", number(drain, "broker us"));
        figures.with("client us/msg", number(drain, "client us"));
        stage.add(QueueBacklog.NAME, QueueBacklog.DRAIN, FLOOR + " " + turn, figures);
    }

    private static double number(Map<String, String> row, String column) {
        return Double.parseDouble(row.getOrDefault(column, "none"));
    }

    @Override
    public void close() throws IOException {
        if (Files.exists(copy)) {
            Stage.delete(copy);
        }
    }
}

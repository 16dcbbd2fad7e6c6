package winnow.store.rocksdb;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import winnow.store.Completion;
import winnow.store.Durability;
import winnow.store.LogException;

/// A process for tests to kill, or to run on a disk that fails: verifies a log, then appends
/// [NumberedBatches] for as long as it can.
///
/// It prints `opened N`, where N is the last batch that it found, then `completed N` for each batch
/// and `failed N REASON` for each that failed. After a failure it verifies that what was completed
/// can still be read, prints `readable N` and ends with exit code 3.
public final class AppendingProcess {
    private static final int IN_FLIGHT = 50;

    /// So small that buffers are written out and files are merged all the time.
    static final RocksSettings SETTINGS = settings(1);

    private final RocksSettings settings;
    private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.US_ASCII);
    private final Semaphore room = new Semaphore(IN_FLIGHT);
    private volatile boolean failed;

    private AppendingProcess(RocksSettings settings) {
        this.settings = settings;
    }

    private static RocksSettings settings(int bufferMebibytes) {
        int bytes = bufferMebibytes << 20;
        return new RocksSettings(bytes, 2L * bytes, 1 << 20, 4096, 1 << 20, 2);
    }

    /// @param arguments directory of the log, number of the last batch to append, MiB of the write
    ///   buffer
    public static void main(String[] arguments) throws InterruptedException {
        new AppendingProcess(settings(Integer.parseInt(arguments[2])))
                .run(Path.of(arguments[0]), Long.parseLong(arguments[1]));
    }

    /// Starts one that appends until it is killed or its disk fails; the caller reads its lines.
    ///
    /// @param wrapper what is put before the command
    static Process start(Path directory, int bufferMebibytes, String... wrapper)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(wrapper));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Xmx64m");
        command.add("-XX:TieredStopAtLevel=1");
        command.add("--enable-native-access=ALL-UNNAMED");
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(AppendingProcess.class.getName());
        command.add(directory.toString());
        command.add(Long.toString(Long.MAX_VALUE));
        command.add(Integer.toString(bufferMebibytes));
        Files.createDirectories(directory);
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(errors(directory).toFile()))
                .start();
    }

    /// Where the process of a directory writes its errors to.
    static Path errors(Path directory) {
        return directory.resolveSibling(directory.getFileName() + ".errors");
    }

    private void run(Path directory, long last) throws InterruptedException {
        var completions = Executors.newSingleThreadExecutor();
        try (RocksShardLog log = RocksShardLog.open(directory, completions, settings)) {
            long number = NumberedBatches.verify(log);
            out.println("opened " + number);
            while (number < last && !failed) {
                room.acquire();
                number++;
                append(log, number);
            }
            room.acquire(IN_FLIGHT);
            if (failed) {
                out.println("readable " + NumberedBatches.verify(log));
            }
        }
        completions.shutdown();
        if (failed) {
            System.exit(3);
        }
    }

    private void append(RocksShardLog log, long number) {
        log.append(
                NumberedBatches.batch(number),
                number % 4 == 0 ? Durability.SYNCED : Durability.WRITTEN,
                new Completion() {
                    @Override
                    public void onWritten() {
                        out.println("completed " + number);
                        if (NumberedBatches.prunes(number)) {
                            NumberedBatches.reclaim(log, number);
                        }
                        room.release();
                    }

                    @Override
                    public void onFailed(LogException failure) {
                        failed = true;
                        out.println("failed " + number + " " + failure.reason());
                        room.release();
                    }
                });
    }
}

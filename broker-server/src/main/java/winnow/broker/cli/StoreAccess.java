package winnow.broker.cli;

import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;
import winnow.broker.shard.StoreCheck;
import winnow.broker.shard.StoreReport;
import winnow.store.LogException;
import winnow.store.rocksdb.RocksSettings;
import winnow.store.rocksdb.RocksShardLog;
import winnow.store.rocksdb.StoreCopy;

/// Which store a command works on, and in which form it tells what it has found.
final class StoreAccess {
    /// The name of the store in a broker's directory, and in a backup.
    private static final String STORE = "store";

    private static final long MEMORY_BYTES = 128L << 20;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            required = true,
            description = "the directory of the broker's files, as 'winnow broker' has it")
    private Path data = Path.of("");

    @Option(
            names = "--output",
            paramLabel = "FORMAT",
            description = "text (default) or json",
            defaultValue = "text")
    private SelectorCommand.Output output = SelectorCommand.Output.TEXT;

    boolean isJson() {
        return output == SelectorCommand.Output.JSON;
    }

    /// The directory of the broker's files.
    Path data() {
        return data;
    }

    /// The directory of the store.
    Path store() {
        return storeIn(data);
    }

    /// The directory of the store in a directory of a broker, or in a backup.
    static Path storeIn(Path directory) {
        return directory.resolve(STORE);
    }

    /// Opens a store as a broker does: what a crash has left at its end is cut off.
    ///
    /// @throws LogException if it is none, in use or damaged
    static RocksShardLog open(Path store) {
        StoreCopy.requireStore(store);
        return RocksShardLog.open(store, Runnable::run, RocksSettings.within(MEMORY_BYTES));
    }

    /// Opens a store and reads all of it.
    ///
    /// @throws LogException if it is none, in use, or so damaged that it cannot be opened
    static StoreContent verify(Path store, StoreProgress progress) {
        try (RocksShardLog log = open(store)) {
            Optional<String> damagedFile = damagedFile(log);
            StoreReport report = StoreCheck.verify(log, progress::onRows);
            return new StoreContent(store, log.fileBytes(), report, damagedFile);
        }
    }

    /// The rows are read even so, to tell which messages it costs.
    private static Optional<String> damagedFile(RocksShardLog log) {
        try {
            log.verifyFiles();
            return Optional.empty();
        } catch (LogException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }
}

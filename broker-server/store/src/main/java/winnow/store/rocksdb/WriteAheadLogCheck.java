package winnow.store.rocksdb;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.store.LogException;
import winnow.store.LogException.Reason;

/// Cuts off what a crash has left at the end of the newest write-ahead log, and refuses damage.
///
/// RocksDB can either cut the log at the first record that it cannot read, wherever that is, or
/// refuse every such record. The first would lose synced batches in silence when a bit has flipped,
/// the second would not start after a power failure. So this class reads the files before RocksDB
/// does.
final class WriteAheadLogCheck {
    private static final Logger LOG = LoggerFactory.getLogger(WriteAheadLogCheck.class);

    private WriteAheadLogCheck() {}

    /// Looks at all write-ahead logs in a directory of RocksDB and cuts a torn end off.
    ///
    /// @return how many bytes were cut off
    /// @throws LogException if records are damaged that must be there
    static long repair(Path rocksdb) throws IOException {
        List<Path> files;
        try (Stream<Path> entries = Files.list(rocksdb)) {
            // The names are numbers of the same length.
            files = entries.filter(path -> path.toString().endsWith(".log")).sorted().toList();
        }
        long cut = 0;
        boolean newest = true;
        for (Path file : files.reversed()) {
            WriteAheadLogReader.Result result = WriteAheadLogReader.read(file);
            if (result.damage().isPresent()) {
                cut += repair(file, result, newest);
            }
            // A file that a crash has left without a record says nothing about the one before.
            newest &= result.records() == 0;
        }
        return cut;
    }

    private static long repair(Path file, WriteAheadLogReader.Result result, boolean newest)
            throws IOException {
        WriteAheadLogReader.Damage damage = result.damage().orElseThrow();
        long size = Files.size(file);
        if (!newest || result.syncedDamaged()) {
            throw new LogException(
                    Reason.CORRUPT,
                    file
                            + " is damaged at byte "
                            + damage.at()
                            + " ("
                            + damage.found()
                            + "), and what was written after it shows that it had been whole."
                            + " Restore the store from a copy, and keep this one to examine it");
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(result.wholeBytes());
            channel.force(true);
        }
        LOG.warn(
                "{}: the last write was interrupted: {} at byte {} of {}. Cut off {} bytes;"
                        + " whatever was confirmed as synced is before them",
                file,
                damage.found(),
                damage.at(),
                size,
                size - result.wholeBytes());
        return size - result.wholeBytes();
    }
}

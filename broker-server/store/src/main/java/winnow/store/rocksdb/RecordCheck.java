package winnow.store.rocksdb;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.store.LogException;
import winnow.store.LogException.Reason;
import winnow.store.rocksdb.RecordFile.Content;

/// Cuts off what a crash has left at the end of RocksDB's write-ahead log and of its manifest (the
/// list of data files), and refuses damage. It does so before RocksDB reads them.
///
/// RocksDB can either cut the write-ahead log at the first record that it cannot read, wherever
/// that is, or refuse every such record. The first would lose synced batches in silence when a bit
/// has flipped, the second would not start after a power failure. And for some flipped bits of the
/// manifest, RocksDB 11.8 does not end to read it.
final class RecordCheck {
    private static final Logger LOG = LoggerFactory.getLogger(RecordCheck.class);

    private RecordCheck() {}

    /// Looks at the files in a directory of RocksDB and cuts torn ends off.
    ///
    /// @param end what is known to have been synced
    /// @return how many bytes were cut off
    /// @throws LogException if records are damaged that must be there
    static long repair(Path rocksdb, LogEnd end) throws IOException {
        end.check();
        return repairManifest(rocksdb) + repairWriteAheadLogs(rocksdb, end);
    }

    private static long repairManifest(Path rocksdb) throws IOException {
        Path current = rocksdb.resolve("CURRENT");
        if (!Files.exists(current)) {
            return 0; // RocksDB tells that
        }
        String name = Files.readString(current, StandardCharsets.ISO_8859_1).strip();
        if (!name.matches("MANIFEST-\\d+") || !Files.exists(rocksdb.resolve(name))) {
            throw new LogException(
                    Reason.CORRUPT,
                    current + ": expected the name of a manifest, found '" + name + "'");
        }
        Path manifest = rocksdb.resolve(name);
        return repair(manifest, RecordFile.read(manifest, Content.MANIFEST));
    }

    /// Cuts off what a copy of a log in use has of a group that was being written. RocksDB copies
    /// the newest write-ahead log as long as it is at that moment, and shares the others, which are
    /// whole, with the log in use.
    static void repairCopy(Path rocksdb) throws IOException {
        List<Path> files = writeAheadLogs(rocksdb);
        if (files.isEmpty()) {
            return;
        }
        Path newest = files.getLast();
        RecordFile.Result result = RecordFile.read(newest, Content.NEWEST_GROUPS);
        if (result.damage().isPresent()) {
            long cut = cut(newest, result);
            LOG.info("{}: cut off {} bytes of a write that had not ended", newest, cut);
        }
    }

    private static List<Path> writeAheadLogs(Path rocksdb) throws IOException {
        try (Stream<Path> entries = Files.list(rocksdb)) {
            return entries.filter(path -> path.getFileName().toString().matches("\\d+\\.log"))
                    .sorted(Comparator.comparingLong(RecordCheck::number))
                    .toList();
        }
    }

    private static long repairWriteAheadLogs(Path rocksdb, LogEnd end) throws IOException {
        List<Path> files = writeAheadLogs(rocksdb);
        long cut = 0;
        // Those that hold nothing that was confirmed, and the log that they follow.
        List<Path> dispensable = new ArrayList<>();
        Optional<RecordFile.Earlier> earlier = Optional.empty();
        Content content = Content.NEWEST_GROUPS;
        for (Path file : files.reversed()) {
            if (end.isAfter(number(file))) {
                content = Content.OLDER_GROUPS;
            }
            RecordFile.Result result = RecordFile.read(file, content);
            if (!end.mayEndAt(number(file), result.wholeBytes())) {
                throw damaged(
                        file, result.damage().orElseThrow(), "it is known to have been synced");
            }
            cut += repair(file, result);
            if (content == Content.NEWEST_GROUPS && isShort(file, earlier)) {
                cut += remove(dispensable, file);
            }
            if (isDispensable(result) && end.isBefore(number(file))) {
                dispensable.add(file);
                earlier = result.earlier();
            } else if (result.records() > 0) {
                content = Content.OLDER_GROUPS;
            }
        }
        return cut;
    }

    /// True if a log has no group, or a first one before which not all had been synced. If the
    /// newest log that is known is an older one, the crash has interrupted that group, and nobody
    /// was told of it. Then it says nothing about what was before it.
    private static boolean isDispensable(RecordFile.Result result) {
        return result.records() == 0
                || (result.records() == 1 && result.firstMark() == RecordFile.AFTER_UNSYNCED);
    }

    /// True if a crash has left less of a log than there was when the next one was begun.
    private static boolean isShort(Path file, Optional<RecordFile.Earlier> then)
            throws IOException {
        long size = Files.size(file);
        return then.filter(one -> one.number() == number(file) && one.bytes() > size).isPresent();
    }

    /// RocksDB would refuse them, because they follow something that is not there any more.
    ///
    /// @return their bytes
    private static long remove(List<Path> dispensable, Path last) throws IOException {
        long bytes = 0;
        for (Path file : dispensable) {
            long size = Files.size(file);
            LOG.warn(
                    "{}: removed with {} bytes, none of which were confirmed as synced: it follows"
                            + " an interrupted write to {}",
                    file,
                    size,
                    last);
            Files.delete(file);
            bytes += size;
        }
        dispensable.clear();
        return bytes;
    }

    private static long number(Path file) {
        return Long.parseLong(file.getFileName().toString().replace(".log", ""));
    }

    private static LogException damaged(Path file, RecordFile.Damage damage, String why) {
        return new LogException(
                Reason.CORRUPT,
                file
                        + " is damaged at byte "
                        + damage.at()
                        + " ("
                        + damage.found()
                        + "), and "
                        + why
                        + ". Restore the store from a copy, and keep this one to examine it");
    }

    private static long repair(Path file, RecordFile.Result result) throws IOException {
        if (result.damage().isEmpty()) {
            return 0;
        }
        RecordFile.Damage damage = result.damage().get();
        long size = Files.size(file);
        long cut = cut(file, result);
        LOG.warn(
                "{}: the last write was interrupted: {} at byte {} of {}. Cut off {} bytes;"
                        + " whatever was confirmed as synced is before them",
                file,
                damage.found(),
                damage.at(),
                size,
                cut);
        return cut;
    }

    /// @return how many bytes are cut off
    /// @throws LogException if a crash cannot be the reason of the damage
    private static long cut(Path file, RecordFile.Result result) throws IOException {
        if (result.neededDamaged()) {
            throw damaged(
                    file,
                    result.damage().orElseThrow(),
                    "what was written after it shows that it had been whole");
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            long size = channel.size();
            channel.truncate(result.wholeBytes());
            channel.force(true);
            return size - result.wholeBytes();
        }
    }
}

package winnow.store.rocksdb;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import winnow.store.LogException;
import winnow.store.LogException.Reason;

/// The number of the newest write-ahead log, and how many bytes of it are on the disk, in a file of
/// its own beside RocksDB's. Older logs are known from newer ones, but what must be in the newest
/// one is known from nowhere else: were it missing or empty, the store would be opened without what
/// it held.
///
/// The file is written and synced before the first group of a new log is confirmed, then about a
/// second after a sync, and when the log is closed. It has two slots, written in turn, so that a
/// write that is interrupted leaves the other one:
///
/// | offset | bytes | field |
/// |---|---|---|
/// | 0 | 8 | how often it was written, to know the later slot |
/// | 8 | 8 | number of the newest write-ahead log, 0 if nothing is known |
/// | 16 | 8 | bytes of it that are on the disk |
/// | 24 | 4 | CRC-32C of the 24 bytes before |
///
/// Used by one thread at a time.
final class LogEnd implements AutoCloseable {
    private static final int SLOT_BYTES = 4096;
    private static final int FIELD_BYTES = 24;
    static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Path rocksdb;
    private final FileChannel file;
    private final LongSupplier nanoClock;
    private final Known known;
    private long written;
    private long markedNanos;

    /// The log that the last group went to, and its size then.
    private long number;

    private long size;

    /// The same as of the last sync.
    private long syncedNumber;

    private long syncedSize;

    /// Mark that was written last.
    private long markedNumber;

    private long markedSize;

    /// Known state of the log's end.
    private record Known(long written, long number, long bytes) {}

    private LogEnd(Path rocksdb, FileChannel file, LongSupplier nanoClock) throws IOException {
        this.rocksdb = rocksdb;
        this.file = file;
        this.nanoClock = nanoClock;
        known = read(file).orElse(new Known(0, 0, 0));
        written = known.written();
    }

    static Path file(Path directory) {
        return directory.resolve("end");
    }

    /// Reads what is known.
    ///
    /// @param directory of the store
    static LogEnd open(Path directory, LongSupplier nanoClock) throws IOException {
        Path path = file(directory);
        FileChannel file =
                FileChannel.open(
                        path,
                        Set.of(
                                StandardOpenOption.CREATE,
                                StandardOpenOption.READ,
                                StandardOpenOption.WRITE),
                        StorePermissions.ofFile(path));
        boolean opened = false;
        try {
            LogEnd end = new LogEnd(StoreDirectory.rocksdb(directory), file, nanoClock);
            opened = true;
            return end;
        } finally {
            if (!opened) {
                file.close();
            }
        }
    }

    /// Looks whether what is known to be on the disk is there. A log that is not there is not
    /// needed if a newer one is: what it held is in data files.
    ///
    /// @throws LogException if the newest write-ahead log is missing or too short
    void check() throws IOException {
        if (known.number() == 0) {
            return;
        }
        Path log = log(rocksdb, known.number());
        boolean there = Files.exists(log);
        if (there ? Files.size(log) >= known.bytes() : newest(rocksdb) > known.number()) {
            return;
        }
        throw new LogException(
                Reason.CORRUPT,
                log
                        + ": expected the newest write-ahead log with at least "
                        + known.bytes()
                        + " bytes, found "
                        + (there ? Files.size(log) + " bytes" : "no such file")
                        + "; confirmed messages would be lost. Restore the store from a copy, and"
                        + " keep this one to examine it");
    }

    /// True if a crash may have left no more of a log than so many bytes.
    boolean mayEndAt(long logNumber, long bytes) {
        return logNumber != known.number() || bytes >= known.bytes();
    }

    /// True if the log that is known is older than that one.
    boolean isBefore(long logNumber) {
        return known.number() > 0 && known.number() < logNumber;
    }

    /// True if it is newer than that one, all of which was synced before.
    boolean isAfter(long logNumber) {
        return known.number() > logNumber;
    }

    /// Forgets what was known: the store is made anew.
    void forget() throws IOException {
        write(0, 0);
        StoreDirectory.sync(StoreDirectory.of(rocksdb));
    }

    private static Path log(Path rocksdb, long number) {
        return rocksdb.resolve("%06d.log".formatted(number));
    }

    private static long newest(Path rocksdb) throws IOException {
        try (Stream<Path> entries = Files.list(rocksdb)) {
            return entries.map(path -> path.getFileName().toString())
                    .filter(name -> name.matches("\\d+\\.log"))
                    .mapToLong(name -> Long.parseLong(name.replace(".log", "")))
                    .max()
                    .orElse(0);
        }
    }

    private static Optional<Known> read(FileChannel file) throws IOException {
        Optional<Known> first = read(file, 0);
        Optional<Known> second = read(file, SLOT_BYTES);
        if (first.isEmpty() || second.isEmpty()) {
            return first.or(() -> second);
        }
        return first.get().written() > second.get().written() ? first : second;
    }

    private static Optional<Known> read(FileChannel file, long at) throws IOException {
        ByteBuffer slot = ByteBuffer.allocate(FIELD_BYTES + Integer.BYTES);
        while (slot.hasRemaining() && file.read(slot, at + slot.position()) > 0) {
            // Reads on until the slot is full or the file ends.
        }
        if (slot.hasRemaining() || slot.getInt(FIELD_BYTES) != checksum(slot)) {
            return Optional.empty();
        }
        Known known = new Known(slot.getLong(0), slot.getLong(8), slot.getLong(16));
        return known.written() == 0 ? Optional.empty() : Optional.of(known);
    }

    private static int checksum(ByteBuffer slot) {
        CRC32C crc = new CRC32C();
        crc.update(slot.duplicate().position(0).limit(FIELD_BYTES));
        return (int) crc.getValue();
    }

    /// A group was written.
    ///
    /// @return whether it is the first of a new log: then the log is to be synced, because nothing
    ///   else tells that it must be there
    boolean onWritten() throws IOException {
        long found = bytes(number);
        // Each group makes its log longer: where this one is not, it went to a new one.
        boolean begun = number == 0 || found <= size;
        if (begun) {
            number = newest(rocksdb);
            found = bytes(number);
        }
        size = found;
        if (!begun && nanoClock.getAsLong() - markedNanos >= INTERVAL_NANOS) {
            mark();
        }
        return begun;
    }

    /// Everything that was written to the log is on the disk.
    void onSynced() throws IOException {
        if (number != syncedNumber) {
            settle();
        }
        long before = syncedNumber;
        syncedNumber = number;
        syncedSize = size;
        if (before != number || nanoClock.getAsLong() - markedNanos >= INTERVAL_NANOS) {
            mark();
        }
    }

    /// Nothing was written for a while.
    void onIdle() throws IOException {
        mark();
    }

    /// Everything that was written to the log is on the disk, and no more is written.
    void onEnd() throws IOException {
        settle();
        syncedNumber = number;
        syncedSize = size;
        mark();
    }

    /// Makes the newest log durable with its name, which may be one that RocksDB has begun a moment
    /// ago and not synced.
    private void settle() throws IOException {
        boolean there = false;
        while (!there) {
            number = newest(rocksdb);
            size = bytes(number);
            there = number == 0 || force(log(rocksdb, number));
        }
        StoreDirectory.sync(rocksdb);
        StoreDirectory.sync(StoreDirectory.of(rocksdb));
    }

    /// @return false if it is gone, because a newer one has taken its place
    private static boolean force(Path log) throws IOException {
        try (FileChannel channel = FileChannel.open(log, StandardOpenOption.WRITE)) {
            channel.force(true);
            return true;
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    private long bytes(long number) {
        return log(rocksdb, number).toFile().length();
    }

    /// Writes what is known to be on the disk, unless that is written.
    private void mark() throws IOException {
        markedNanos = nanoClock.getAsLong();
        if (syncedNumber != markedNumber || syncedSize != markedSize) {
            write(syncedNumber, syncedSize);
            markedNumber = syncedNumber;
            markedSize = syncedSize;
        }
    }

    private void write(long number, long bytes) throws IOException {
        written++;
        ByteBuffer slot = ByteBuffer.allocate(FIELD_BYTES + Integer.BYTES);
        slot.putLong(written).putLong(number).putLong(bytes);
        slot.putInt(checksum(slot)).flip();
        long at = written % 2 * SLOT_BYTES;
        while (slot.hasRemaining()) {
            file.write(slot, at + slot.position());
        }
        file.force(false);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}

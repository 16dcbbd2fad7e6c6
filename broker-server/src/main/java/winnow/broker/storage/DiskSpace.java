package winnow.broker.storage;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import winnow.store.rocksdb.StoreCopy;

/// Space that is free on the disk of a store, and that the store takes, as of one moment.
///
/// @param totalBytes size of the file system
/// @param usableBytes what the broker may write there
/// @param logBytes of the write-ahead log: so much more is taken until it is in data files
/// @param dataBytes of data files
record DiskSpace(long totalBytes, long usableBytes, long logBytes, long dataBytes) {
    /// Blocks.
    ///
    /// @throws IOException if that is not known
    /// @throws winnow.store.LogException if that is not known
    static DiskSpace of(Path directory) throws IOException {
        FileStore disk = Files.getFileStore(directory);
        return new DiskSpace(
                disk.getTotalSpace(),
                disk.getUsableSpace(),
                StoreCopy.writeAheadLogBytes(directory),
                StoreCopy.dataBytes(directory));
    }

    /// Bytes that are free when all that the broker has accepted is in data files.
    long freeBytes() {
        return Math.max(0, usableBytes - logBytes);
    }
}

package winnow.broker.storage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Remembers across restarts that a log has failed, so that what was delivered after that is marked
/// as redelivered when it comes again. One byte in a file, which is made before anything fails,
/// because a full disk takes no new one. Owned by the shard's thread.
final class FailureMark {
    private static final Logger LOG = LoggerFactory.getLogger(FailureMark.class);
    private static final byte WELL = 'w';
    private static final byte FAILED = 'f';

    private final Path file;

    /// @param directory of the store, which exists
    FailureMark(Path directory) {
        this.file = directory.resolve("state");
    }

    /// True if the log failed when it was open last, or has failed since. Makes the file if it is
    /// not there.
    boolean isSet() {
        try {
            if (Files.exists(file)) {
                byte[] found = Files.readAllBytes(file);
                return found.length > 0 && found[0] == FAILED;
            }
            write(WELL);
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be used", e);
        }
    }

    /// The log has failed.
    void set() {
        try {
            write(FAILED);
        } catch (IOException e) {
            LOG.warn(
                    "{} cannot be written: after a restart, messages that were delivered meanwhile"
                            + " may come again without a mark: {}",
                    file,
                    e.getMessage());
        }
    }

    /// A log has been opened, and what it marked is on the disk.
    void clear() {
        try {
            write(WELL);
        } catch (IOException e) {
            LOG.debug("{} cannot be written", file, e);
        }
    }

    private void write(byte state) throws IOException {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(new byte[] {state}), 0);
            channel.force(true);
        }
    }
}

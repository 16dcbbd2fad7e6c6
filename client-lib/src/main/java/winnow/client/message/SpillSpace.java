package winnow.client.message;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/// Space for bodies that are too large for the heap: files in one folder, with a limit for all of
/// them. Their names are gone from the folder, where the system permits that, as soon as they are
/// open, so that nothing is left when the process ends. Thread-safe.
public final class SpillSpace {
    /// For messages without a connection: the folder of the JDK for temporary files, without a
    /// limit.
    public static final SpillSpace UNLIMITED = new SpillSpace("", Long.MAX_VALUE);

    /// Number of checks for files that have been given back, and the time before each.
    private static final int LOOKS = 100;

    private static final int LOOK_MILLIS = 10;

    private final String folder;
    private final long limitBytes;
    private final AtomicLong used = new AtomicLong();

    /// @param folder for the files, empty for that of the JDK for temporary files
    /// @param limitBytes of all files together
    public SpillSpace(String folder, long limitBytes) {
        this.folder = folder;
        this.limitBytes = limitBytes;
    }

    /// Bytes in files now.
    public long usedBytes() {
        return used.get();
    }

    /// True if a file of so many bytes would ever find room.
    public boolean mayHold(long bytes) {
        return bytes <= limitBytes;
    }

    /// A new, empty file.
    ///
    /// @throws IOException if it cannot be made
    public SpillFile newFile() throws IOException {
        Path path =
                folder.isEmpty()
                        ? Files.createTempFile("winnow-", ".body")
                        : Files.createTempFile(Path.of(folder), "winnow-", ".body");
        return new SpillFile(this, path);
    }

    /// Charges bytes that are about to be written. Files of messages that nobody refers to any more
    /// are given back when the garbage collector has found them: where the limit is reached, it is
    /// asked to look.
    ///
    /// @throws IOException if the limit leaves no room
    void take(long bytes) throws IOException {
        if (tryTake(bytes)) {
            return;
        }
        System.gc();
        for (int i = 0; i < LOOKS; i++) {
            try {
                Thread.sleep(LOOK_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                break;
            }
            if (tryTake(bytes)) {
                return;
            }
        }
        throw new IOException(
                "the bodies of large messages take "
                        + used.get()
                        + " bytes on the disk: the limit is "
                        + limitBytes
                        + " (option largeMessageDisk)");
    }

    private boolean tryTake(long bytes) {
        if (used.addAndGet(bytes) <= limitBytes) {
            return true;
        }
        used.addAndGet(-bytes);
        return false;
    }

    void giveBack(long bytes) {
        used.addAndGet(-bytes);
    }
}

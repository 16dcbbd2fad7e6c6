package winnow.client.message;

import java.io.EOFException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.lang.ref.Cleaner;
import java.nio.file.Files;
import java.nio.file.Path;

/// The body of one message in a file, which is given back when nobody refers to it any more.
/// Thread-safe. It is no channel, because an interrupt would close that.
public final class SpillFile {
    private static final Cleaner CLEANER = Cleaner.create();

    private final Content content;
    private final Cleaner.Cleanable cleanable;
    private int owners = 1;

    SpillFile(SpillSpace space, Path path) throws IOException {
        content = new Content(space, path);
        cleanable = CLEANER.register(this, content);
    }

    /// The open file, which outlives the object until it is closed. Its lock guards it.
    private static final class Content implements Runnable {
        private final SpillSpace space;
        private final Path path;
        private final RandomAccessFile file;
        private boolean named;
        private long length;

        Content(SpillSpace space, Path path) throws IOException {
            this.space = space;
            this.path = path;
            this.file = new RandomAccessFile(path.toFile(), "rw");
            named = !tryDelete();
            if (named) {
                path.toFile().deleteOnExit();
            }
        }

        /// @return false where the system does not permit it for a file that is open
        private boolean tryDelete() {
            try {
                Files.delete(path);
                return true;
            } catch (IOException e) {
                return false;
            }
        }

        synchronized void append(byte[] array, int offset, int count) throws IOException {
            space.take(count);
            boolean written = false;
            try {
                file.seek(length);
                file.write(array, offset, count);
                length += count;
                written = true;
            } finally {
                if (!written) {
                    space.giveBack(count);
                }
            }
        }

        synchronized void read(long position, byte[] array, int offset, int count)
                throws IOException {
            file.seek(position);
            file.readFully(array, offset, count);
        }

        synchronized long length() {
            return length;
        }

        /// Closes the file and gives its space back.
        @Override
        public synchronized void run() {
            space.giveBack(length);
            length = 0;
            try {
                file.close();
                if (named) {
                    Files.deleteIfExists(path);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /// Bytes that have been appended.
    public long length() {
        return content.length();
    }

    /// Adds bytes at the end.
    ///
    /// @throws IOException if the limit or the disk has no room
    public void append(byte[] array, int offset, int count) throws IOException {
        content.append(array, offset, count);
    }

    /// Reads exactly so many bytes.
    ///
    /// @throws EOFException if there are not so many
    public void read(long position, byte[] array, int offset, int count) throws IOException {
        if (position + count > length()) {
            throw new EOFException("the body ends here");
        }
        content.read(position, array, offset, count);
    }

    /// One more refers to it.
    synchronized SpillFile shared() {
        owners++;
        return this;
    }

    /// One less refers to it; the last one closes it.
    public synchronized void release() {
        if (--owners == 0) {
            cleanable.clean();
        }
    }
}

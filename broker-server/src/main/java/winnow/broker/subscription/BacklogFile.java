package winnow.broker.subscription;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.broker.fault.FatalErrors;

/// The file for segments that leave memory, of all loops. It has nothing that outlives the broker:
/// it is deleted at the start and at the stop. One thread writes and reads it, so that no event
/// loop waits for a disk. The file is divided into places of [#PLACE_BYTES]; a segment takes as
/// many, side by side, as it needs. On the disk it is several files ([SpillParts]), so that space
/// is given back while some of it is used. Thread-safe.
public final class BacklogFile implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BacklogFile.class);

    static final int PLACE_BYTES = 16 * 1024;

    private static final int CHUNK_BYTES = 64 * 1024;

    /// Time without writes after the disk has failed, and after there was no room.
    private static final long FAILED_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final long FULL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /// Bytes of one file on the disk, if no message takes more.
    private static final long PART_BYTES = 256L << 20;

    /// Most bytes of a segment of one message beside its frame.
    private static final int HEAD_BYTES = 1024;

    /// Places by which the file grows before the free disk is looked at again: 16 MiB.
    private static final int GROWTH = 1024;

    /// Part of the disk that stays free, and the largest that stays free on a small one.
    private static final int FREE_PART = 20;

    private static final long LEAST_FREE = 256L << 20;
    private static final int SMALL_PART = 8;

    private static final long STOP_SECONDS = 5;

    private final Path directory;
    private final long limitBytes;
    private final SpillParts parts;
    private final ExecutorService thread =
            Executors.newSingleThreadExecutor(
                    Thread.ofPlatform().daemon().name("winnow-spill").factory());
    private final AtomicLong usedBytes = new AtomicLong();
    private final AtomicLong written = new AtomicLong();
    private volatile String problem = "";
    private volatile long pausedUntilNanos = System.nanoTime();

    /// The rest is the thread's.
    private final BitSet places = new BitSet();

    private final ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK_BYTES);
    private final CRC32C crc = new CRC32C();

    /// Opens the file for reading and writing, and makes it if it is not there.
    interface Opener {
        FileChannel open(Path path) throws IOException;
    }

    /// Is told by the file's thread what became of a segment.
    interface Writing {
        void onWritten(int place, int checksum);

        void onFailed();
    }

    /// Is told by the file's thread what became of reading one.
    interface Reading {
        void onRead();

        /// @param why for people
        void onFailed(String why);
    }

    /// Makes the directory if it is not there, and deletes what a broker has left that ended
    /// without a stop.
    ///
    /// @param limitBytes that the file may take
    /// @param maxFrameBytes of the longest message
    /// @throws IOException naming the directory if it cannot be used
    public BacklogFile(Path directory, long limitBytes, int maxFrameBytes) throws IOException {
        this(
                directory,
                limitBytes,
                SpillParts::open,
                placesOf(Math.max(PART_BYTES, (long) maxFrameBytes + HEAD_BYTES)));
    }

    BacklogFile(Path directory, long limitBytes, Opener opener, int placesOfPart)
            throws IOException {
        this.directory = directory;
        this.limitBytes = limitBytes;
        try {
            this.parts = new SpillParts(directory, opener, placesOfPart);
        } catch (IOException e) {
            throw new IOException(
                    "subscription.spill-directory: "
                            + directory
                            + ": expected a directory in which files can be made and deleted: "
                            + e,
                    e);
        }
    }

    /// Bytes of the file that are used.
    public long usedBytes() {
        return usedBytes.get();
    }

    /// Bytes that may be used.
    public long limitBytes() {
        return limitBytes;
    }

    /// Segments that were written since the start.
    long written() {
        return written.get();
    }

    /// Reason why the disk takes nothing, empty if it does or was not tried since.
    String problem() {
        return problem;
    }

    /// True if it is worth trying to write so much.
    boolean takes(int bytes) {
        return usedBytes.get() + parts.leavingBytes() + bytes <= limitBytes
                && System.nanoTime() - pausedUntilNanos >= 0;
    }

    /// Writes a segment. It may change meanwhile: what is written is what the checksum is of. Any
    /// thread.
    void write(Blocks blocks, Writing outcome) {
        execute(() -> {
            try {
                writeNow(blocks, outcome);
            } catch (IOException | RuntimeException | Error e) {
                FatalErrors.endIfFatal(e);
                onFailure(e.toString());
                outcome.onFailed();
            }
        });
    }

    /// Bytes of a segment that are written: the head, then the rest, which may be empty.
    record Blocks(ByteBuffer head, ByteBuffer rest) {
        int bytes() {
            return head.remaining() + rest.remaining();
        }
    }

    private void writeNow(Blocks blocks, Writing outcome) throws IOException {
        int count = placesOf(blocks.bytes());
        int place = findPlaces(count);
        if (place >= 0 && !isGranted(place, count)) {
            place = findGrantedPlaces(count);
            if (place < 0) {
                onFailure("the disk has less than " + leastFreeBytes() + " bytes free");
            }
        }
        if (place < 0) {
            outcome.onFailed();
            return;
        }
        SpillParts.Part part = parts.of(place);
        int end = parts.offset(place) + count;
        crc.reset();
        long at = (long) parts.offset(place) * PLACE_BYTES;
        at = append(part.channel, at, blocks.head().duplicate());
        append(part.channel, at, blocks.rest().duplicate());
        places.set(place, place + count);
        part.used += count;
        part.end = Math.max(part.end, end);
        usedBytes.addAndGet((long) count * PLACE_BYTES);
        written.incrementAndGet();
        if (!problem.isEmpty()) {
            problem = "";
            LOG.info("What waits for consumers goes to {} again", directory);
        }
        outcome.onWritten(place, (int) crc.getValue());
    }

    private static int placesOf(long bytes) {
        return Math.toIntExact(Math.ceilDiv(bytes, PLACE_BYTES));
    }

    /// The first places that are free side by side in one file.
    private int findPlaces(int count) {
        int most = parts.placesOfPart();
        int place = places.nextClearBit(0);
        int end = endOfFree(place);
        while (end - place < count && count <= most) {
            place = places.nextClearBit(end);
            end = endOfFree(place);
        }
        long bytes = (long) (place + count) * PLACE_BYTES + parts.leavingBytes();
        if (count <= most && bytes <= limitBytes) {
            return place;
        }
        pausedUntilNanos = System.nanoTime() + FULL_NANOS;
        return -1;
    }

    /// End of the free places from there: the next one that is used, or the end of the file.
    private int endOfFree(int place) {
        int endOfPart = (place / parts.placesOfPart() + 1) * parts.placesOfPart();
        int used = places.nextSetBit(place);
        return used < 0 ? endOfPart : Math.min(used, endOfPart);
    }

    /// The first that are free side by side where the disk has given room already; below 0 if there
    /// are none.
    private int findGrantedPlaces(int count) {
        for (int first : parts.firstPlaces()) {
            SpillParts.Part part = parts.find(first);
            int end = part == null ? first : first + Math.min(part.granted, parts.placesOfPart());
            int place = places.nextClearBit(first);
            while (place + count <= end) {
                int used = endOfFree(place);
                if (used - place >= count) {
                    return place;
                }
                place = places.nextClearBit(used);
            }
        }
        return -1;
    }

    private boolean isGranted(int place, int count) throws IOException {
        SpillParts.Part part = parts.find(place);
        int end = parts.offset(place) + count;
        if (part != null && end <= part.granted) {
            return true;
        }
        FileStore disk = Files.getFileStore(directory);
        int written = part == null ? 0 : part.end;
        long usable = disk.getUsableSpace() - (long) (end - written + GROWTH) * PLACE_BYTES;
        if (usable < leastFreeBytes()) {
            return false;
        }
        parts.of(place).granted = end + GROWTH;
        return true;
    }

    private long leastFreeBytes() throws IOException {
        long total = Files.getFileStore(directory).getTotalSpace();
        return Math.max(total / FREE_PART, Math.min(LEAST_FREE, total / SMALL_PART));
    }

    private long append(FileChannel file, long at, ByteBuffer bytes) throws IOException {
        long end = at;
        while (bytes.hasRemaining()) {
            int part = Math.min(CHUNK_BYTES, bytes.remaining());
            chunk.clear().put(0, bytes, bytes.position(), part).limit(part);
            bytes.position(bytes.position() + part);
            crc.update(chunk);
            chunk.rewind();
            while (chunk.hasRemaining()) {
                end += file.write(chunk, end);
            }
        }
        return end;
    }

    private void onFailure(String why) {
        pausedUntilNanos = System.nanoTime() + FAILED_NANOS;
        if (problem.isEmpty()) {
            LOG.warn(
                    "What waits for consumers cannot go to {}: {}. It stays in memory within"
                            + " subscription.total-buffer; the disk is tried again every {} s",
                    directory,
                    why,
                    TimeUnit.NANOSECONDS.toSeconds(FAILED_NANOS));
        }
        problem = why;
    }

    /// Reads what was written there. Any thread.
    ///
    /// @param into gets the bytes; belongs to the file's thread until the outcome is told
    void read(int place, int bytes, int checksum, byte[] into, Reading outcome) {
        execute(() -> {
            try {
                SpillParts.Part part = parts.find(place);
                if (part == null) {
                    throw new IOException("expected the file of place " + place + ", found none");
                }
                long at = (long) parts.offset(place) * PLACE_BYTES;
                if (readNow(part.channel, at, bytes, into) == checksum) {
                    outcome.onRead();
                } else {
                    outcome.onFailed(
                            part.path + ": expected what was written there, found other bytes");
                }
            } catch (IOException | RuntimeException | Error e) {
                FatalErrors.endIfFatal(e);
                outcome.onFailed(directory + ": " + e);
            }
        });
    }

    private int readNow(FileChannel file, long at, int bytes, byte[] into) throws IOException {
        crc.reset();
        for (int done = 0; done < bytes; ) {
            chunk.clear().limit(Math.min(CHUNK_BYTES, bytes - done));
            while (chunk.hasRemaining()) {
                if (file.read(chunk, at + done + chunk.position()) < 0) {
                    throw new IOException("expected " + bytes + " bytes, found its end");
                }
            }
            crc.update(chunk.flip());
            chunk.rewind().get(into, done, chunk.limit());
            done += chunk.limit();
        }
        return (int) crc.getValue();
    }

    /// Nobody needs what was written there. Any thread.
    ///
    /// @param freed called by the file's thread
    void free(int place, int bytes, Runnable freed) {
        execute(() -> {
            int count = placesOf(bytes);
            places.clear(place, place + count);
            usedBytes.addAndGet(-(long) count * PLACE_BYTES);
            freed.run();
            parts.release(place, count);
        });
    }

    private void execute(Runnable task) {
        try {
            thread.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.debug("Not done, the file is closed: {}", task);
        }
    }

    /// Deletes the file. The loops have been stopped.
    @Override
    public void close() {
        execute(parts::deleteAll);
        thread.shutdown();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(STOP_SECONDS);
        try {
            if (!thread.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)
                    || !parts.awaitDeleted(deadline - System.nanoTime())) {
                LOG.warn(
                        "Files in {} were not deleted within {} s; the next start deletes them",
                        directory,
                        STOP_SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

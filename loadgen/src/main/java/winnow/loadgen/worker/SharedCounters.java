package winnow.loadgen.worker;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// Number of messages that each publisher has sent and each subscriber has got, in a file that
/// coordinator and workers map. So the coordinator takes its samples without asking anybody, and
/// publishers see deliveries that another process counts.
///
/// Three runs of slots: `sent` per publisher, `reserved` per publisher (see [FlightWindow]),
/// `delivered` per subscriber. A slot is as large as two cache lines, because its neighbour has
/// another writer.
///
/// Thread-safe: each slot has one writer, writes release and reads acquire.
public final class SharedCounters {

    /// Two lines of 64 bytes: processors fetch them in pairs.
    private static final int SLOT_BYTES = 128;

    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

    private final MemorySegment memory;
    private final int publishers;
    private final int subscribers;

    private SharedCounters(MemorySegment memory, int publishers, int subscribers) {
        this.memory = memory;
        this.publishers = publishers;
        this.subscribers = subscribers;
    }

    /// Maps a file, new or existing. The mapping lasts until it is garbage, so a listener that is
    /// called late does no harm.
    public static SharedCounters map(Path file, int publishers, int subscribers)
            throws IOException {
        try (var channel =
                FileChannel.open(
                        file,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE)) {
            var bytes = (long) SLOT_BYTES * (2L * publishers + subscribers);
            if (channel.size() < bytes) {
                fill(channel, file, Math.toIntExact(bytes));
            }
            return new SharedCounters(
                    channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes, Arena.ofAuto()),
                    publishers,
                    subscribers);
        }
    }

    /// Writes zeros: a full disk fails here, where it is an exception, and not at the first access
    /// to memory without a disk block behind it, which kills the process.
    private static void fill(FileChannel channel, Path file, int bytes) throws IOException {
        var zeros = ByteBuffer.allocate(bytes);
        try {
            while (zeros.hasRemaining()) {
                channel.write(zeros);
            }
        } catch (IOException full) {
            throw new IOException("cannot write %,d bytes to %s".formatted(bytes, file), full);
        }
    }

    /// Messages sent by all publishers.
    public long sent() {
        return sum(0, publishers);
    }

    /// Copies delivered to all subscribers.
    public long delivered() {
        return sum(2 * publishers, subscribers);
    }

    /// Messages that some of the publishers have sent.
    public long sent(Part part) {
        return part.numbers(publishers).mapToLong(this::sent).sum();
    }

    /// Messages that one publisher has sent.
    public long sent(int publisher) {
        return get(publisher);
    }

    /// Copies delivered to some of the subscribers.
    public long delivered(Part part) {
        return part.numbers(subscribers).mapToLong(this::delivered).sum();
    }

    /// Copies delivered to the subscribers below a number.
    public long deliveredToFirst(int count) {
        return sum(2 * publishers, count);
    }

    /// Copies delivered to one subscriber.
    public long delivered(int subscriber) {
        return get(2 * publishers + subscriber);
    }

    /// Messages reserved by or for all publishers.
    public long reserved() {
        return sum(publishers, publishers);
    }

    /// Messages reserved by or for one publisher.
    public long reserved(int publisher) {
        return get(publishers + publisher);
    }

    /// Sets how many messages a publisher has sent.
    public void sent(int publisher, long messages) {
        set(publisher, messages);
    }

    /// Sets how many messages are reserved for a publisher.
    public void reserved(int publisher, long messages) {
        set(publishers + publisher, messages);
    }

    /// Sets how many copies a subscriber has got.
    public void delivered(int subscriber, long copies) {
        set(2 * publishers + subscriber, copies);
    }

    private long sum(int firstSlot, int slots) {
        var sum = 0L;
        for (var slot = firstSlot; slot < firstSlot + slots; slot++) {
            sum += get(slot);
        }
        return sum;
    }

    private long get(int slot) {
        return (long) LONG.getAcquire(memory, (long) slot * SLOT_BYTES);
    }

    private void set(int slot, long value) {
        LONG.setRelease(memory, (long) slot * SLOT_BYTES, value);
    }
}

package winnow.broker.subscription;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import winnow.wire.Delivery;
import winnow.wire.FrameType;
import winnow.wire.Protocol;

/// Delivery frames that wait for credit, complete and one behind the other in chunks, so that a run
/// of them leaves by one copy. Owned by its subscription's event loop.
final class Backlog {
    private static final VarHandle INT =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final int FIRST_CHUNK_BYTES = 4 * 1024;

    private final ArrayDeque<Chunk> chunks = new ArrayDeque<>();
    private final BacklogMemory memory;
    private final ChunkPool pool;
    private long bytes;

    private static final class Chunk {
        final byte[] array;
        int read;
        int written;

        Chunk(byte[] array) {
            this.array = array;
        }
    }

    Backlog(BacklogMemory memory, ChunkPool pool) {
        this.memory = memory;
        this.pool = pool;
    }

    /// Bytes of the frames that wait.
    long bytes() {
        return bytes;
    }

    boolean isEmpty() {
        return bytes == 0;
    }

    /// Appends a delivery frame for the block from `start` to `end`.
    void add(int subscriptionId, byte[] array, int start, int end) {
        int blockBytes = end - start;
        int frameBytes = Delivery.frameBytes(subscriptionId, blockBytes);
        Chunk chunk = chunks.peekLast();
        if (chunk == null || chunk.array.length - chunk.written < frameBytes) {
            chunk = new Chunk(newArray(frameBytes, chunk == null));
            chunks.addLast(chunk);
            memory.add(chunk.array.length);
        }
        byte[] out = chunk.array;
        int at = chunk.written;
        INT.set(out, at, frameBytes - Protocol.LENGTH_BYTES);
        at += Protocol.LENGTH_BYTES;
        out[at++] = FrameType.DELIVERY;
        int rest = subscriptionId;
        while (rest > 0x7F) {
            out[at++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        out[at++] = (byte) rest;
        out[at++] = 0;
        System.arraycopy(array, start, out, at, blockBytes);
        chunk.written += frameBytes;
        bytes += frameBytes;
    }

    /// Most backlogs stay short: the first chunk is small.
    private byte[] newArray(int frameBytes, boolean first) {
        if (frameBytes > ChunkPool.CHUNK_BYTES) {
            return new byte[frameBytes];
        }
        return first && frameBytes <= FIRST_CHUNK_BYTES ? new byte[FIRST_CHUNK_BYTES] : pool.take();
    }

    private void drop(Chunk chunk) {
        memory.add(-chunk.array.length);
        pool.give(chunk.array);
    }

    /// Gives a run of frames to `target`: as many as lie in the first chunk and the credit covers.
    ///
    /// @return the number of frames, 0 if the backlog is empty or there is no credit
    int drain(DeliveryTarget target, long creditMessages, long creditBytes) {
        Chunk chunk = chunks.peekFirst();
        if (chunk == null) {
            return 0;
        }
        int from = chunk.read;
        int at = from;
        int frames = 0;
        while (at < chunk.written && frames < creditMessages && at - from < creditBytes) {
            at += Protocol.LENGTH_BYTES + (int) INT.get(chunk.array, at);
            frames++;
        }
        target.appendFrames(chunk.array, from, at);
        chunk.read = at;
        bytes -= at - from;
        if (at == chunk.written) {
            chunks.removeFirst();
            drop(chunk);
        }
        return frames;
    }

    /// Drops everything.
    void clear() {
        chunks.forEach(this::drop);
        chunks.clear();
        bytes = 0;
    }
}

package winnow.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Cuts the bytes of one connection into frames. Each read is copied once into the event loop's
/// scratch array, so that everything behind works on a plain array. A frame that is not complete
/// waits in an array of its own, which grows with what arrived and never beyond the frame's
/// announced and checked length. Where [FrameMemory] has no room for the rest of a frame, it waits
/// for it ([#isWaiting]), and its connection should not be read.
///
/// Owned by the connection's event loop.
public final class FrameSplitter {
    /// Length of the scratch array: what one read of a socket brings at most.
    public static final int SCRATCH_BYTES = 64 * 1024;

    private static final int MIN_FRAME_BYTES = 1;
    private static final int MIN_PARTIAL_BYTES = 256;
    private static final byte[] NONE = {};

    /// So much of a frame that is skipped is shown to the sink.
    private static final int SKIPPED_HEAD_BYTES = 64;

    private final byte[] scratch;
    private final FrameMemory memory;
    private final WireReader reader = new WireReader();
    private int maxFrameBytes;
    private byte[] partial = NONE;
    private int partialSize;

    /// Length of `partial` as `memory` knows it, without what is admitted.
    private int taken;

    /// For the frame of which `partial` holds the beginning.
    private FrameMemory.@Nullable Admission admission;

    private Runnable onAdmitted = () -> {};
    private long partialFrames;

    /// Longer frames are skipped.
    private int maxKeptBytes = Integer.MAX_VALUE;

    /// Bytes of a frame that are still to be skipped.
    private int skipping;

    private boolean stopped;

    /// True if `partial` is a complete frame that the sink did not accept, and what came behind it.
    /// The rest is no longer than one read brings, and so than the frame.
    private boolean held;

    private byte[] rest = NONE;

    /// Index in `rest` at which to go on after a pause.
    private int restFrom;

    /// True if the sink is busy; then `rest` is what came behind its frame.
    private boolean paused;

    /// Bytes that a pause takes, as `memory` knows them.
    private int pausedBytes;

    /// True if `partial` is the frame that the sink is busy with.
    private boolean partialInUse;

    /// @param scratch array of [#SCRATCH_BYTES], shared by all connections of one event loop
    /// @param maxFrameBytes limit of a frame's length field
    /// @param memory for frames that wait for their rest
    public FrameSplitter(byte[] scratch, int maxFrameBytes, FrameMemory memory) {
        this.scratch = scratch;
        this.maxFrameBytes = maxFrameBytes;
        this.memory = memory;
    }

    /// Limited by `maxFrameBytes` alone.
    public FrameSplitter(byte[] scratch, int maxFrameBytes) {
        this(scratch, maxFrameBytes, new FrameMemory(Long.MAX_VALUE));
    }

    /// Changes the limit for the frames that follow.
    public void maxFrameBytes(int maxFrameBytes) {
        this.maxFrameBytes = maxFrameBytes;
    }

    /// Shows the sink only the beginning of frames that are longer, and keeps nothing of the rest.
    public void maxKeptBytes(int newMaxKeptBytes) {
        maxKeptBytes = Math.max(SCRATCH_BYTES, newMaxKeptBytes);
    }

    /// Sets the action to run, on any thread, when the splitter does not wait any more.
    public void onAdmitted(Runnable newOnAdmitted) {
        onAdmitted = newOnAdmitted;
    }

    /// True if it waits for room: nothing should be read until it has some.
    public boolean isWaiting() {
        FrameMemory.Admission now = admission;
        return now != null && !now.granted();
    }

    /// Number of the frame that holds room which others wait for, 0 if there is none.
    public long contendedFrame() {
        FrameMemory.Admission now = admission;
        boolean contended = now != null && now.granted() && memory.someoneWaits();
        return contended && !partialInUse ? partialFrames : 0;
    }

    /// True if it keeps bytes of frames while other frames wait for room.
    public boolean keepsWantedRoom() {
        return (partialSize > 0 || paused) && memory.someoneWaits();
    }

    /// True if a pause that can be avoided should begin: others need the memory more where half of
    /// it is in use.
    public boolean hasRoomForPause() {
        return memory.isHalfFree();
    }

    /// Gives no more frames and frees its memory: the connection is closing.
    public void stop() {
        stopped = true;
        held = false;
        endPause();
        rest = NONE;
        partialSize = 0;
        release();
    }

    /// True if something waits until more is fed: a frame that the sink did not accept, or what
    /// came behind a frame that it is busy with.
    public boolean holdsFrame() {
        return held || paused;
    }

    private void release() {
        withdraw();
        partial = NONE;
        memory.replace(taken, 0);
        taken = 0;
    }

    private void withdraw() {
        FrameMemory.Admission old = admission;
        if (old != null) {
            admission = null;
            memory.withdraw(old);
        }
    }

    /// Bytes that wait for the rest of their frame, or that are to be skipped.
    public int pendingBytes() {
        return partialSize > 0 ? partialSize : skipping;
    }

    /// Memory reserved for a frame that waits, in bytes.
    public int reservedBytes() {
        return partial.length;
    }

    /// Takes all readable bytes of `in` and gives the complete frames to `sink`. Borrows `in`.
    ///
    /// @throws WireException if a length is outside 1 to the limit, or if there is no memory left
    ///   even for the beginning of a frame
    public void feed(ByteBuf in, FrameSink sink) {
        if (paused) {
            feedPaused(in, sink);
        } else if (held) {
            feedHeld(in, sink);
        } else {
            feedMore(in, sink);
        }
    }

    private void feedPaused(ByteBuf in, FrameSink sink) {
        if (sink.isBusy()) {
            keepRest(in);
            return;
        }
        boolean ofPartial = partialInUse;
        paused = false;
        partialInUse = false;
        if (ofPartial) {
            endPartial();
        }
        // The room of the rest stays charged: the next frame may need it again.
        if (!in.isReadable() && rest.length - restFrom <= SCRATCH_BYTES) {
            split(rest, restFrom, rest.length, sink);
            reader.wrap(NONE, 0, 0);
        } else {
            ByteBuf again = restAnd(in);
            rest = NONE;
            restFrom = 0;
            feedMore(again, sink);
        }
        if (!paused) {
            endPause();
            admit();
        }
    }

    private ByteBuf restAnd(ByteBuf in) {
        int size = in.readableBytes();
        byte[] all = size == 0 ? rest : Arrays.copyOf(rest, rest.length + size);
        in.readBytes(all, rest.length, size);
        return Unpooled.wrappedBuffer(all, restFrom, all.length - restFrom);
    }

    /// The sink is busy with a frame of so many bytes; what follows it is there. Of the rest after
    /// an earlier pause nothing is copied: a read may be paused after every few frames.
    private void pause(byte[] array, int frameBytes, int from, int to) {
        paused = true;
        if (rest.length > 0) {
            // It is the array that is being split.
            restFrom = from;
        } else {
            rest = Arrays.copyOfRange(array, from, to);
            restFrom = 0;
        }
        takePaused(frameBytes + rest.length);
    }

    private void takePaused(int bytes) {
        if (!memory.replace(pausedBytes, bytes)) {
            throw memory.full(bytes);
        }
        pausedBytes = bytes;
    }

    /// Keeps what is readable behind what is kept.
    private void keepRest(ByteBuf in) {
        int size = in.readableBytes();
        if (size > 0) {
            takePaused(pausedBytes + size);
            int before = rest.length;
            rest = Arrays.copyOf(rest, before + size);
            in.readBytes(rest, before, size);
        }
    }

    private void endPause() {
        paused = false;
        partialInUse = false;
        rest = NONE;
        restFrom = 0;
        memory.replace(pausedBytes, 0);
        pausedBytes = 0;
    }

    private void feedHeld(ByteBuf in, FrameSink sink) {
        ByteBuf again = restAnd(in);
        rest = NONE;
        held = false;
        fillPartial(again, sink);
        feedMore(again, sink);
    }

    private void feedMore(ByteBuf in, FrameSink sink) {
        while (in.isReadable() && !stopped && !held && !paused) {
            if (skipping > 0) {
                int skipped = Math.min(skipping, in.readableBytes());
                in.skipBytes(skipped);
                skipping -= skipped;
            } else if (partialSize > 0) {
                fillPartial(in, sink);
            } else {
                int size = Math.min(in.readableBytes(), scratch.length);
                in.readBytes(scratch, 0, size);
                split(scratch, 0, size, sink);
            }
        }
        if (paused) {
            keepRest(in);
        } else {
            admit();
        }
    }

    /// Reserves room for the rest of a frame, if one has begun, before more of it is read.
    private void admit() {
        if (partialSize < Protocol.LENGTH_BYTES || admission != null) {
            return;
        }
        int total = Protocol.LENGTH_BYTES + reader.wrap(partial, 0, partialSize).readInt();
        reader.wrap(NONE, 0, 0);
        if (total > FrameMemory.UNCOUNTED_BYTES && total - Protocol.LENGTH_BYTES <= maxKeptBytes) {
            partialFrames++;
            admission = memory.admit(taken, total, onAdmitted);
        }
    }

    private void split(byte[] array, int from, int to, FrameSink sink) {
        int position = from;
        try {
            while (to - position >= Protocol.LENGTH_BYTES) {
                int length = reader.wrap(array, position, to).readInt();
                checkLength(length);
                int frameStart = position + Protocol.LENGTH_BYTES;
                if (length > to - frameStart) {
                    break;
                }
                position = frameStart + length;
                give(array, frameStart, position, sink);
                if (stopped) {
                    return;
                }
                if (sink.isBusy()) {
                    pause(array, length, position, to);
                    return;
                }
            }
        } finally {
            sink.onFramesEnd();
        }
        keep(array, position, to);
    }

    private void keep(byte[] array, int from, int to) {
        int size = to - from;
        if (size == 0) {
            return;
        }
        if (partial.length < size) {
            grow(Math.max(size, MIN_PARTIAL_BYTES));
        }
        System.arraycopy(array, from, partial, 0, size);
        partialSize = size;
    }

    private void fillPartial(ByteBuf in, FrameSink sink) {
        if (partialSize < Protocol.LENGTH_BYTES) {
            take(in, Protocol.LENGTH_BYTES);
            if (partialSize < Protocol.LENGTH_BYTES) {
                return;
            }
        }
        int length = reader.wrap(partial, 0, partialSize).readInt();
        reader.wrap(NONE, 0, 0);
        checkLength(length);
        if (length > maxKeptBytes) {
            skip(in, length, sink);
            return;
        }
        int total = Protocol.LENGTH_BYTES + length;
        take(in, total);
        if (partialSize == total) {
            if (total > SCRATCH_BYTES && !accepted(total, sink)) {
                held = true;
                rest = new byte[in.readableBytes()];
                in.readBytes(rest);
                return;
            }
            byte[] frame = partial;
            partialSize = 0;
            try {
                give(frame, Protocol.LENGTH_BYTES, total, sink);
            } finally {
                sink.onFramesEnd();
            }
            if (!stopped && sink.isBusy()) {
                paused = true;
                partialInUse = true;
            } else {
                endPartial();
            }
        }
    }

    private void skip(ByteBuf in, int length, FrameSink sink) {
        int shown = Protocol.LENGTH_BYTES + SKIPPED_HEAD_BYTES;
        // There may be more of it, if it came with the frame before.
        take(in, Math.max(shown, partialSize));
        if (partialSize < shown) {
            return;
        }
        skipping = Protocol.LENGTH_BYTES + length - partialSize;
        reader.wrap(partial, Protocol.LENGTH_BYTES, shown);
        int type = reader.readUnsignedByte();
        partialSize = 0;
        try {
            sink.onSkipped(type, reader, length);
        } finally {
            sink.onFramesEnd();
        }
        endPartial();
    }

    /// The frame in `partial` is done with.
    private void endPartial() {
        if (partial.length > 0) {
            withdraw();
            if (memory.mayKeep(partial.length) && memory.replace(taken, partial.length)) {
                taken = partial.length;
            } else {
                reader.wrap(NONE, 0, 0);
                release();
            }
        }
    }

    /// Moves bytes until `partial` holds `wanted` or `in` is empty.
    private void take(ByteBuf in, int wanted) {
        int size = Math.min(in.readableBytes(), wanted - partialSize);
        int needed = partialSize + size;
        if (partial.length < needed) {
            int doubled = (int) Math.min(wanted, 2L * needed);
            grow(Math.max(doubled, needed));
        }
        in.readBytes(partial, partialSize, size);
        partialSize += size;
    }

    private void grow(int bytes) {
        boolean admitted = admission != null && !isWaiting();
        if (!admitted) {
            if (!memory.replace(taken, bytes)) {
                throw memory.full(bytes);
            }
            taken = bytes;
        }
        partial = Arrays.copyOf(partial, bytes);
    }

    private boolean accepted(int total, FrameSink sink) {
        reader.wrap(partial, Protocol.LENGTH_BYTES, total);
        int type = reader.readUnsignedByte();
        boolean accepted = sink.accepts(type, reader);
        reader.wrap(NONE, 0, 0);
        return accepted;
    }

    private void give(byte[] array, int start, int end, FrameSink sink) {
        reader.wrap(array, start, end);
        int type = reader.readUnsignedByte();
        sink.onFrame(type, reader);
    }

    private void checkLength(int length) {
        if (length < MIN_FRAME_BYTES) {
            throw new WireException(
                    ErrorCode.MALFORMED_FRAME,
                    "expected a frame length of at least 1, found "
                            + Integer.toUnsignedString(length));
        }
        if (length > maxFrameBytes) {
            throw new WireException(
                    ErrorCode.FRAME_TOO_LARGE,
                    "expected a frame of at most " + maxFrameBytes + " bytes, found " + length);
        }
    }
}

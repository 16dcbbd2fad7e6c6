package winnow.broker.transport;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.WriteBufferWaterMark;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import winnow.broker.fault.FaultOwner;
import winnow.broker.matching.NameDictionary;
import winnow.broker.security.Authenticator;
import winnow.broker.session.ConnectionInfo;
import winnow.broker.session.Output;
import winnow.wire.FrameSplitter;
import winnow.wire.FrameType;
import winnow.wire.Protocol;
import winnow.wire.WireWriter;
import winnow.wire.frame.ControlFrame;
import winnow.wire.frame.Delivery;

/// The one output buffer of a connection. Frames are copied into it (a copy of 40 bytes costs 0.05
/// µs, a write of a slice 0.6 µs, a flush 3 µs) and leave by one write at the end of the loop's
/// iteration, or earlier when [#FLUSH_BYTES] have gathered. Owned by the connection's event loop.
///
/// The buffer and what decides when it leaves are one class on purpose: in two, a copy cost the
/// broker 0.039 instead of 0.037 µs (mean of nine pairs of runs, 1 to 40 copies per message).
final class ConnectionOutput implements Output {
    /// Most bytes that leave in one write, as much as one read brings.
    private static final int FLUSH_BYTES = 64 * 1024;

    /// Blocks from here on are written as slices of one copy that all outputs of a loop share: a
    /// slice costs 0.6 µs, a copy of 8 KiB about as much.
    private static final int SHARED_BYTES = 8 * 1024;

    /// Most bytes by which a delivery grows when one more subscription shares it: bytes of the
    /// block and two ids.
    private static final int MAX_SHARING_BYTES = 16;

    private static final int MIN_BUFFER_BYTES = 512;

    /// Time for which a closing connection waits for the peer to read the reason.
    private static final int LINGER_MILLIS = 1000;

    private final Channel channel;
    private final NettyLoop loop;
    private final AnnouncedNames names;
    private final FrameInput input;
    private final DeliveryWriter deliveries = new DeliveryWriter(this);
    private String name = "";
    private volatile String clientId = "";
    private FaultOwner owner = _ -> closeNow();
    private @Nullable ByteBuf buffer;
    private int expectedBytes = MIN_BUFFER_BYTES;
    private int limitBytes;

    /// Bytes that leave in one write: no more than the socket may hold.
    private int flushBytes = FLUSH_BYTES;

    /// The delivery that was written last, if its message may go to more subscriptions: the
    /// message's number on the loop, where the frame begins and ends in the buffer, and its
    /// subscription, 0 once there are several.
    private long lastMessage = -1;

    private int lastBegin;
    private int lastEnd;
    private int lastId;

    /// Kept here because it is asked for every copy: the channel would touch three objects, which
    /// no longer fit the first cache when a message has many subscribers.
    private boolean writable = true;

    /// True if pieces of a block are written; what comes behind it waits in the buffer.
    private boolean inBlock;

    private boolean shutdownAfterBlock;
    private int place;
    private boolean queued;
    private long queuedNanos;
    private boolean first;
    private boolean unflushed;

    private final DwellSample dwell = new DwellSample();
    private boolean wrote;

    ConnectionOutput(
            Channel channel, NettyLoop loop, NameDictionary names, FrameSplitter splitter) {
        this.channel = channel;
        this.loop = loop;
        this.names = new AnnouncedNames(names);
        this.input = new FrameInput(channel, splitter, this);
    }

    @Override
    public FrameInput input() {
        return input;
    }

    @Override
    public NettyLoop loop() {
        return loop;
    }

    @Override
    public boolean writable() {
        return writable;
    }

    /// The socket takes bytes again, or no more. A client that does not read what it asked for is
    /// not read either, so that its output is bounded.
    void onWritability(boolean nowWritable) {
        writable = nowWritable && !inBlock;
        input.update();
    }

    @Override
    public boolean takes(long message, int blockBytes) {
        return writable
                && (blockBytes < SHARED_BYTES
                        || loop.largeBlocks().hasRoom(message, blockBytes, this));
    }

    /// There is room for large messages again.
    void onRoom() {
        channel.pipeline().fireChannelWritabilityChanged();
    }

    @Override
    public int place() {
        return place;
    }

    @Override
    public void place(int newPlace) {
        place = newPlace;
    }

    @Override
    public void deliver(long message, int subscriptionId, byte[] array, int start, int end) {
        int blockBytes = end - start;
        boolean large = blockBytes >= SHARED_BYTES;
        if (message == lastMessage && share(subscriptionId, array, start, blockBytes)) {
            return;
        }
        int frameBytes = Delivery.frameBytes(subscriptionId, blockBytes);
        ByteBuf out = room(large ? frameBytes - blockBytes : frameBytes);
        int begin = out.writerIndex();
        out.setInt(begin, frameBytes - Protocol.LENGTH_BYTES);
        int at = begin + Protocol.LENGTH_BYTES;
        out.setByte(at++, FrameType.DELIVERY);
        at = Varint.set(out, at, subscriptionId);
        out.setByte(at++, 0);
        if (large) {
            // First of all: no half frame is written if there is no memory for its first piece.
            LargeBlock block = loop.largeBlocks().of(message, array, start, end);
            out.writerIndex(at);
            handToChannel();
            block.writeTo(this);
            return;
        }
        out.setBytes(at, array, start, blockBytes);
        out.writerIndex(at + blockBytes);
        lastMessage = message;
        lastBegin = begin;
        lastEnd = at + blockBytes;
        lastId = subscriptionId;
    }

    /// Adds a subscription to the delivery of the same message that was written last.
    ///
    /// @return false if something was written since or the buffer is full
    private boolean share(int subscriptionId, byte[] array, int start, int blockBytes) {
        ByteBuf out = buffer;
        if (out == null
                || out.writerIndex() != lastEnd
                || out.readableBytes() + MAX_SHARING_BYTES > flushBytes) {
            return false;
        }
        out.ensureWritable(MAX_SHARING_BYTES);
        int at = lastEnd;
        if (lastId != 0) {
            at = lastBegin + Protocol.LENGTH_BYTES;
            out.setByte(at++, FrameType.SHARED_DELIVERY);
            out.setByte(at++, 0);
            at = Varint.set(out, at, blockBytes);
            out.setBytes(at, array, start, blockBytes);
            at = Varint.set(out, at + blockBytes, lastId);
            lastId = 0;
        }
        at = Varint.set(out, at, subscriptionId);
        out.setInt(lastBegin, at - lastBegin - Protocol.LENGTH_BYTES);
        out.writerIndex(at);
        lastEnd = at;
        return true;
    }

    /// Writes a piece of a block that all outputs of the loop share.
    void writePiece(ByteBuf piece) {
        channel.write(piece.retainedDuplicate(), channel.voidPromise());
        unflushed = true;
        enqueue();
    }

    /// More pieces of the block will be written. Until then nothing else is.
    void onBlockBegin() {
        assert !inBlock;
        inBlock = true;
        onWritability(false);
    }

    /// The last piece has been written.
    void onBlockEnd() {
        inBlock = false;
        if (buffer != null) {
            flushFirst();
        }
        onRoom();
        if (shutdownAfterBlock) {
            shutdownOutput();
        }
    }

    private void enqueue() {
        if (!queued && !first) {
            queued = true;
            loop.enqueue(this);
        }
    }

    /// The output waits for its turn from this time on.
    void queuedNanos(long nanos) {
        queuedNanos = nanos;
    }

    long queuedNanos() {
        return queuedNanos;
    }

    @Override
    public void sampleDwell(long readNanos, int copies) {
        dwell.add(readNanos, copies);
        enqueue();
    }

    /// Appends frames, or parts of one that are appended in succession.
    ///
    /// @param array holds the bytes from `start` to `end`; borrowed
    void appendFrames(byte[] array, int start, int end) {
        room(end - start).writeBytes(array, start, end - start);
    }

    /// Appends a frame. A large one is copied piece by piece, and what is appended meanwhile comes
    /// behind it.
    ///
    /// @param head its beginning; borrowed
    /// @param rest the rest of it, which must not be changed until it has been copied
    /// @param copied called then, perhaps at once; not at all if the connection ends before
    /// @return false if there is no memory for it now
    boolean appendFrame(WireWriter head, byte[] rest, Runnable copied) {
        boolean large = rest.length > LargeBlock.PIECE_BYTES;
        if (large && !loop.largeBlocks().hasRoom(LargeBlock.PIECE_BYTES, this)) {
            return false;
        }
        appendFrames(head.array(), 0, head.size());
        if (large) {
            handToChannel();
            LargeFrame.begin(channel, this, rest, copied);
        } else {
            appendFrames(rest, 0, rest.length);
            copied.run();
        }
        return true;
    }

    @Override
    public boolean deliverStored(
            int consumer, long delivery, int earlierDeliveries, byte[] block, Runnable copied) {
        return deliveries.append(consumer, delivery, earlierDeliveries, block, copied);
    }

    @Override
    public boolean deliverInParts(
            int consumer,
            long delivery,
            int earlierDeliveries,
            int bodyBytes,
            byte[] head,
            Runnable copied) {
        return deliveries.appendInParts(
                consumer, delivery, earlierDeliveries, bodyBytes, head, copied);
    }

    @Override
    public boolean deliverPart(int consumer, byte[] part, Runnable copied) {
        return deliveries.appendPart(consumer, part, copied);
    }

    @Override
    public void grant(int handle, int bytes) {
        deliveries.grant(handle, bytes);
    }

    @Override
    public void flushCredit() {
        deliveries.flushCredit();
    }

    @Override
    public void write(ControlFrame frame) {
        flushFirst();
        loop.control().append(frame, this);
    }

    @Override
    public boolean announceNames(int maxNameId) {
        return names.announce(this, maxNameId);
    }

    /// The buffer, with room for `bytes` more.
    private ByteBuf room(int bytes) {
        ByteBuf out = buffer;
        if (out != null && out.readableBytes() + bytes > flushBytes) {
            flush();
            out = buffer;
        }
        if (out == null) {
            out = channel.alloc().directBuffer(Math.max(bytes, expectedBytes));
            buffer = out;
            enqueue();
        }
        out.ensureWritable(bytes);
        return out;
    }

    /// Lets what is collected leave at the end of this iteration, because somebody waits for it. To
    /// be called before appending.
    void flushFirst() {
        if (!first) {
            first = true;
            loop.enqueueFirst(this);
        }
    }

    /// Writes what has gathered: the loop has taken it from its queue.
    ///
    /// @return whether there was something to write
    boolean flushQueued() {
        queued = false;
        return flush();
    }

    /// Writes what has gathered: the loop has taken it from those that are flushed first.
    void flushAsFirst() {
        first = false;
        flush();
    }

    private boolean flush() {
        handToChannel();
        boolean any = unflushed;
        if (any) {
            unflushed = false;
            loop.write(channel);
        }
        dwell.end(loop);
        return any;
    }

    private void handToChannel() {
        ByteBuf out = buffer;
        if (out == null || inBlock) {
            return;
        }
        buffer = null;
        lastMessage = -1;
        wrote = true;
        unflushed = true;
        int bytes = out.readableBytes();
        expectedBytes = Math.clamp(2L * Integer.highestOneBit(bytes), MIN_BUFFER_BYTES, flushBytes);
        channel.write(out, channel.voidPromise());
    }

    @Override
    public void closeAfterFlush() {
        input.stop();
        channel.eventLoop().schedule(() -> channel.close(), LINGER_MILLIS, TimeUnit.MILLISECONDS);
        loop.execute(this, this::shutdownOutput);
    }

    @Override
    public void closeNow() {
        input.stop();
        channel.close();
    }

    private void shutdownOutput() {
        if (inBlock) {
            shutdownAfterBlock = true;
            return;
        }
        flush();
        channel.config().setAutoRead(true);
        TlsPort.shutdownOutputWhenWritten(channel);
    }

    /// Sets the owner of the output; once, before anything is written.
    void owner(FaultOwner newOwner) {
        owner = newOwner;
    }

    @Override
    public void onFault(Throwable fault) {
        owner.onFault(fault);
    }

    /// True if the connection is being closed by this side.
    boolean closing() {
        return input.isStopped();
    }

    /// Frees what has not been written: the connection has gone.
    void release() {
        input.stop();
        writable = false;
        inBlock = false;
        if (buffer != null) {
            buffer.release();
            buffer = null;
        }
        loop.largeBlocks().onClosed(this);
    }

    @Override
    public boolean wroteSinceLastAsked() {
        boolean result = wrote;
        wrote = false;
        return result;
    }

    @Override
    public void limitBytes(int bytes) {
        if (bytes != limitBytes) {
            limitBytes = bytes;
            flushBytes = Math.min(bytes, FLUSH_BYTES);
            expectedBytes = Math.min(expectedBytes, flushBytes);
            channel.config().setWriteBufferWaterMark(new WriteBufferWaterMark(bytes / 2, bytes));
        }
    }

    @Override
    public String clientId() {
        return clientId;
    }

    @Override
    public void identify(long connectionId, String clientId, String application) {
        this.clientId = clientId;
        name = ConnectionInfo.label(connectionId, clientId, application, channel.remoteAddress());
    }

    @Override
    public long socketProgress() {
        ChannelOutboundBuffer pending = channel.unsafe().outboundBuffer();
        return pending == null
                ? 0
                : pending.totalPendingWriteBytes() - Math.max(0, pending.currentProgress());
    }

    @Override
    public String address() {
        return HttpServer.host(channel);
    }

    @Override
    public Authenticator.Peer peer() {
        return HttpServer.peer(channel);
    }

    @Override
    public String toString() {
        return name.isEmpty() ? String.valueOf(channel.remoteAddress()) : name;
    }
}

package winnow.tests.floor;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import winnow.wire.DeliveryRanges;
import winnow.wire.DestinationKind;
import winnow.wire.FrameSink;
import winnow.wire.FrameSplitter;
import winnow.wire.FrameType;
import winnow.wire.MessageBlock;
import winnow.wire.Protocol;
import winnow.wire.Source;
import winnow.wire.WireReader;
import winnow.wire.WireWriter;
import winnow.wire.frame.Acknowledge;
import winnow.wire.frame.ControlFrame;

/// One plain blocking socket that speaks the protocol by hand, as cheaply as Java can. Owned by one
/// thread.
final class RawConnection implements AutoCloseable {
    private static final int READ_BYTES = 64 * 1024;

    private final SocketChannel socket;
    private final ByteBuffer in = ByteBuffer.allocateDirect(READ_BYTES);
    private final ByteBuf inView = Unpooled.wrappedBuffer(in);
    private final FrameSplitter splitter =
            new FrameSplitter(new byte[FrameSplitter.SCRATCH_BYTES], 1 << 24);
    private final WireWriter out = new WireWriter(256);
    private int accepted;
    private boolean welcomed;
    private long deliveries;
    private long published;
    private StoredSink stored = (delivery, array, start, end) -> {};

    /// Takes the messages of a backlog.
    @FunctionalInterface
    interface StoredSink {
        /// @param array has the message from `start` to `end`; not to be used later
        void onStored(long delivery, byte[] array, int start, int end);
    }

    RawConnection(InetSocketAddress address) throws IOException {
        socket = SocketChannel.open(address);
        socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
        out.writeInt(Protocol.MAGIC);
        out.writeByte(Protocol.MAJOR_VERSION);
        out.writeByte(Protocol.MINOR_VERSION);
        send(new ControlFrame.Hello(0, "", "ANONYMOUS", "", 0, "floor"));
        while (!welcomed) {
            read();
        }
    }

    /// Opens a topic as handle 1.
    void open(String topic) throws IOException {
        send(new ControlFrame.Open(1, 1, DestinationKind.TOPIC, topic));
        awaitAccepted();
    }

    /// Subscribes to a topic as subscription 1.
    void subscribe(String topic, int creditMessages, int creditBytes) throws IOException {
        Source source = new Source(DestinationKind.TOPIC, topic, "", "");
        send(new ControlFrame.Subscribe(1, 1, source, false, creditMessages, creditBytes));
        awaitAccepted();
    }

    /// Drains a backlog as subscription 1.
    void drain(StoredSink sink) throws IOException {
        stored = sink;
        subscribe("backlog", 1, 1);
    }

    /// Acknowledges deliveries of a backlog. Another thread may read meanwhile.
    ///
    /// @param requestId 0 for no answer
    void acknowledge(int requestId, long[] deliveries) throws IOException {
        send(new Acknowledge(requestId, 1, DeliveryRanges.of(deliveries)));
    }

    /// Requests that the server has carried out.
    int accepted() {
        return accepted;
    }

    private void awaitAccepted() throws IOException {
        int before = accepted;
        while (accepted == before) {
            read();
        }
    }

    private void send(ControlFrame frame) throws IOException {
        frame.write(out);
        ByteBuffer bytes = ByteBuffer.wrap(out.toByteArray());
        out.clear();
        write(bytes);
    }

    /// Gives credit for subscription 1.
    void credit(int messages, int bytes) throws IOException {
        int mark = out.beginFrame(FrameType.CONSUMER_CREDIT);
        out.writeVarint(1);
        out.writeVarint(messages);
        out.writeVarint(bytes);
        out.endFrame(mark);
        ByteBuffer frame = ByteBuffer.wrap(out.toByteArray());
        out.clear();
        write(frame);
    }

    void write(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            socket.write(bytes);
        }
    }

    /// Reads once; blocks unless the socket was made non-blocking.
    ///
    /// @return deliveries so far
    long read() throws IOException {
        in.clear();
        int size = socket.read(in);
        if (size < 0) {
            throw new EOFException("the peer closed the connection");
        }
        inView.setIndex(0, size);
        FrameSink sink = this::onFrame;
        splitter.feed(inView, sink);
        return deliveries;
    }

    /// Reads until the server has confirmed that many messages of this connection.
    void awaitPublished(long count) throws IOException {
        while (published < count) {
            read();
        }
    }

    void blocking(boolean blocking) throws IOException {
        socket.configureBlocking(blocking);
    }

    private void onFrame(int type, WireReader payload) {
        switch (type) {
            case FrameType.DELIVERY -> deliveries++;
            case FrameType.STORED_DELIVERY -> onStored(payload);
            case FrameType.PRODUCER_CREDIT, FrameType.HEARTBEAT -> {}
            default -> {
                ControlFrame frame = ControlFrame.decode(type, payload);
                switch (frame) {
                    case ControlFrame.Welcome _ -> welcomed = true;
                    case ControlFrame.Accepted _ -> accepted++;
                    case ControlFrame.Published answer -> published = answer.count();
                    default -> throw new IllegalStateException("unexpected " + frame);
                }
            }
        }
    }

    private void onStored(WireReader payload) {
        deliveries++;
        int unusedConsumer = payload.readVarint();
        long delivery = payload.readVarlong();
        int unusedEarlier = payload.readVarint();
        stored.onStored(delivery, payload.array(), payload.position(), payload.limit());
    }

    /// `count` Publish frames for handle 1 with a message id, a timestamp and a body of
    /// `bodyBytes`.
    ///
    /// @param flags of [winnow.wire.frame.Publish]
    static ByteBuffer publishFrames(int count, int bodyBytes, int flags) {
        WireWriter writer = new WireWriter(count * (40 + bodyBytes));
        byte[] body = new byte[bodyBytes];
        for (int i = 0; i < count; i++) {
            int mark = writer.beginFrame(FrameType.PUBLISH);
            writer.writeVarint(1);
            writer.writeByte(flags);
            writer.writeByte(2 << MessageBlock.BODY_TYPE_SHIFT);
            writer.writeByte(MessageBlock.HAS_MESSAGE_ID | MessageBlock.HAS_TIMESTAMP);
            writer.writeLong(42);
            writer.writeVarlong(1_000_000 + i);
            writer.writeLong(1_700_000_000_000L);
            writer.writeRaw(body, 0, bodyBytes);
            writer.endFrame(mark);
        }
        ByteBuffer frames = ByteBuffer.allocateDirect(writer.size());
        frames.put(writer.array(), 0, writer.size()).flip();
        return frames;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

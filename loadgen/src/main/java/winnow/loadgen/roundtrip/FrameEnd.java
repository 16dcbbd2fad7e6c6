package winnow.loadgen.roundtrip;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import winnow.wire.BodyType;
import winnow.wire.FrameType;
import winnow.wire.MessageBlock;
import winnow.wire.Protocol;
import winnow.wire.WireReader;
import winnow.wire.WireWriter;
import winnow.wire.frame.Publish;

/// A TCP connection on which each message is a frame of Winnow's protocol, written and read like a
/// client writes a bytes message with id and time stamp and a broker reads it: the protocol's share
/// of a round trip, without a broker.
final class FrameEnd implements End {

    private static final int DESTINATION = 1;
    private static final long CONNECTION = 1;

    /// Headers of a frame, at most.
    private static final int HEADER_BYTES = 64;

    private final SocketEnd socket;
    private final WireWriter out = new WireWriter(HEADER_BYTES);
    private final WireReader in = new WireReader();
    private final MessageBlock block = new MessageBlock();
    private final byte[] length = new byte[Protocol.LENGTH_BYTES];
    private byte[] frame = {};
    private byte[] payload = {};
    private long sequence;

    /// Takes the connection.
    FrameEnd(SocketEnd socket) {
        this.socket = socket;
    }

    @Override
    public void prepare(int bytes) {
        payload = new byte[bytes];
        frame = new byte[bytes + HEADER_BYTES];
    }

    @Override
    public void send() throws IOException {
        out.clear();
        var mark = out.beginFrame(FrameType.PUBLISH);
        out.writeVarint(DESTINATION);
        out.writeByte(0);
        out.writeByte(BodyType.BYTES.number() << MessageBlock.BODY_TYPE_SHIFT);
        out.writeByte(MessageBlock.HAS_MESSAGE_ID | MessageBlock.HAS_TIMESTAMP);
        out.writeLong(CONNECTION);
        out.writeVarlong(++sequence);
        out.writeLong(TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
        out.writeRaw(payload, 0, payload.length);
        out.endFrame(mark);
        socket.write(out.array(), out.size());
    }

    @Override
    public void receive() throws IOException {
        socket.read(length, length.length);
        var bytes = in.wrap(length, 0, length.length).readInt();
        if (bytes < 0 || bytes > frame.length) {
            throw new IOException(
                    "expected a frame of at most %d bytes, found one of %d"
                            .formatted(frame.length, bytes));
        }
        socket.read(frame, bytes);
        in.wrap(frame, 0, bytes);
        var type = in.readUnsignedByte();
        in.readVarint();
        Publish.readNumber(in, Publish.readFlags(in));
        block.parse(frame, in.position(), bytes);
        if (type != FrameType.PUBLISH || block.bodyLength() != payload.length) {
            throw new IOException(
                    "expected a body of %d bytes, found %d in a frame of type %d"
                            .formatted(payload.length, block.bodyLength(), type));
        }
        System.arraycopy(frame, block.bodyIndex(), payload, 0, payload.length);
    }

    @Override
    public void close() {
        socket.close();
    }
}

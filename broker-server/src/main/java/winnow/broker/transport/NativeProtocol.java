package winnow.broker.transport;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import winnow.broker.session.ClientConnection;
import winnow.broker.session.SessionContext;
import winnow.wire.ErrorCode;
import winnow.wire.FrameMemory;
import winnow.wire.FrameSplitter;
import winnow.wire.Protocol;
import winnow.wire.WireException;

/// Protocol of PROTOCOL.md. Thread-safe.
final class NativeProtocol implements ClientProtocol {
    private final SessionContext context;
    private final FrameMemory frameMemory;

    /// @param frameMemory for frames that have not arrived whole
    NativeProtocol(SessionContext context, FrameMemory frameMemory) {
        this.context = context;
        this.frameMemory = frameMemory;
    }

    @Override
    public Recognition recognize(ByteBuf first) {
        int known = Math.min(Protocol.LENGTH_BYTES, first.readableBytes());
        for (int i = 0; i < known; i++) {
            int expected = (Protocol.MAGIC >>> (8 * (3 - i))) & 0xFF;
            if (first.getUnsignedByte(first.readerIndex() + i) != expected) {
                return Recognition.NO;
            }
        }
        return first.readableBytes() < Protocol.PREAMBLE_BYTES
                ? Recognition.UNDECIDED
                : Recognition.YES;
    }

    @Override
    public ClientConnection begin(
            Channel channel, NettyLoop loop, ReadSize readSize, ByteBuf first) {
        FrameSplitter splitter =
                new FrameSplitter(loop.scratch(), Protocol.MAX_HANDSHAKE_FRAME_BYTES, frameMemory);
        ConnectionOutput output = new ConnectionOutput(channel, loop, context.names(), splitter);
        ClientConnection connection = new ClientConnection(context, output);
        output.owner(connection);
        splitter.onAdmitted(() -> loop.execute(output, output.input()::update));
        channel.pipeline()
                .addLast("frames", new FrameHandler(splitter, output, connection, readSize));
        if (first.isReadable()) {
            checkVersion(first, connection);
        }
        return connection;
    }

    private static void checkVersion(ByteBuf first, ClientConnection connection) {
        first.skipBytes(Protocol.LENGTH_BYTES);
        int major = first.readUnsignedByte();
        first.skipBytes(1);
        if (major != Protocol.MAJOR_VERSION) {
            first.skipBytes(first.readableBytes());
            connection.onProtocolError(
                    new WireException(
                            ErrorCode.UNSUPPORTED_VERSION,
                            "expected version " + Protocol.MAJOR_VERSION + ", found " + major));
        }
    }
}

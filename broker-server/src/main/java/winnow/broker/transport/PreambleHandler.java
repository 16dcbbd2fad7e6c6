package winnow.broker.transport;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import winnow.broker.session.ClientConnection;
import winnow.wire.ErrorCode;
import winnow.wire.Protocol;
import winnow.wire.WireException;

/// Reads the first bytes of a connection, which tell its protocol, and makes way for that
/// protocol's handler. Other protocols on the same port find their place here.
final class PreambleHandler extends ByteToMessageDecoder {
    private static final Pattern HTTP =
            Pattern.compile("(GET|HEAD|POST|PUT|DELETE|OPTIONS|PATCH|CONNECT) ");

    /// Bytes of the longest of these with its blank.
    private static final int LONGEST_METHOD = 8;

    private final ClientConnection connection;
    private final FrameHandler frames;
    private final TlsPort tls;

    PreambleHandler(ClientConnection connection, FrameHandler frames, TlsPort tls) {
        this.tls = tls;
        this.connection = connection;
        this.frames = frames;
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        if (TlsGate.isTls(in)) {
            tls.onTls(context.channel());
            refuse(
                    context,
                    in,
                    ErrorCode.MALFORMED_FRAME,
                    "expected the preamble WNOW, found a TLS connection: this port does not speak"
                            + " TLS, use winnow://");
            return;
        }
        int known = Math.min(Protocol.LENGTH_BYTES, in.readableBytes());
        for (int i = 0; i < known; i++) {
            int expected = (Protocol.MAGIC >>> (8 * (3 - i))) & 0xFF;
            if (in.getUnsignedByte(in.readerIndex() + i) != expected) {
                refuse(
                        context,
                        in,
                        ErrorCode.MALFORMED_FRAME,
                        "expected the preamble WNOW, found " + found(in));
                return;
            }
        }
        if (in.readableBytes() < Protocol.PREAMBLE_BYTES) {
            return;
        }
        in.skipBytes(4);
        int major = in.readUnsignedByte();
        in.skipBytes(1);
        if (major != Protocol.MAJOR_VERSION) {
            refuse(
                    context,
                    in,
                    ErrorCode.UNSUPPORTED_VERSION,
                    "expected version " + Protocol.MAJOR_VERSION + ", found " + major);
            return;
        }
        context.pipeline().replace(this, "frames", frames);
    }

    private static String found(ByteBuf in) {
        int length = Math.min(LONGEST_METHOD, in.readableBytes());
        String begin = in.toString(in.readerIndex(), length, StandardCharsets.US_ASCII);
        return HTTP.matcher(begin).lookingAt()
                ? "an HTTP request: HTTP has a port of its own (--http-port, 8161 by default)"
                : "other bytes";
    }

    private void refuse(ChannelHandlerContext context, ByteBuf in, ErrorCode code, String message) {
        in.skipBytes(in.readableBytes());
        connection.onProtocolError(new WireException(code, message));
        context.pipeline().replace(this, "frames", frames);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        frames.channelInactive(context);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        frames.exceptionCaught(context, cause);
    }
}

package winnow.broker.transport;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import winnow.wire.ErrorCode;
import winnow.wire.WireException;

/// Reads the first bytes of a connection, which tell its protocol, and makes way for that
/// protocol's handler.
final class PreambleHandler extends ByteToMessageDecoder {
    private static final Pattern HTTP =
            Pattern.compile("(GET|HEAD|POST|PUT|DELETE|OPTIONS|PATCH|CONNECT) ");

    /// Bytes of the longest of these with its blank.
    private static final int LONGEST_METHOD = 8;

    private final NewConnection connection;
    private final List<ClientProtocol> protocols;
    private final NettyLoop loop;
    private final TlsPort tls;

    /// @param protocols that the port speaks
    PreambleHandler(
            NewConnection connection, List<ClientProtocol> protocols, NettyLoop loop, TlsPort tls) {
        this.connection = connection;
        this.protocols = protocols;
        this.loop = loop;
        this.tls = tls;
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        if (TlsGate.isTls(in)) {
            tls.onTls(context.channel());
            refuse(
                    in,
                    "expected the preamble WNOW, found a TLS connection: this port does not speak"
                            + " TLS, use winnow://");
            return;
        }
        boolean undecided = false;
        for (ClientProtocol protocol : protocols) {
            switch (protocol.recognize(in)) {
                case YES -> {
                    connection.begin(protocol, in);
                    return;
                }
                case UNDECIDED -> undecided = true;
                case NO -> {}
            }
        }
        if (!undecided) {
            refuse(in, "expected the preamble WNOW, found " + found(in));
        }
    }

    private static String found(ByteBuf in) {
        int length = Math.min(LONGEST_METHOD, in.readableBytes());
        String begin = in.toString(in.readerIndex(), length, StandardCharsets.US_ASCII);
        return HTTP.matcher(begin).lookingAt()
                ? "an HTTP request: HTTP has a port of its own (--http-port, 8161 by default)"
                : "other bytes";
    }

    private void refuse(ByteBuf in, String message) {
        in.skipBytes(in.readableBytes());
        connection.onProtocolError(new WireException(ErrorCode.MALFORMED_FRAME, message));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (cause instanceof IOException) {
            context.close();
        } else {
            loop.faults().onFault(connection, cause);
        }
    }
}

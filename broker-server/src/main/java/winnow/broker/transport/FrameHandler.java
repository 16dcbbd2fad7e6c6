package winnow.broker.transport;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.IOException;
import winnow.broker.session.ClientConnection;
import winnow.wire.FrameSplitter;
import winnow.wire.WireException;

/// Bytes of a native connection to frames, and the socket's events to its [ClientConnection].
final class FrameHandler extends ChannelInboundHandlerAdapter {
    private final FrameSplitter splitter;
    private final ConnectionOutput output;
    private final FrameDecoder decoder;
    private final ClientConnection connection;
    private final ReadSize readSize;

    FrameHandler(
            FrameSplitter splitter,
            ConnectionOutput output,
            ClientConnection connection,
            ReadSize readSize) {
        this.splitter = splitter;
        this.output = output;
        this.connection = connection;
        this.decoder = new FrameDecoder(connection);
        this.readSize = readSize;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        output.input().onHeldFrame(() -> channelRead(context, Unpooled.EMPTY_BUFFER));
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf in = (ByteBuf) message;
        try {
            output.input().onRead();
            output.loop().onRead();
            if (!output.closing()) {
                int readBytes = in.readableBytes();
                splitter.feed(in, decoder);
                output.loop().onReadEnd();
                readSize.onRead(readBytes, connection.takeRequests());
                if (splitter.isWaiting()) {
                    output.input().update();
                }
            }
        } catch (WireException e) {
            connection.onProtocolError(e);
        } finally {
            in.release();
        }
    }

    /// Netty may call this from within a flush, that is in the middle of a drain: backlogs are
    /// drained by a task of its own.
    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        boolean writable = context.channel().isWritable();
        output.onWritability(writable);
        if (writable) {
            connection.loop().execute(connection, connection::onWritable);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        try {
            connection.onInputEnd();
            connection.onLost("the client closed the socket without a goodbye");
        } finally {
            output.release();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (cause instanceof IOException) {
            connection.onInputEnd();
            connection.onLost(String.valueOf(cause.getMessage()));
            context.close();
        } else {
            connection.loop().faults().onFault(connection, cause);
        }
    }
}

package winnow.client.transport;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.FixedRecvByteBufAllocator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import winnow.wire.ErrorCode;
import winnow.wire.FrameSplitter;

/// Opens the socket, sends preamble and Hello and waits for Welcome.
final class Connector {
    private Connector() {}

    static WireConnection connect(ConnectionTarget target, ConnectionEvents events)
            throws TransportException {
        long deadline =
                System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(target.connectTimeoutMillis());
        EventLoops loops = EventLoops.acquire(target.ioThreads());
        CompletableFuture<WireConnection> handshake = new CompletableFuture<>();
        ChannelFuture connecting;
        try {
            connecting =
                    bootstrap(loops, target, events, handshake)
                            .connect(target.host(), target.port());
        } catch (RuntimeException e) {
            loops.release();
            throw e;
        }
        connecting.channel().closeFuture().addListener(closed -> loops.release());
        connecting.awaitUninterruptibly(target.connectTimeoutMillis(), TimeUnit.MILLISECONDS);
        if (!connecting.isSuccess()) {
            connecting.channel().close();
            throw unreachable(target, connecting.cause());
        }
        return shakeHands(handshake, connecting.channel(), target, deadline);
    }

    private static Bootstrap bootstrap(
            EventLoops loops,
            ConnectionTarget target,
            ConnectionEvents events,
            CompletableFuture<WireConnection> handshake) {
        return new Bootstrap()
                .group(loops.group())
                .channelFactory(DirectSocket::new)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_KEEPALIVE, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, target.connectTimeoutMillis())
                .option(
                        ChannelOption.RECVBUF_ALLOCATOR,
                        new FixedRecvByteBufAllocator(FrameSplitter.SCRATCH_BYTES))
                .handler(
                        new ChannelInitializer<DirectSocket>() {
                            @Override
                            protected void initChannel(DirectSocket channel) {
                                WireConnection connection =
                                        new WireConnection(channel, target, events, handshake);
                                channel.pipeline().addLast(connection.frames());
                            }
                        });
    }

    private static WireConnection shakeHands(
            CompletableFuture<WireConnection> handshake,
            Channel channel,
            ConnectionTarget target,
            long deadline)
            throws TransportException {
        try {
            return handshake.get(Math.max(1, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            channel.close();
            throw e.getCause() instanceof TransportException reason
                    ? reason.again()
                    : unreachable(target, e);
        } catch (TimeoutException e) {
            channel.close();
            throw new TransportException(
                    ErrorCode.HANDSHAKE_TIMEOUT,
                    "%s:%d accepted the connection but did not answer within %d ms"
                            .formatted(target.host(), target.port(), target.connectTimeoutMillis()),
                    e);
        } catch (InterruptedException e) {
            channel.close();
            Thread.currentThread().interrupt();
            throw new TransportException(ErrorCode.NONE, "interrupted while connecting", e);
        }
    }

    private static TransportException unreachable(ConnectionTarget target, Throwable cause) {
        String why =
                cause == null
                        ? "no answer within %d ms".formatted(target.connectTimeoutMillis())
                        : cause.getMessage();
        String text = "cannot connect to %s:%d: %s".formatted(target.host(), target.port(), why);
        return cause == null
                ? new TransportException(ErrorCode.NONE, text)
                : new TransportException(ErrorCode.NONE, text, cause);
    }
}

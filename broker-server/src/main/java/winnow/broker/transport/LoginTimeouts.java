package winnow.broker.transport;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import winnow.wire.ErrorCode;

/// Ends a connection that sends nothing, or does not log in, in time. Stands at the begin of its
/// pipeline until something comes. Owned by the connection's event loop.
final class LoginTimeouts extends ChannelInboundHandlerAdapter {
    /// Time for reading what had come when a time was over: a broker that was suspended finds both
    /// at once.
    private static final int READING_MILLIS = 50;

    private final NewConnection connection;
    private final NettyLoop loop;
    private final Duration firstByte;
    private final Duration handshake;
    private boolean hasCome;

    LoginTimeouts(NewConnection connection, NettyLoop loop, TransportConfig config) {
        this.connection = connection;
        this.loop = loop;
        this.firstByte = config.firstByteTimeout();
        this.handshake = config.handshakeTimeout();
    }

    /// The connection is there.
    void begin(Channel channel) {
        channel.pipeline().addFirst("first-byte", this);
        schedule(channel, firstByte, this::onFirstByteTimeout);
        schedule(channel, handshake, connection::onHandshakeTimeout);
    }

    private void schedule(Channel channel, Duration time, Runnable task) {
        EventLoop events = channel.eventLoop();
        Runnable guarded = () -> loop.faults().run(connection, task);
        Future<?> timeout =
                events.schedule(
                        () -> events.schedule(guarded, READING_MILLIS, TimeUnit.MILLISECONDS),
                        time.toMillis(),
                        TimeUnit.MILLISECONDS);
        channel.closeFuture().addListener(_ -> timeout.cancel(false));
    }

    private void onFirstByteTimeout() {
        if (!hasCome) {
            connection.goodbye(
                    ErrorCode.HANDSHAKE_TIMEOUT,
                    "expected the client to send something within %s ms of connecting,"
                                    .formatted(firstByte.toMillis())
                            + " found nothing. A client of Winnow sends at once: is its process"
                            + " paused, its machine overloaded, or something else connected here?"
                            + " A longer time can be set by transport.first-byte-timeout");
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext handler, Object bytes) {
        hasCome = true;
        handler.fireChannelRead(bytes);
        handler.pipeline().remove(this);
    }
}

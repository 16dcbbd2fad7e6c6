package winnow.client.transport.connect;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.FixedRecvByteBufAllocator;
import java.net.InetAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import winnow.client.transport.ClientTls;
import winnow.client.transport.ConnectionEvents;
import winnow.client.transport.DirectSocket;
import winnow.client.transport.HandshakeResult;
import winnow.client.transport.SharedEventLoops;
import winnow.client.transport.WireConnection;
import winnow.client.transport.endpoint.BrokerHost;
import winnow.client.transport.endpoint.ConnectionTarget;
import winnow.client.transport.endpoint.LocalFailure;
import winnow.client.transport.endpoint.TlsOptions;
import winnow.client.transport.endpoint.TransportException;
import winnow.wire.FrameSplitter;

/// One attempt to reach a broker at one address: TCP connection and handshake. Unless it succeeds,
/// its socket is closed when [#run] returns. Used by one thread.
final class ConnectAttempt {
    /// Closing is a matter of microseconds, unless the event loop is stuck.
    private static final long CLOSE_MILLIS = 1000;

    private static final long NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    private final ConnectionTarget target;
    private final BrokerHost host;
    private final ConnectionEvents events;
    private final ChannelFactory<DirectSocket> sockets;
    private final HandshakeResult handshake = new HandshakeResult();

    /// Error that kept the event loop from setting the socket up.
    private volatile @Nullable Throwable brokenBy;

    ConnectAttempt(
            ConnectionTarget target,
            BrokerHost host,
            ConnectionEvents events,
            ChannelFactory<DirectSocket> sockets) {
        this.target = target;
        this.host = host;
        this.events = events;
        this.sockets = sockets;
    }

    /// Connects and shakes hands.
    ///
    /// @param address one of the host's
    /// @param timeoutNanos longest wait for both together
    /// @throws TransportException with the reason, without the address unless a broker said it
    WireConnection run(InetAddress address, long timeoutNanos) throws TransportException {
        long deadline = System.nanoTime() + timeoutNanos;
        TlsOptions options = target.tls();
        if (options == null && target.login().usesToken() && !address.isLoopbackAddress()) {
            throw new TransportException(
                    LocalFailure.TLS_FAILED,
                    "expected winnows:// with a token (tokenFile), which others could read on its"
                            + " way, found winnow://");
        }
        ClientTls tls = options == null ? null : ClientTls.of(options);
        SharedEventLoops loops = newLoops();
        DirectSocket socket = newSocket(loops);
        try {
            awaitTcp(bootstrap(loops, socket, tls).connect(address, host.port()), timeoutNanos);
            long rest = Math.max(1, deadline - System.nanoTime());
            return handshake.await(rest, toMillis(timeoutNanos));
        } catch (TransportException | RuntimeException | Error failure) {
            try {
                close(socket, loops);
            } catch (RuntimeException | Error unclosed) {
                failure.addSuppressed(unclosed);
            }
            throw failure;
        }
    }

    private static void close(DirectSocket socket, SharedEventLoops loops) {
        if (hasLoop(socket)) {
            socket.close().awaitUninterruptibly(CLOSE_MILLIS);
        } else {
            // It failed before; then Netty neither closes it nor tells who listens for its end.
            socket.unsafe().closeForcibly();
            loops.release();
        }
    }

    private static boolean hasLoop(DirectSocket socket) {
        try {
            return socket.eventLoop() != null;
        } catch (IllegalStateException none) {
            return false;
        }
    }

    private SharedEventLoops newLoops() throws TransportException {
        try {
            return SharedEventLoops.acquire(target.ioThreads());
        } catch (RuntimeException e) {
            throw noSocket(e);
        }
    }

    /// Makes a socket that gives the loops back when it is closed. Not left to Netty, whose
    /// substitute for a socket that cannot be made is never closed.
    private DirectSocket newSocket(SharedEventLoops loops) throws TransportException {
        try {
            DirectSocket socket = sockets.newChannel();
            socket.closeFuture().addListener(closed -> loops.release());
            // Not an option of the bootstrap, which Netty 4.1 and 4.2 name differently.
            socket.config()
                    .setRecvByteBufAllocator(
                            new FixedRecvByteBufAllocator(FrameSplitter.SCRATCH_BYTES));
            return socket;
        } catch (RuntimeException e) {
            loops.release();
            throw noSocket(e);
        } catch (Error e) {
            loops.release();
            throw e;
        }
    }

    private Bootstrap bootstrap(
            SharedEventLoops loops, DirectSocket socket, @Nullable ClientTls tls) {
        // The waiting thread alone watches the time.
        Bootstrap bootstrap = new Bootstrap();
        target.sockets().apply(bootstrap);
        return bootstrap
                .group(loops.group())
                .channelFactory(() -> socket)
                .option(ChannelOption.SO_KEEPALIVE, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, 0)
                .handler(
                        new ChannelInitializer<DirectSocket>() {
                            @Override
                            protected void initChannel(DirectSocket channel) {
                                try {
                                    addHandlers(channel, tls);
                                } catch (RuntimeException | Error failure) {
                                    // Netty closes the socket and says no more than that.
                                    brokenBy = failure;
                                    throw failure;
                                }
                            }
                        });
    }

    private void addHandlers(DirectSocket channel, @Nullable ClientTls tls) {
        WireConnection connection = new WireConnection(channel, target, host, events, handshake);
        if (tls != null) {
            channel.requireLoop();
            channel.pipeline().addLast(tls.newHandler(channel.alloc(), host.name(), host.port()));
        }
        channel.pipeline().addLast(connection.frames());
    }

    private void awaitTcp(ChannelFuture connecting, long timeoutNanos) throws TransportException {
        try {
            if (!connecting.await(timeoutNanos, TimeUnit.NANOSECONDS)) {
                throw new TransportException(
                        LocalFailure.TIMED_OUT,
                        "no answer within %d ms".formatted(toMillis(timeoutNanos)));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TransportException(LocalFailure.INTERRUPTED, "interrupted");
        }
        if (!connecting.isSuccess()) {
            throw failed("", brokenBy == null ? connecting.cause() : brokenBy);
        }
    }

    private static long toMillis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos + NANOS_PER_MILLI - 1);
    }

    private static TransportException noSocket(RuntimeException failure) {
        return failed("no socket could be opened: ", failure);
    }

    private static TransportException failed(String what, @Nullable Throwable failure) {
        Throwable innermost = failure;
        while (innermost != null && innermost.getCause() != null) {
            innermost = innermost.getCause();
        }
        // An error of linkage tells by its class what its message is about.
        String text =
                innermost instanceof Error || innermost == null ? null : innermost.getMessage();
        return new TransportException(
                LocalFailure.CONNECT_FAILED,
                what + (text == null ? String.valueOf(innermost) : text),
                innermost);
    }
}

package winnow.broker.transport;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import winnow.broker.memory.BrokerHeap;
import winnow.broker.memory.HeapPart;
import winnow.broker.session.ClientConnection;
import winnow.broker.session.SessionContext;
import winnow.broker.subscription.Loop;
import winnow.broker.transport.tls.TlsCertificates;
import winnow.wire.ErrorCode;
import winnow.wire.FrameMemory;
import winnow.wire.WireException;

/// Listens for clients and makes their pipelines.
public final class TcpServer {
    private static final int ACCEPT_QUEUE = 1024;

    /// Longest wait for an event loop to close the port: one that hangs does not hold the stop up.
    private static final int STOP_SECONDS = 5;

    /// A socket that holds more takes no deliveries; they stay in their backlogs, which have
    /// budgets.
    static final int MAX_OUTPUT_BYTES = 512 * 1024;

    /// The least that a socket may hold, however many there are.
    static final int MIN_OUTPUT_BYTES = 1024;

    /// Part of the largest heap, which is as much as direct memory may take, for the output of all
    /// sockets: each may hold the same share of it.
    private static final int OUTPUT_PART = 8;

    private volatile TransportConfig config;
    private final EventLoops loops;
    private final SessionContext context;
    private final FrameMemory frameMemory;

    /// The first is the one in which clients are told why they cannot stay before their own is
    /// known.
    private final List<ClientProtocol> protocols;

    /// Connections whose protocol is not known yet.
    private final Set<NewConnection> unknown = ConcurrentHashMap.newKeySet();

    /// Says goodbye to who begins while the port is closed; null while it is open.
    private volatile @Nullable Consumer<NewConnection> stopping;

    private final HeapPart connectionHeap;
    private final TlsPort tls;
    private final ConnectionPlaces places = new ConnectionPlaces();
    private final Channel channel;

    /// Binds the port.
    ///
    /// @param certificates null for a port without TLS
    /// @throws IllegalStateException naming the address if it cannot be bound
    public TcpServer(
            TransportConfig config,
            InetSocketAddress address,
            EventLoops loops,
            SessionContext context,
            BrokerHeap heap,
            @Nullable TlsCertificates certificates) {
        this.config = config;
        this.connectionHeap =
                heap.essentialPart("connections", TransportConfig.connectionHeapBytes());
        this.tls = new TlsPort(certificates, context.counters().tlsFailures);
        this.loops = loops;
        this.context = context;
        this.frameMemory = new FrameMemory(heap.reserve(config.effectiveFrameBufferBytes()));
        this.protocols = List.of(new NativeProtocol(context, frameMemory));
        this.channel = bind(address);
        loops.every(ClientConnection.TICK_MILLIS, this::tick);
    }

    private Channel bind(InetSocketAddress address) {
        ServerBootstrap bootstrap =
                new ServerBootstrap()
                        .group(loops.group())
                        .channel(EventLoops.serverChannel())
                        .option(ChannelOption.SO_BACKLOG, ACCEPT_QUEUE)
                        .option(ChannelOption.SO_REUSEADDR, true)
                        .childOption(ChannelOption.TCP_NODELAY, config.tcpNoDelay())
                        .childOption(ChannelOption.ALLOW_HALF_CLOSURE, false)
                        .childHandler(
                                new ChannelInitializer<>() {
                                    @Override
                                    protected void initChannel(Channel child) {
                                        accept(child);
                                    }

                                    @Override
                                    public void exceptionCaught(
                                            ChannelHandlerContext handler, Throwable cause) {
                                        loops.of(handler.channel().eventLoop())
                                                .faults()
                                                .onFault(_ -> handler.close(), cause);
                                    }
                                });
        if (config.socketBuffer().bytes() > 0) {
            int bytes = config.socketBuffer().toInt();
            bootstrap.childOption(ChannelOption.SO_SNDBUF, bytes);
            // Of the port: the window is agreed on before a connection is accepted.
            bootstrap.option(ChannelOption.SO_RCVBUF, bytes);
        }
        return HttpServer.bind(bootstrap, address);
    }

    /// Bytes that each of so many sockets may hold.
    static int outputBytes(int connections) {
        long share = Runtime.getRuntime().maxMemory() / OUTPUT_PART / Math.max(1, connections);
        return Math.clamp(share, MIN_OUTPUT_BYTES, MAX_OUTPUT_BYTES);
    }

    /// The protocol of a connection is known.
    private void onBegun(NewConnection connection) {
        unknown.remove(connection);
        connection.limitOutput(outputBytes());
        sayGoodbye(connection);
    }

    private void sayGoodbye(NewConnection connection) {
        Consumer<NewConnection> goodbye = stopping;
        if (goodbye != null) {
            goodbye.accept(connection);
        }
    }

    private int outputBytes() {
        return outputBytes(context.counters().connections.get());
    }

    /// A peer that has vanished neither takes nor confirms bytes.
    private void limitUnconfirmed(Channel child) {
        long unreadMillis = context.currentConfig().get().unreadTimeout().toMillis();
        if (Epoll.isAvailable() && unreadMillis > 0) {
            child.config().setOption(EpollChannelOption.TCP_USER_TIMEOUT, (int) unreadMillis);
        }
    }

    private void accept(Channel child) {
        limitUnconfirmed(child);
        NettyLoop loop = loops.of(child.eventLoop());
        NewConnection connection =
                new NewConnection(child, loop, protocols.getFirst(), this::onBegun);
        unknown.add(connection);
        child.closeFuture().addListener(_ -> unknown.remove(connection));
        tls.begin(
                child.pipeline(),
                () ->
                        connection.onProtocolError(
                                new WireException(
                                        ErrorCode.MALFORMED_FRAME,
                                        "this port speaks TLS: use winnows://")));
        child.pipeline()
                .addLast(
                        NewConnection.PREAMBLE,
                        new PreambleHandler(connection, protocols, loop, tls));

        context.counters().accepted.increment();
        context.counters().connections.incrementAndGet();
        connectionHeap.follow(this::connectionBytes);
        String refusal =
                places.take(
                        connection,
                        fittingConnections(),
                        config.effectiveMaxConnections(),
                        config.effectiveMaxConnectionsPerAddress());
        if (!refusal.isEmpty()) {
            onClosed();
            connection.goodbye(ErrorCode.LIMIT_EXCEEDED, refusal);
            return;
        }
        child.closeFuture().addListener(_ -> places.end(connection));
        sayGoodbye(connection);
        child.closeFuture().addListener(_ -> onClosed());
        new LoginTimeouts(connection, loop, config).begin(child);
    }

    private void onClosed() {
        context.counters().connections.decrementAndGet();
        connectionHeap.follow(this::connectionBytes);
    }

    private long connectionBytes() {
        return (long) context.counters().connections.get() * TransportConfig.CONNECTION_BYTES;
    }

    /// Connections for which the broker's heap has room.
    private int fittingConnections() {
        long fitting = connectionHeap.availableBytes() / TransportConfig.CONNECTION_BYTES;
        return (int) Math.min(Integer.MAX_VALUE, fitting);
    }

    /// One timer per loop serves the heartbeats of all its connections, and gives each its share of
    /// the output anew.
    private void tick(Loop loop) {
        if (loop instanceof NettyLoop own) {
            own.releaseLarge();
        }
        int outputBytes = outputBytes();
        for (ClientConnection connection : context.connections().open()) {
            if (connection.loop().index() == loop.index()) {
                connection.limitOutput(outputBytes);
                loop.faults().run(connection, connection::onTick);
            }
        }
    }

    /// Limits of new connections.
    public void config(TransportConfig config) {
        this.config = config;
    }

    /// The address in use.
    public InetSocketAddress address() {
        return (InetSocketAddress) channel.localAddress();
    }

    /// Bytes of frames that have not arrived whole.
    public long partialFrameBytes() {
        return frameMemory.usedBytes();
    }

    /// Bytes outside the heap that the buffers of connections use.
    public long directBytes() {
        return Stream.of(ByteBufAllocator.DEFAULT, UnpooledByteBufAllocator.DEFAULT)
                .distinct()
                .mapToLong(TcpServer::directBytes)
                .sum();
    }

    private static long directBytes(ByteBufAllocator of) {
        return of instanceof ByteBufAllocatorMetricProvider allocator
                ? allocator.metric().usedDirectMemory()
                : 0;
    }

    /// Accepts no more connections, and says goodbye to those whose protocol is not known yet.
    /// Waits until the port is closed, but not for an event loop that hangs.
    public void stopAccepting(ErrorCode code, String reason) {
        stopping = connection -> connection.goodbye(code, reason);
        channel.close().awaitUninterruptibly(STOP_SECONDS, TimeUnit.SECONDS);
        for (NewConnection connection : unknown) {
            connection.execute(() -> sayGoodbye(connection));
        }
    }
}

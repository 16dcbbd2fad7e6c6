package winnow.broker.transport;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import java.net.InetSocketAddress;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import winnow.broker.memory.BrokerHeap;
import winnow.broker.memory.HeapPart;
import winnow.broker.session.AddressBlock;
import winnow.broker.session.ClientConnection;
import winnow.broker.session.SessionContext;
import winnow.broker.subscription.Loop;
import winnow.wire.ErrorCode;
import winnow.wire.FrameMemory;
import winnow.wire.FrameSplitter;
import winnow.wire.Protocol;
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
        FrameSplitter splitter =
                new FrameSplitter(loop.scratch(), Protocol.MAX_HANDSHAKE_FRAME_BYTES, frameMemory);
        ConnectionOutput output = new ConnectionOutput(child, loop, context.names(), splitter);
        ClientConnection connection = new ClientConnection(context, output);
        output.owner(connection);
        splitter.onAdmitted(() -> loop.execute(output, output::updateReading));
        ReadSize readSize = new ReadSize(loop.iterations());
        child.config().setRecvByteBufAllocator(readSize);
        FrameHandler frames = new FrameHandler(splitter, output, connection, readSize);
        tls.begin(
                child.pipeline(),
                () ->
                        connection.onProtocolError(
                                new WireException(
                                        ErrorCode.MALFORMED_FRAME,
                                        "this port speaks TLS: use winnows://")));
        child.pipeline().addLast("preamble", new PreambleHandler(connection, frames, tls));

        context.counters().accepted.increment();
        int open = context.counters().connections.incrementAndGet();
        connectionHeap.follow(this::connectionBytes);
        output.limitBytes(outputBytes(open));
        ClientPlace place = new ClientPlace(output.address(), connection);
        String refusal =
                places.take(
                        place,
                        fittingConnections(),
                        config.effectiveMaxConnections(),
                        config.effectiveMaxConnectionsPerAddress());
        if (!refusal.isEmpty()) {
            onClosed();
            connection.goodbye(ErrorCode.LIMIT_EXCEEDED, refusal);
            return;
        }
        child.closeFuture().addListener(_ -> places.end(place));
        child.pipeline().addFirst("first-byte", firstByte(child, connection));
        child.closeFuture().addListener(_ -> onClosed());
        Future<?> timeout =
                child.eventLoop()
                        .schedule(
                                () -> loop.faults().run(connection, connection::onHandshakeTimeout),
                                config.handshakeTimeout().toMillis(),
                                TimeUnit.MILLISECONDS);
        child.closeFuture().addListener(_ -> timeout.cancel(false));
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

    private FirstByte firstByte(Channel child, ClientConnection connection) {
        Runnable late =
                () ->
                        connection.goodbye(
                                ErrorCode.HANDSHAKE_TIMEOUT,
                                "expected the client to send something within %s ms of connecting,"
                                                .formatted(config.firstByteTimeout().toMillis())
                                        + " found nothing. A client of Winnow sends at once: is its"
                                        + " process paused, its machine overloaded, or something"
                                        + " else connected here? A longer time can be set by"
                                        + " transport.first-byte-timeout");
        Future<?> timeout =
                child.eventLoop()
                        .schedule(
                                late, config.firstByteTimeout().toMillis(), TimeUnit.MILLISECONDS);
        child.closeFuture().addListener(_ -> timeout.cancel(false));
        return new FirstByte(() -> timeout.cancel(false));
    }

    /// Tells that something has come, then leaves the pipeline.
    private static final class FirstByte extends ChannelInboundHandlerAdapter {
        private final Runnable onCome;

        FirstByte(Runnable onCome) {
            this.onCome = onCome;
        }

        @Override
        public void channelRead(ChannelHandlerContext handler, Object bytes) {
            onCome.run();
            handler.fireChannelRead(bytes);
            handler.pipeline().remove(this);
        }
    }

    /// A client's place among all.
    private static final class ClientPlace implements ConnectionPlaces.Place {
        private final String addressBlock;
        private final String network;
        private final ClientConnection connection;

        ClientPlace(String address, ClientConnection connection) {
            this.addressBlock = AddressBlock.of(address);
            this.network = AddressBlock.network(address);
            this.connection = connection;
        }

        @Override
        public String addressBlock() {
            return addressBlock;
        }

        @Override
        public String network() {
            return network;
        }

        @Override
        public boolean isLoggedIn() {
            return connection.id() != 0;
        }

        @Override
        public void onDisplaced() {
            connection
                    .loop()
                    .execute(
                            connection,
                            () ->
                                    connection.goodbye(
                                            ErrorCode.LIMIT_EXCEEDED,
                                            "all connections are in use, and this one had not"
                                                    + " logged in (transport.max-connections,"
                                                    + " transport.max-connections-per-address)"));
        }
    }

    /// One timer per loop serves the heartbeats of all its connections, and gives each its share of
    /// the output anew.
    private void tick(Loop loop) {
        if (loop instanceof NettyLoop own) {
            own.releaseLarge();
        }
        int outputBytes = outputBytes(context.counters().connections.get());
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

    /// Accepts no more connections. Waits for that, but not for an event loop that hangs.
    public void stopAccepting() {
        channel.close().awaitUninterruptibly(STOP_SECONDS, TimeUnit.SECONDS);
    }
}

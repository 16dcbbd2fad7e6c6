package winnow.broker.transport;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/// The HTTP port: metrics, health and the administration API. Runs on a thread of its own, so that
/// a scrape never delays a message.
public final class HttpServer {
    private static final int MAX_REQUEST_BYTES = 16 * 1024;

    /// What one read brings at most: more than a request with its headers usually takes.
    private static final int READ_BYTES = 4 * 1024;

    private final LoopThreads threads = new LoopThreads("winnow-http");
    private final EventLoopGroup group = EventLoops.newGroup(1, threads);
    private final HttpConfig config;
    private final Map<String, Page> pages;
    private final LongAdder refused;
    private final AnswerMemory memory = new AnswerMemory();
    private final Channel channel;

    /// Touched by the server's thread alone.
    private int connections;

    /// What is asked for.
    ///
    /// @param path its segments, decoded
    /// @param parameters values of the query by name
    /// @param authorization value of that header, empty if there is none
    /// @param address where the client is
    public record Request(
            List<String> path,
            Map<String, List<String>> parameters,
            String authorization,
            String address) {}

    /// What is answered.
    ///
    /// @param status HTTP status code
    /// @param contentType media type of the body
    /// @param body text
    public record Response(int status, String contentType, String body) {}

    /// Answers GET requests. Called on the server's thread, which it must not block. A connection
    /// that closes cancels the answer it waits for.
    @FunctionalInterface
    public interface Page {
        CompletionStage<Response> get(Request request);
    }

    /// Binds the port.
    ///
    /// @param pages by path; one that ends in `/` answers for all paths that begin so
    /// @param refused counts connections beyond the limit
    /// @throws IllegalStateException naming the address if it cannot be bound
    public HttpServer(
            HttpConfig config,
            InetSocketAddress address,
            Map<String, Page> pages,
            LongAdder refused) {
        this.config = config;
        this.pages = Map.copyOf(pages);
        this.refused = refused;
        ServerBootstrap bootstrap =
                new ServerBootstrap()
                        .group(group)
                        .channel(EventLoops.serverChannel())
                        .childOption(
                                ChannelOption.RECVBUF_ALLOCATOR,
                                new FixedRecvByteBufAllocator(READ_BYTES))
                        .childHandler(
                                new ChannelInitializer<>() {
                                    @Override
                                    protected void initChannel(Channel child) {
                                        accept(child);
                                    }
                                });
        channel = bind(bootstrap, address);
    }

    private void accept(Channel child) {
        connections++;
        child.closeFuture().addListener(_ -> connections--);
        if (connections > config.maxConnections()) {
            refused.increment();
            refuse(child);
            return;
        }
        child.pipeline()
                .addLast(new HttpServerCodec())
                .addLast(new HttpObjectAggregator(MAX_REQUEST_BYTES))
                .addLast(new HttpPages(pages, config.requestTimeout(), memory));
    }

    private void refuse(Channel child) {
        String text = "http.max-connections is " + config.maxConnections() + "\n";
        String answer =
                "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: "
                        + text.length()
                        + "\r\n\r\n"
                        + text;
        child.writeAndFlush(Unpooled.copiedBuffer(answer, StandardCharsets.US_ASCII))
                .addListener(ChannelFutureListener.CLOSE);
    }

    /// Binds, with the address in the error.
    static Channel bind(ServerBootstrap bootstrap, InetSocketAddress address) {
        try {
            return bootstrap.bind(address).syncUninterruptibly().channel();
        } catch (Exception e) {
            throw new IllegalStateException(
                    "cannot listen on "
                            + address.getHostString()
                            + ":"
                            + address.getPort()
                            + ": "
                            + e.getMessage(),
                    e);
        }
    }

    /// Address of the peer without its port, empty if it has gone.
    static String host(Channel channel) {
        return channel.remoteAddress() instanceof InetSocketAddress peer
                ? peer.getAddress().getHostAddress()
                : "";
    }

    /// The address in use.
    public InetSocketAddress address() {
        return (InetSocketAddress) channel.localAddress();
    }

    public void stop() {
        threads.onStop();
        channel.close().syncUninterruptibly();
        group.shutdownGracefully(0, 2, TimeUnit.SECONDS).syncUninterruptibly();
    }
}

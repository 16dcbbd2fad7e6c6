package winnow.broker.transport;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.timeout.ReadTimeoutHandler;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/// The HTTP port: metrics, health and the administration API. Runs on a thread of its own, so that
/// a scrape never delays a message.
public final class HttpServer {
    private static final int MAX_REQUEST_BYTES = 16 * 1024;
    private static final int READ_TIMEOUT_SECONDS = 30;

    private final EventLoopGroup group = EventLoops.newGroup(1, "winnow-http");
    private final Channel channel;

    /// What is asked for.
    ///
    /// @param path its segments, decoded
    /// @param parameters values of the query by name
    /// @param authorization value of that header, empty if there is none
    public record Request(
            List<String> path, Map<String, List<String>> parameters, String authorization) {}

    /// What is answered.
    ///
    /// @param status HTTP status code
    /// @param contentType media type of the body
    /// @param body text
    public record Response(int status, String contentType, String body) {}

    /// Answers GET requests. Called on the server's thread, which it must not block.
    @FunctionalInterface
    public interface Page {
        CompletionStage<Response> get(Request request);
    }

    /// Binds the port.
    ///
    /// @param pages by path; one that ends in `/` answers for all paths that begin so
    /// @throws IllegalStateException naming the address if it cannot be bound
    public HttpServer(InetSocketAddress address, Map<String, Page> pages) {
        Map<String, Page> fixed = Map.copyOf(pages);
        ServerBootstrap bootstrap =
                new ServerBootstrap()
                        .group(group)
                        .channel(EventLoops.serverChannel())
                        .childHandler(
                                new ChannelInitializer<>() {
                                    @Override
                                    protected void initChannel(Channel child) {
                                        child.pipeline()
                                                .addLast(
                                                        new ReadTimeoutHandler(
                                                                READ_TIMEOUT_SECONDS))
                                                .addLast(new HttpServerCodec())
                                                .addLast(
                                                        new HttpObjectAggregator(MAX_REQUEST_BYTES))
                                                .addLast(new HttpPages(fixed));
                                    }
                                });
        channel = bind(bootstrap, address);
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

    /// The address in use.
    public InetSocketAddress address() {
        return (InetSocketAddress) channel.localAddress();
    }

    public void stop() {
        channel.close().syncUninterruptibly();
        group.shutdownGracefully(0, 2, TimeUnit.SECONDS).syncUninterruptibly();
    }
}

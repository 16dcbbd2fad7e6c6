package winnow.broker.transport;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.codec.compression.StandardCompressionOptions;
import io.netty.handler.codec.http.HttpContentCompressor;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;
import winnow.broker.identity.ProvenUser;
import winnow.broker.memory.BrokerHeap;
import winnow.broker.metrics.BrokerCounters;
import winnow.broker.security.Authenticator;
import winnow.broker.transport.tls.TlsCertificates;

/// The HTTP port, and the socket with the same pages: metrics, health and the administration API.
/// Runs on threads of its own, so that a scrape never delays a message: one for the connections and
/// for health, one for all other pages.
public final class HttpServer {
    static final String TEXT = "text/plain; charset=utf-8";

    /// Most bytes that one read brings: more than a request with its headers usually takes.
    private static final int READ_BYTES = 4 * 1024;

    /// Shorter answers are not compressed, even for a client that accepts it.
    private static final int MIN_COMPRESSED_BYTES = 1024;

    /// Prefix of the paths of pages about health.
    static final String HEALTH = "/health/";

    /// In place of a path: the page for those that have none.
    static final String ALL_OTHERS = "*";

    private static final int STOP_SECONDS = 5;

    private final LoopThreads threads = new LoopThreads("winnow-http");
    private final EventLoopGroup group = EventLoops.newGroup(1, threads);
    private final PageThread pageThread = PageThread.start();
    private final HttpConfig config;
    private final Map<String, Page> pages;
    private final Map<String, Page> healthPages;
    private final HttpConnections connections;

    /// Connections of the socket: those of the port take no places away from them.
    private final HttpConnections localConnections;

    private final ChannelGroup accepted = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    private final HttpMemory memory;
    private final HttpMemory requestMemory;
    private final TlsPort tls;
    private final Channel channel;
    private final @Nullable AdminSocket socket;

    /// Request for a page.
    ///
    /// @param path its segments, decoded
    /// @param parameters values of the query by name
    /// @param address where the client is
    /// @param confidential whether nobody else can read what it sends
    /// @param client who asks
    /// @param user who has proved who it is, as the one of the socket does by its connection
    /// @param body of a PUT request, empty for others
    public record Request(
            List<String> path,
            Map<String, List<String>> parameters,
            Headers headers,
            String address,
            boolean confidential,
            Client client,
            ProvenUser user,
            String body) {
        public Request(
                List<String> path,
                Map<String, List<String>> parameters,
                Headers headers,
                String address,
                boolean confidential,
                Client client) {
            this(path, parameters, headers, address, confidential, client, ProvenUser.nobody(), "");
        }

        /// The same from a user who has proved it.
        public Request by(ProvenUser proven) {
            return new Request(
                    path, parameters, headers, address, confidential, client, proven, body);
        }

        /// The same with a body.
        public Request with(String text) {
            return new Request(
                    path, parameters, headers, address, confidential, client, user, text);
        }

        /// Leaves out the body and the headers, which may have passwords.
        @Override
        public String toString() {
            return "Request[" + path + ", " + parameters.keySet() + ", " + address + "]";
        }
    }

    /// Values of the headers of a request, each empty if it is not there.
    ///
    /// @param contentType media type of the body
    /// @param ifMatch ETags of which the object of a change must have one
    /// @param ifNoneMatch ETags of which it must have none
    public record Headers(
            String host,
            String authorization,
            String accept,
            String contentType,
            String ifMatch,
            String ifNoneMatch) {
        public Headers(String host, String authorization, String accept) {
            this(host, authorization, accept, "", "", "");
        }
    }

    /// Client that asks. Thread-safe.
    public interface Client {
        /// The certificate that TLS has verified, null if it has shown none.
        default @Nullable X509Certificate certificate() {
            return null;
        }

        /// True if its connection is open.
        boolean isConnected();

        /// Runs the command on the thread of pages. The answers that were ready before have left
        /// for their connections by then, or were dropped.
        void execute(Runnable command);
    }

    /// Header of a list that leaves out what needs an operation that the user may not do on all.
    public static final String FILTER_HEADER = "Winnow-Filtered";

    /// Answer to a request.
    ///
    /// @param status HTTP status code
    /// @param contentType media type of the body
    /// @param nextPage target of what comes after this, empty if there is nothing
    /// @param allow methods that the page has, if that is the problem
    /// @param etag of what is answered, with its quotes; empty if it has none
    /// @param filter operation without which entries of the list are left out, empty if none are
    /// @param challenges ways to prove a user, if that is the problem
    public record Response(
            int status,
            String contentType,
            String body,
            String nextPage,
            String allow,
            String etag,
            String filter,
            List<String> challenges) {
        public Response {
            challenges = List.copyOf(challenges);
        }

        public Response(int status, String contentType, String body) {
            this(status, contentType, body, "");
        }

        public Response(int status, String contentType, String body, String nextPage) {
            this(status, contentType, body, nextPage, "", "", "", List.of());
        }

        /// The same with another status and an ETag.
        public Response with(int otherStatus, String tag) {
            return new Response(
                    otherStatus, contentType, body, nextPage, allow, tag, filter, challenges);
        }

        /// The same, of which entries are left out that need an operation.
        public Response filteredBy(String operation) {
            return new Response(
                    status, contentType, body, nextPage, allow, etag, operation, challenges);
        }

        /// The same with challenges, as the header `WWW-Authenticate` has them.
        public Response with(List<String> ways) {
            return new Response(status, contentType, body, nextPage, allow, etag, filter, ways);
        }

        /// Answer that says what is wrong with a request, as RFC 9457 has it.
        public static Response problem(int status, String detail) {
            return problem(status, detail, "");
        }

        /// The page has other methods.
        public static Response notAllowed(String allow, String found) {
            return problem(405, "expected " + allow + ", found " + found, allow);
        }

        private static Response problem(int status, String detail, String allow) {
            StringBuilder body = new StringBuilder("{\"title\":\"");
            body.append(HttpResponseStatus.valueOf(status).reasonPhrase());
            body.append("\",\"status\":").append(status).append(",\"detail\":\"");
            JsonStringEncoder.getInstance().quoteAsString(detail, body);
            return new Response(
                    status,
                    "application/problem+json",
                    body.append("\"}\n").toString(),
                    "",
                    allow,
                    "",
                    "",
                    List.of());
        }
    }

    /// Answers GET requests. Called on a thread for all pages but those about health, which the
    /// server's thread answers and which must not take time. A connection that closes cancels the
    /// answer it waits for.
    @FunctionalInterface
    public interface Page {
        CompletionStage<Response> get(Request request);

        /// Answers POST requests, which most pages do not take.
        default CompletionStage<Response> post(Request request) {
            return CompletableFuture.completedStage(Response.notAllowed("GET, HEAD", "POST"));
        }

        /// Answers PUT requests, which most pages do not take.
        default CompletionStage<Response> put(Request request) {
            return CompletableFuture.completedStage(Response.notAllowed("GET, HEAD", "PUT"));
        }

        /// Answers DELETE requests, which most pages do not take.
        default CompletionStage<Response> delete(Request request) {
            return CompletableFuture.completedStage(Response.notAllowed("GET, HEAD", "DELETE"));
        }
    }

    /// Binds the port, and the socket of `http.socket`.
    ///
    /// @param pages by path; one that ends in `/` answers for all paths that begin so; those below
    ///   `/health/` are answered however many connections there are
    /// @param counters of connections beyond the limit and of failures of TLS
    /// @param certificates null for a port without TLS
    /// @throws IllegalStateException naming the address if it cannot be bound
    public HttpServer(
            HttpConfig config,
            InetSocketAddress address,
            Map<String, Page> pages,
            BrokerCounters counters,
            BrokerHeap heap,
            @Nullable TlsCertificates certificates) {
        this.config = config;
        this.memory = HttpMemory.of(heap, "answers of HTTP");
        this.requestMemory = HttpMemory.of(heap, "requests of HTTP");
        this.tls = new TlsPort(certificates, counters.tlsFailures);
        this.pages = Map.copyOf(pages);
        this.healthPages = healthPages(pages, config);
        this.connections =
                new HttpConnections(config.maxConnections(), counters.httpConnectionsRefused);
        this.localConnections =
                new HttpConnections(config.maxConnections(), counters.httpConnectionsRefused);
        ServerBootstrap bootstrap =
                new ServerBootstrap()
                        .group(group)
                        .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
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
        try {
            channel = bind(bootstrap.clone().channel(EventLoops.serverChannel()), address);
        } catch (IllegalStateException e) {
            stopThread();
            throw e;
        }
        socket =
                AdminSocket.open(
                        config.socket(),
                        bootstrap.clone().channel(EventLoops.domainServerChannel()));
    }

    /// Pages about health, and for all others the reason why they are not answered.
    private static Map<String, Page> healthPages(Map<String, Page> pages, HttpConfig config) {
        Map<String, Page> some = new HashMap<>();
        pages.forEach((path, page) -> {
            if (path.startsWith(HEALTH)) {
                some.put(path, page);
            }
        });
        String full = "http.max-connections is " + config.maxConnections() + ", all are in use\n";
        some.put(ALL_OTHERS, _ -> CompletableFuture.completedStage(new Response(503, TEXT, full)));
        return some;
    }

    private void accept(Channel child) {
        accepted.add(child);
        boolean local = AdminSocket.isPeer(child);
        HttpConnections its = local ? localConnections : connections;
        HttpPages answers =
                switch (its.admit(child)) {
                    case ALL_PAGES -> answers(pages, its);
                    case HEALTH_ONLY -> {
                        HttpPages one = answers(healthPages, its);
                        one.endAfterOneAnswer();
                        yield one;
                    }
                };
        if (!local) {
            tls.begin(child.pipeline(), () -> refuseClearText(child));
        }
        child.pipeline()
                .addLast(codec())
                .addLast(
                        new HttpContentCompressor(
                                MIN_COMPRESSED_BYTES, StandardCompressionOptions.gzip()))
                .addLast(new WholeRequests(requestMemory))
                .addLast(answers);
    }

    private HttpPages answers(Map<String, Page> its, HttpConnections open) {
        return new HttpPages(its, config, requestMemory, memory, open, pageThread);
    }

    /// Decodes requests and keeps what somebody looks at.
    static HttpServerCodec codec() {
        return new HttpServerCodec(
                new HttpDecoderConfig()
                        .setHeadersFactory(RequestHeaders.FACTORY)
                        .setTrailersFactory(RequestHeaders.TRAILERS));
    }

    /// Answers as a web server does in this case.
    private static void refuseClearText(Channel child) {
        String text = "this port speaks TLS: use https://\n";
        String answer =
                "HTTP/1.1 400 Bad Request\r\nContent-Type: %s\r\nContent-Length: %d\r\n"
                                .formatted(TEXT, text.length())
                        + "Connection: close\r\n\r\n"
                        + text;
        ByteBuf bytes = Unpooled.copiedBuffer(answer, StandardCharsets.US_ASCII);
        // From the first handler on: the codec takes no bytes.
        child.pipeline()
                .firstContext()
                .writeAndFlush(bytes)
                .addListener(_ -> TlsPort.shutdownOutput(child));
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
                            + why(e),
                    e);
        }
    }

    /// The usual mistake, a second broker, in words that say what to do.
    private static String why(Exception failure) {
        String message = String.valueOf(failure.getMessage());
        return message.contains("Address already in use")
                ? "the port is in use, perhaps by another broker: stop that, or choose another port"
                        + " by --port or --http-port (0 takes any free one)"
                : message;
    }

    /// Address of the peer without its port, empty if it has gone.
    static String host(Channel channel) {
        if (AdminSocket.isPeer(channel)) {
            return AdminSocket.address(channel);
        }
        return channel.remoteAddress() instanceof InetSocketAddress peer
                ? peer.getAddress().getHostAddress()
                : "";
    }

    /// True if nobody but the peer can read what is sent: by TLS or because it is on this machine.
    static boolean confidential(Channel channel) {
        return channel.pipeline().get(SslHandler.class) != null
                || AdminSocket.isPeer(channel)
                || (channel.remoteAddress() instanceof InetSocketAddress peer
                        && peer.getAddress().isLoopbackAddress());
    }

    /// The peer, with its certificate if it has shown one.
    static Authenticator.Peer peer(Channel channel) {
        return new Authenticator.Peer(host(channel), confidential(channel), certificate(channel));
    }

    /// The certificate that TLS has verified, null if the peer has shown none.
    static @Nullable X509Certificate certificate(Channel channel) {
        SslHandler tls = channel.pipeline().get(SslHandler.class);
        if (tls == null) {
            return null;
        }
        try {
            Certificate[] chain = tls.engine().getSession().getPeerCertificates();
            return chain.length > 0 && chain[0] instanceof X509Certificate one ? one : null;
        } catch (SSLPeerUnverifiedException _) {
            return null;
        }
    }

    /// The address in use.
    public InetSocketAddress address() {
        return (InetSocketAddress) channel.localAddress();
    }

    /// Stops the thread and waits for it, but not if it hangs.
    public void stop() {
        if (socket != null) {
            socket.close();
        }
        channel.close().awaitUninterruptibly(STOP_SECONDS, TimeUnit.SECONDS);
        accepted.close().awaitUninterruptibly(STOP_SECONDS, TimeUnit.SECONDS);
        stopThread();
    }

    private void stopThread() {
        threads.onStop();
        pageThread.close();
        group.shutdownGracefully(0, 2, TimeUnit.SECONDS)
                .awaitUninterruptibly(STOP_SECONDS, TimeUnit.SECONDS);
    }
}

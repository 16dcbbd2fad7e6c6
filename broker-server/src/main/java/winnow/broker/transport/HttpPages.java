package winnow.broker.transport;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.util.concurrent.Future;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.broker.fault.FatalErrors;
import winnow.broker.transport.HttpServer.Page;
import winnow.broker.transport.HttpServer.Request;
import winnow.broker.transport.HttpServer.Response;

/// Answers requests by path, one request of its connection after the other: the next one starts
/// when the answer to the one before is written. Owned by the server's thread.
final class HttpPages extends SimpleChannelInboundHandler<FullHttpRequest> {
    private static final Logger LOG = LoggerFactory.getLogger(HttpPages.class);
    private static final String TEXT = HttpServer.TEXT;

    private static final String NO_ROOM_TEXT = "too many answers wait to be read, try again\n";
    private static final Response NO_ROOM = new Response(503, TEXT, NO_ROOM_TEXT);
    private static final byte[] NO_ROOM_BODY = NO_ROOM_TEXT.getBytes(StandardCharsets.UTF_8);
    private static final Pattern ABSOLUTE = Pattern.compile("(?i)^https?://[^/?#]*");
    private static final Set<HttpMethod> ANSWERED =
            Set.of(
                    HttpMethod.GET,
                    HttpMethod.HEAD,
                    HttpMethod.POST,
                    HttpMethod.PUT,
                    HttpMethod.DELETE);

    /// Methods that change something.
    private static final Set<HttpMethod> CHANGING =
            Set.of(HttpMethod.POST, HttpMethod.PUT, HttpMethod.DELETE);

    /// Browsers say with each POST, PUT and DELETE where the page is from that sends it; nothing
    /// else does. No page of this port sends one, and any other page must not change anything in
    /// the user's name.
    private static final String FROM_A_PAGE =
            "expected no header Origin, because a web page may change nothing here, found one";

    /// Requests of one connection that wait, the one being answered included. What is sent beyond
    /// is dropped, and the connection closed after the answers to these.
    private static final int MAX_WAITING = 16;

    /// Heap of a request, and of each of its headers, without their texts.
    private static final int REQUEST_BYTES = 1024;

    private static final int HEADER_BYTES = 128;

    /// Time that a client has to take its last answer before its connection is closed. A close
    /// while bytes of the client are unread would reset the connection, and might take the answer
    /// back.
    private static final Duration LINGER = Duration.ofSeconds(2);

    private final Map<String, Page> pages;
    private final HttpConfig config;
    private final HttpMemory requestMemory;
    private final HttpMemory memory;
    private final HttpConnections connections;
    private final PageThread thread;
    private final ArrayDeque<FullHttpRequest> waiting = new ArrayDeque<>();

    /// No requests are taken but those that wait.
    private boolean ending;

    private boolean inputEnded;
    private boolean lastAnswered;
    private @Nullable CompletableFuture<Response> answer;
    private @Nullable Future<?> deadline;

    /// The client at the other end.
    private record Connected(Channel channel, PageThread thread) implements HttpServer.Client {
        @Override
        public @Nullable X509Certificate certificate() {
            return HttpServer.certificate(channel);
        }

        @Override
        public boolean isConnected() {
            return channel.isActive();
        }

        @Override
        public void execute(Runnable command) {
            channel.eventLoop().execute(() -> thread.execute(command));
        }
    }

    HttpPages(
            Map<String, Page> pages,
            HttpConfig config,
            HttpMemory requestMemory,
            HttpMemory memory,
            HttpConnections connections,
            PageThread thread) {
        this.thread = thread;
        this.pages = pages;
        this.config = config;
        this.requestMemory = requestMemory;
        this.memory = memory;
        this.connections = connections;
    }

    /// To be called before the first request.
    void endAfterOneAnswer() {
        ending = true;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        restartDeadline(context, config.receiveTimeout());
    }

    private void restartDeadline(ChannelHandlerContext context, Duration timeout) {
        stopDeadline();
        deadline =
                context.executor()
                        .schedule(
                                () -> {
                                    LOG.debug("{} closed: {} are over", context.channel(), timeout);
                                    context.close();
                                },
                                timeout.toMillis(),
                                TimeUnit.MILLISECONDS);
    }

    private void stopDeadline() {
        if (deadline != null) {
            deadline.cancel(false);
        }
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
        if (lastAnswered || waiting.size() == MAX_WAITING || (ending && !waiting.isEmpty())) {
            ending = true;
            return;
        }
        if (waiting.isEmpty()) {
            requestMemory.add(heapBytes(request));
        } else if (!requestMemory.take(heapBytes(request))) {
            ending = true;
            return;
        }
        waiting.add(request.retain());
        if (waiting.size() == 1) {
            context.channel().config().setAutoRead(false);
            connections.onRequest(context.channel());
            answer(context, request);
        }
    }

    /// Heap of a request that waits: an estimate.
    private static int heapBytes(FullHttpRequest request) {
        int bytes = REQUEST_BYTES + request.uri().length() + request.content().capacity();
        for (Map.Entry<String, String> each : request.headers()) {
            bytes += HEADER_BYTES + each.getValue().length();
        }
        return bytes;
    }

    private void release(FullHttpRequest request) {
        requestMemory.release(heapBytes(request));
        request.release();
    }

    /// A client that has shut its output down still reads its answers.
    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof ChannelInputShutdownEvent) {
            inputEnded = true;
            ending = true;
            if (waiting.isEmpty()) {
                context.close();
            }
        }
        context.fireUserEventTriggered(event);
    }

    private void answer(ChannelHandlerContext context, FullHttpRequest request) {
        CompletableFuture<Response> current =
                respond(request, context.channel()).toCompletableFuture();
        answer = current;
        restartDeadline(context, config.requestTimeout());
        var _ =
                current.exceptionally(HttpPages::failed)
                        .thenAcceptAsync(
                                page -> onAnswer(context, request, page), context.executor())
                        .whenComplete((_, fault) -> {
                            if (fault != null) {
                                exceptionCaught(context, fault);
                            }
                        });
    }

    private void onAnswer(ChannelHandlerContext context, FullHttpRequest request, Response page) {
        if (!context.channel().isActive()) {
            return;
        }
        byte[] body = page.body().getBytes(StandardCharsets.UTF_8);
        if (memory.take(body.length)) {
            ChannelFuture written = write(context, request, page, body);
            written.addListener(_ -> {
                memory.release(body.length);
                onWritten(context, written);
            });
        } else {
            ChannelFuture written = write(context, request, NO_ROOM, NO_ROOM_BODY);
            written.addListener(_ -> onWritten(context, written));
        }
    }

    private ChannelFuture write(
            ChannelHandlerContext context, FullHttpRequest request, Response page, byte[] body) {
        boolean head = request.method().equals(HttpMethod.HEAD);
        FullHttpResponse response =
                new DefaultFullHttpResponse(
                        HttpVersion.HTTP_1_1,
                        HttpResponseStatus.valueOf(page.status()),
                        head ? Unpooled.EMPTY_BUFFER : Unpooled.wrappedBuffer(body));
        response.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, page.contentType())
                .set(HttpHeaderNames.CONTENT_LENGTH, body.length)
                // No browser takes text for a page, and nothing keeps what a user may see.
                .set("X-Content-Type-Options", "nosniff")
                .set(HttpHeaderNames.CACHE_CONTROL, HttpHeaderValues.NO_STORE);
        if (!page.challenges().isEmpty()) {
            response.headers().set(HttpHeaderNames.WWW_AUTHENTICATE, page.challenges());
        }
        if (!page.nextPage().isEmpty()) {
            response.headers().set("Link", "<" + page.nextPage() + ">; rel=\"next\"");
        }
        if (!page.allow().isEmpty()) {
            response.headers().set(HttpHeaderNames.ALLOW, page.allow());
        }
        if (!page.etag().isEmpty()) {
            response.headers().set(HttpHeaderNames.ETAG, page.etag());
        }
        if (!page.filter().isEmpty()) {
            response.headers().set(HttpServer.FILTER_HEADER, page.filter());
        }
        boolean last = ending && waiting.size() == 1;
        boolean keepAlive =
                HttpUtil.isKeepAlive(request) && request.decoderResult().isSuccess() && !last;
        HttpUtil.setKeepAlive(response, keepAlive);
        lastAnswered = !keepAlive;
        return context.writeAndFlush(response);
    }

    private void onWritten(ChannelHandlerContext context, ChannelFuture written) {
        if (!written.isSuccess() || !context.channel().isActive()) {
            context.close();
            return;
        }
        release(waiting.remove());
        if (lastAnswered) {
            end(context);
            return;
        }
        FullHttpRequest next = waiting.peek();
        if (next == null) {
            awaitInput(context, config.receiveTimeout());
        } else {
            answer(context, next);
        }
    }

    private void awaitInput(ChannelHandlerContext context, Duration timeout) {
        connections.onAnswered(context.channel());
        restartDeadline(context, timeout);
        context.channel().config().setAutoRead(true);
    }

    /// Tells the client that nothing more comes, and waits for the same from it.
    private void end(ChannelHandlerContext context) {
        if (inputEnded) {
            context.close();
            return;
        }
        TlsPort.shutdownOutput(context.channel());
        awaitInput(context, LINGER);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        stopDeadline();
        if (answer != null) {
            answer.cancel(false);
        }
        waiting.forEach(this::release);
        waiting.clear();
    }

    private CompletionStage<Response> respond(FullHttpRequest request, Channel channel) {
        if (!request.decoderResult().isSuccess()) {
            return undecoded(request.decoderResult().cause());
        }
        if (!ANSWERED.contains(request.method())) {
            return CompletableFuture.completedStage(
                    Response.notAllowed("GET, HEAD, POST, PUT, DELETE", request.method().name()));
        }
        if (CHANGING.contains(request.method())
                && request.headers().contains(HttpHeaderNames.ORIGIN)) {
            return now(403, FROM_A_PAGE);
        }
        QueryStringDecoder uri = new QueryStringDecoder(originForm(request.uri()));
        String path = withSlash(uri.rawPath());
        Page page = page(path);
        if (page == null) {
            String known = String.join(", ", new TreeSet<>(pages.keySet()));
            return now(404, "expected one of " + known + ", found " + path);
        }
        try {
            HttpMethod method = request.method();
            Request plain =
                    new Request(
                                    segments(path),
                                    uri.parameters(),
                                    headers(request.headers()),
                                    HttpServer.host(channel),
                                    HttpServer.confidential(channel),
                                    new Connected(channel, thread))
                            .by(AdminSocket.user(channel));
            Request asked = method.equals(HttpMethod.PUT) ? plain.with(body(request)) : plain;
            if (path.startsWith(HttpServer.HEALTH)) {
                return ask(page, method, asked);
            }
            return thread.make(() -> ask(page, method, asked), channel::isActive);
        } catch (CharacterCodingException _) {
            return now(400, "expected a body in UTF-8, found other bytes");
        } catch (IllegalArgumentException e) {
            return now(400, String.valueOf(e.getMessage()));
        } catch (RuntimeException fault) {
            return CompletableFuture.failedStage(fault);
        }
    }

    private static HttpServer.Headers headers(HttpHeaders headers) {
        return new HttpServer.Headers(
                headers.get(HttpHeaderNames.HOST, ""),
                headers.get(HttpHeaderNames.AUTHORIZATION, ""),
                headers.get(HttpHeaderNames.ACCEPT, ""),
                headers.get(HttpHeaderNames.CONTENT_TYPE, ""),
                String.join(", ", headers.getAll(HttpHeaderNames.IF_MATCH)),
                String.join(", ", headers.getAll(HttpHeaderNames.IF_NONE_MATCH)));
    }

    private static String body(FullHttpRequest request) throws CharacterCodingException {
        return StandardCharsets.UTF_8.newDecoder().decode(request.content().nioBuffer()).toString();
    }

    private static CompletionStage<Response> ask(Page page, HttpMethod method, Request asked) {
        if (method.equals(HttpMethod.POST)) {
            return page.post(asked);
        }
        if (method.equals(HttpMethod.PUT)) {
            return page.put(asked);
        }
        return method.equals(HttpMethod.DELETE) ? page.delete(asked) : page.get(asked);
    }

    private static CompletionStage<Response> undecoded(Throwable cause) {
        return switch (cause) {
            case TooLongHttpLineException _ ->
                    now(414, "expected a request line of at most 4096 bytes");
            case TooLongHttpHeaderException _ -> now(431, "expected headers of at most 8192 bytes");
            default -> now(400, "not an HTTP request");
        };
    }

    /// A request's target may name the server too: `http://host:port/path`.
    private static String originForm(String uri) {
        String origin = ABSOLUTE.matcher(uri).replaceFirst("");
        return origin.startsWith("/") ? origin : "/" + origin;
    }

    /// A page with others below it is found without its last slash, too.
    private String withSlash(String path) {
        return !pages.containsKey(path) && pages.containsKey(path + "/") ? path + "/" : path;
    }

    private @Nullable Page page(String path) {
        Page exact = pages.get(path);
        if (exact != null) {
            return exact;
        }
        for (Map.Entry<String, Page> entry : pages.entrySet()) {
            boolean below = entry.getKey().length() > 1 && entry.getKey().endsWith("/");
            if (below && path.startsWith(entry.getKey())) {
                return entry.getValue();
            }
        }
        return pages.get(HttpServer.ALL_OTHERS);
    }

    private static List<String> segments(String rawPath) {
        return Arrays.stream(rawPath.substring(1).split("/", -1))
                .map(segment -> QueryStringDecoder.decodeComponent(segment.replace("+", "%2B")))
                .toList();
    }

    private static CompletionStage<Response> now(int status, String text) {
        return CompletableFuture.completedFuture(Response.problem(status, text));
    }

    private static Throwable cause(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return cause == null ? failure : cause;
    }

    private static Response failed(Throwable failure) {
        Throwable cause = cause(failure);
        FatalErrors.endIfFatal(cause);
        if (!(cause instanceof CancellationException)) {
            LOG.warn("HTTP request failed", cause);
        }
        return Response.problem(500, "the request failed; the broker's log says why");
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
        FatalErrors.endIfFatal(cause(failure));
        LOG.debug("HTTP: {}", failure.toString());
        context.close();
    }
}

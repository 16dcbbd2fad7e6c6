package winnow.broker.transport;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.broker.transport.HttpServer.Page;
import winnow.broker.transport.HttpServer.Request;
import winnow.broker.transport.HttpServer.Response;

/// Answers GET and HEAD by path, in the order of the requests of its connection.
final class HttpPages extends SimpleChannelInboundHandler<FullHttpRequest> {
    private static final Logger LOG = LoggerFactory.getLogger(HttpPages.class);
    private static final String TEXT = "text/plain; charset=utf-8";

    private final Map<String, Page> pages;
    private CompletionStage<?> previous = CompletableFuture.completedFuture("");

    HttpPages(Map<String, Page> pages) {
        this.pages = pages;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
        boolean head = request.method().equals(HttpMethod.HEAD);
        boolean keepAlive = HttpUtil.isKeepAlive(request) && request.decoderResult().isSuccess();
        CompletionStage<Response> response = respond(request, head).exceptionally(this::failed);
        // Nothing more is read until this is answered, which bounds what a client can ask at once.
        context.channel().config().setAutoRead(false);
        previous =
                previous.thenCombine(response, (_, page) -> page)
                        .thenAcceptAsync(
                                page -> write(context, page, head, keepAlive), context.executor());
    }

    private static void write(
            ChannelHandlerContext context, Response page, boolean head, boolean keepAlive) {
        byte[] body = page.body().getBytes(StandardCharsets.UTF_8);
        FullHttpResponse response =
                new DefaultFullHttpResponse(
                        HttpVersion.HTTP_1_1,
                        HttpResponseStatus.valueOf(page.status()),
                        head ? Unpooled.EMPTY_BUFFER : Unpooled.wrappedBuffer(body));
        response.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, page.contentType())
                .set(HttpHeaderNames.CONTENT_LENGTH, body.length);
        if (page.status() == HttpResponseStatus.UNAUTHORIZED.code()) {
            response.headers().set(HttpHeaderNames.WWW_AUTHENTICATE, "Basic realm=\"winnow\"");
        }
        HttpUtil.setKeepAlive(response, keepAlive);
        var written = context.writeAndFlush(response);
        if (!keepAlive) {
            written.addListener(ChannelFutureListener.CLOSE);
        }
        context.channel().config().setAutoRead(true);
    }

    private CompletionStage<Response> respond(FullHttpRequest request, boolean head) {
        if (!request.decoderResult().isSuccess()) {
            return now(400, "not an HTTP request\n");
        }
        if (!head && !request.method().equals(HttpMethod.GET)) {
            return now(405, "expected GET or HEAD, found " + request.method() + "\n");
        }
        QueryStringDecoder uri = new QueryStringDecoder(request.uri());
        Page page = page(uri.rawPath());
        if (page == null) {
            return now(404, "pages are " + new TreeSet<>(pages.keySet()) + "\n");
        }
        try {
            String authorization = request.headers().get(HttpHeaderNames.AUTHORIZATION, "");
            return page.get(new Request(segments(uri.rawPath()), uri.parameters(), authorization));
        } catch (IllegalArgumentException e) {
            return now(400, e.getMessage() + "\n");
        }
    }

    private @Nullable Page page(String path) {
        Page exact = pages.get(path);
        if (exact != null) {
            return exact;
        }
        for (Map.Entry<String, Page> entry : pages.entrySet()) {
            if (entry.getKey().endsWith("/") && path.startsWith(entry.getKey())) {
                return entry.getValue();
            }
        }
        return null;
    }

    private static List<String> segments(String rawPath) {
        return Arrays.stream(rawPath.substring(1).split("/", -1))
                .map(segment -> QueryStringDecoder.decodeComponent(segment.replace("+", "%2B")))
                .toList();
    }

    private static CompletionStage<Response> now(int status, String text) {
        return CompletableFuture.completedFuture(new Response(status, TEXT, text));
    }

    private Response failed(Throwable cause) {
        LOG.warn("HTTP request failed", cause);
        return new Response(500, TEXT, "the request failed; the broker's log says why\n");
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        LOG.debug("HTTP: {}", cause.toString());
        context.close();
    }
}

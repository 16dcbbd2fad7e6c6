package winnow.broker.transport;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler.Sharable;
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
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.broker.transport.HttpServer.Response;

/// Answers GET and HEAD by path.
@Sharable
final class HttpPages extends SimpleChannelInboundHandler<FullHttpRequest> {
    private static final Logger LOG = LoggerFactory.getLogger(HttpPages.class);
    private static final String TEXT = "text/plain; charset=utf-8";

    private final Map<String, Supplier<Response>> pages;

    HttpPages(Map<String, Supplier<Response>> pages) {
        this.pages = Map.copyOf(pages);
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
        boolean head = request.method().equals(HttpMethod.HEAD);
        Response page = respond(request, head);
        byte[] body = page.body().getBytes(StandardCharsets.UTF_8);
        FullHttpResponse response =
                new DefaultFullHttpResponse(
                        HttpVersion.HTTP_1_1,
                        HttpResponseStatus.valueOf(page.status()),
                        head ? Unpooled.EMPTY_BUFFER : Unpooled.wrappedBuffer(body));
        response.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, page.contentType())
                .set(HttpHeaderNames.CONTENT_LENGTH, body.length);
        boolean keepAlive = HttpUtil.isKeepAlive(request) && request.decoderResult().isSuccess();
        HttpUtil.setKeepAlive(response, keepAlive);
        var written = context.writeAndFlush(response);
        if (!keepAlive) {
            written.addListener(ChannelFutureListener.CLOSE);
        }
    }

    private Response respond(FullHttpRequest request, boolean head) {
        if (!request.decoderResult().isSuccess()) {
            return new Response(400, TEXT, "not an HTTP request\n");
        }
        if (!head && !request.method().equals(HttpMethod.GET)) {
            return new Response(
                    405, TEXT, "expected GET or HEAD, found " + request.method() + "\n");
        }
        String path = new QueryStringDecoder(request.uri()).path();
        Supplier<Response> page = pages.get(path);
        if (page == null) {
            return new Response(404, TEXT, "pages are " + new TreeSet<>(pages.keySet()) + "\n");
        }
        return page.get();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        LOG.debug("HTTP: {}", cause.toString());
        context.close();
    }
}

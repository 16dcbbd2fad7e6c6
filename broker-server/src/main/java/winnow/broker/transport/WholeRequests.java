package winnow.broker.transport;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpMessage;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;
import winnow.broker.transport.HttpServer.Response;

/// Puts requests together, and says why one is refused that is too long. The parts of a body are
/// charged as they come, until the request is whole or the connection has gone. Owned by the
/// server's thread.
final class WholeRequests extends HttpObjectAggregator {
    static final int MAX_REQUEST_BYTES = 16 * 1024;

    /// The smallest number. Each part keeps the whole buffer that it was read into, however short
    /// it is: a third one has all of them copied into one buffer.
    private static final int MAX_PARTS = 2;

    private final HttpMemory memory;
    private int chargedBytes;

    /// @param memory of requests
    WholeRequests(HttpMemory memory) {
        super(MAX_REQUEST_BYTES);
        setMaxCumulationBufferComponents(MAX_PARTS);
        this.memory = memory;
    }

    @Override
    protected void aggregate(FullHttpMessage whole, HttpContent part) throws Exception {
        super.aggregate(whole, part);
        int bytes = part.content().readableBytes();
        chargedBytes += bytes;
        memory.add(bytes);
    }

    /// The request is charged for by who takes it.
    @Override
    protected void finishAggregation(FullHttpMessage whole) throws Exception {
        release();
        super.finishAggregation(whole);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) throws Exception {
        release();
        super.handlerRemoved(context);
    }

    private void release() {
        memory.release(chargedBytes);
        chargedBytes = 0;
    }

    @Override
    protected void handleOversizedMessage(ChannelHandlerContext context, HttpMessage oversized) {
        release();
        Response problem =
                Response.problem(
                        413,
                        "expected a body of at most "
                                + MAX_REQUEST_BYTES
                                + " bytes, found a longer one");
        byte[] body = problem.body().getBytes(StandardCharsets.UTF_8);
        FullHttpResponse response =
                new DefaultFullHttpResponse(
                        HttpVersion.HTTP_1_1,
                        HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE,
                        Unpooled.wrappedBuffer(body));
        response.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, problem.contentType())
                .set(HttpHeaderNames.CONTENT_LENGTH, body.length)
                .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        // The client may still send: a close would take the answer back.
        context.writeAndFlush(response).addListener(_ -> TlsPort.shutdownOutput(context.channel()));
    }
}

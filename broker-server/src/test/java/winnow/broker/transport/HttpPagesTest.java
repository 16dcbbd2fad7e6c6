package winnow.broker.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.http.HttpObjectAggregator;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import winnow.broker.memory.HeapPart;
import winnow.broker.transport.HttpServer.Request;
import winnow.broker.transport.HttpServer.Response;

/// Bytes of one connection in, bytes out, over a socket that the test lets write.
class HttpPagesTest {
    private static final HttpConfig CONFIG =
            new HttpConfig(
                    0,
                    Path.of(""),
                    100,
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(30),
                    Duration.ofSeconds(5));
    private static final int MANY = 100;

    private final HttpMemory requestMemory = new HttpMemory(HeapPart.alone(64L << 10));
    private final HttpMemory memory = new HttpMemory(HeapPart.alone(32L << 20));
    private final List<CompletableFuture<Response>> asked = new ArrayList<>();
    private final SlowSocket socket = new SlowSocket();
    private final HttpConnections connections = new HttpConnections(1, new LongAdder());
    private final EmbeddedChannel channel =
            new EmbeddedChannel(
                    socket,
                    HttpServer.codec(),
                    new HttpObjectAggregator(1024),
                    new HttpPages(
                            Map.of("/page", this::ask, "/fault", HttpPagesTest::fail),
                            CONFIG,
                            requestMemory,
                            memory,
                            connections,
                            new PageThread(Runnable::run, () -> {})));

    /// Completes a write when it is told to.
    private static final class SlowSocket extends ChannelOutboundHandlerAdapter {
        private final ArrayDeque<ChannelPromise> writes = new ArrayDeque<>();
        private final StringBuilder text = new StringBuilder();

        @Override
        public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
            ByteBuf bytes = (ByteBuf) message;
            text.append(bytes.toString(StandardCharsets.UTF_8));
            bytes.release();
            writes.add(promise);
        }
    }

    private CompletionStage<Response> ask(Request request) {
        CompletableFuture<Response> answer = new CompletableFuture<>();
        asked.add(answer);
        return answer;
    }

    private static CompletionStage<Response> fail(Request request) {
        throw new IllegalStateException("a fault at " + request.path());
    }

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    private void receive(String text) {
        channel.writeInbound(Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII));
    }

    private static String get(String target) {
        return "GET " + target + " HTTP/1.1\r\n\r\n";
    }

    private void answer(String body) {
        asked.getLast().complete(new Response(200, "text/plain", body));
        channel.runPendingTasks();
    }

    private void letWrite() {
        while (!socket.writes.isEmpty()) {
            socket.writes.remove().setSuccess();
        }
        channel.runPendingTasks();
    }

    @Test
    void shouldTellThatAPageFailedAndGoOn() {
        // when
        receive(get("/fault") + get("/page"));
        channel.runPendingTasks();
        letWrite();

        // then
        assertThat(socket.text).startsWith("HTTP/1.1 500 ");
        assertThat(asked).hasSize(1);
    }

    @Test
    void shouldKeepNoHeadersThatNobodyLooksAt() {
        // when
        receive("GET /page HTTP/1.1\r\n" + "a:\r\n".repeat(1800) + "Host: h\r\n\r\n");

        // then
        assertThat(asked).hasSize(1);
        assertThat(requestMemory.usedBytes()).isLessThan(2000);
        answer("text");
        letWrite();
        assertThat(requestMemory.usedBytes()).isZero();
    }

    @Test
    void shouldKeepNoTrailers() {
        // when
        receive(
                "POST /page HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"
                        + "a: b\r\n".repeat(1000)
                        + "\r\n");

        // then
        assertThat(requestMemory.usedBytes()).isLessThan(3000);
    }

    @Test
    void shouldRefuseANameThatLooksLikeAKnownOne() {
        // when
        receive("POST /page HTTP/1.1\r\nTransfer-Encoding : chunked\r\n\r\n");
        channel.runPendingTasks();
        letWrite();

        // then
        assertThat(socket.text).startsWith("HTTP/1.1 400 ");
    }

    @Test
    void shouldRefuseVeryManyHeadersThatSomebodyLooksAt() {
        // when
        receive("GET /page HTTP/1.1\r\n" + "Accept: a\r\n".repeat(700) + "\r\n");
        channel.runPendingTasks();
        letWrite();

        // then
        assertThat(socket.text).startsWith("HTTP/1.1 431 ");
        assertThat(asked).isEmpty();
    }

    @Test
    void shouldLetNoMoreRequestsWaitThanThereIsMemoryFor() {
        // when
        String header = "Authorization: " + "x".repeat(7000) + "\r\n";
        for (int i = 0; i < 16; i++) {
            receive("GET /page HTTP/1.1\r\n" + header + "\r\n");
        }

        // then
        assertThat(requestMemory.usedBytes()).isBetween(40_000L, 64L << 10);
        channel.close();
        channel.runPendingTasks();
        assertThat(requestMemory.usedBytes()).isZero();
    }

    @Test
    void shouldTellBrowsersNeitherToGuessNorToKeepAnything() {
        // when
        receive(get("/page"));
        answer("text");
        letWrite();

        // then
        assertThat(socket.text)
                .containsIgnoringCase("\r\nX-Content-Type-Options: nosniff\r\n")
                .containsIgnoringCase("\r\nCache-Control: no-store\r\n");
    }

    @Test
    void shouldStartARequestWhenTheAnswerBeforeIsWritten() {
        // when two requests come at once and the first is answered
        receive(get("/page") + get("/page"));
        answer("first");

        // then
        assertThat(asked).hasSize(1);
        assertThat(channel.config().isAutoRead()).isFalse();

        // when
        letWrite();

        // then
        assertThat(asked).hasSize(2);
        answer("second");
        letWrite();
        assertThat(socket.text).containsSubsequence("first", "second");
        assertThat(channel.config().isAutoRead()).isTrue();
        assertThat(channel.isActive()).isTrue();
    }

    @Test
    void shouldCloseAfterTheFirstOfTooManyPipelinedRequests() {
        // given
        receive(get("/page").repeat(MANY));

        // when
        int answers = 0;
        while (channel.isActive() && answers < MANY) {
            answer("text");
            letWrite();
            answers++;
        }

        // then
        assertThat(answers).isEqualTo(16);
        assertThat(socket.text.toString()).containsOnlyOnce("connection: close");
    }

    @Test
    void shouldCloseAConnectionWhoseRequestTakesTooLong() {
        // when it comes byte by byte
        for (int i = 0; i < 3; i++) {
            receive("G");
            assertThat(channel.isActive()).isTrue();
            channel.advanceTimeBy(2, TimeUnit.SECONDS);
            channel.runPendingTasks();
        }

        // then
        assertThat(channel.isActive()).isFalse();
    }

    @Test
    void shouldCountTheTimeOfARequestFromTheAnswerBefore() {
        for (int i = 0; i < 3; i++) {
            // when
            channel.advanceTimeBy(4, TimeUnit.SECONDS);
            receive(get("/page"));
            channel.advanceTimeBy(29, TimeUnit.SECONDS);
            channel.runScheduledPendingTasks();
            answer("text");
            letWrite();

            // then
            assertThat(channel.isActive()).isTrue();
        }
    }

    @Test
    void shouldCloseAConnectionThatDoesNotReadItsAnswer() {
        // given
        receive(get("/page"));
        answer("text");

        // when
        channel.advanceTimeBy(31, TimeUnit.SECONDS);
        channel.runPendingTasks();

        // then
        assertThat(channel.isActive()).isFalse();
    }

    @Test
    void shouldCancelTheAnswerOfAConnectionThatCloses() {
        // given
        receive(get("/page") + get("/page"));

        // when
        channel.close();
        channel.runPendingTasks();

        // then
        assertThat(asked).hasSize(1).allMatch(CompletableFuture::isCancelled);
    }

    @Test
    void shouldLimitTheBytesThatWaitToBeWritten() {
        // given
        memory.take(32 * 1024 * 1024);

        // when
        receive(get("/page") + get("/page"));
        answer("first");
        memory.release(32 * 1024 * 1024);
        letWrite();
        answer("second");

        // then
        assertThat(socket.text)
                .containsSubsequence("503", "too many answers wait", "200 OK", "second")
                .doesNotContain("first");
    }

    @Test
    void shouldAnswerAClientThatHasShutItsOutputDown() {
        // given
        receive(get("/page") + get("/page"));

        // when
        channel.pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
        answer("first");
        letWrite();
        answer("second");
        letWrite();

        // then
        assertThat(socket.text).containsSubsequence("first", "connection: close", "second");
        assertThat(channel.isActive()).isFalse();
    }

    @Test
    void shouldCloseAConnectionThatShutsItsOutputDownBeforeItAsks() {
        // when
        receive("GET /pa");
        channel.pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);

        // then
        assertThat(channel.isActive()).isFalse();
    }

    @Test
    void shouldSayThatHeadersAreTooLong() {
        // when
        receive("GET /page HTTP/1.1\r\nCookie: " + "x".repeat(9_000) + "\r\n\r\n");

        // then
        assertThat(socket.text).startsWith("HTTP/1.1 431 ").contains("at most 8192 bytes");
    }

    @Test
    void shouldSayThatARequestLineIsTooLong() {
        // when
        receive(get("/" + "x".repeat(5_000)));

        // then
        assertThat(socket.text).startsWith("HTTP/1.1 414 ").contains("at most 4096 bytes");
    }

    @Test
    void shouldUnderstandTargetsThatNameTheServer() {
        // when
        receive(get("HTTP://127.0.0.1:8161/page?x=/"));

        // then
        assertThat(asked).hasSize(1);
    }
}

package winnow.broker.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.PrematureChannelClosureException;
import io.netty.handler.codec.http.FullHttpRequest;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import winnow.broker.memory.HeapPart;

/// Bodies that come byte by byte, each in a buffer of its own as a socket reads it.
class WholeRequestsTest {
    private static final int BODY_BYTES = 16_000;
    private static final int READ_BYTES = 4 * 1024;

    private final UnpooledByteBufAllocator buffers = new UnpooledByteBufAllocator(true);
    private final HttpMemory memory = new HttpMemory(HeapPart.alone(64L << 10));
    private final EmbeddedChannel channel = new EmbeddedChannel();

    WholeRequestsTest() {
        channel.config().setAllocator(buffers);
        channel.pipeline().addLast(HttpServer.codec()).addLast(new WholeRequests(memory));
    }

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    private void begin(String header) {
        String head = "PUT /x HTTP/1.1\r\n" + header + "\r\n\r\n";
        channel.writeInbound(Unpooled.copiedBuffer(head, StandardCharsets.US_ASCII));
    }

    /// Sends bytes of the body one by one.
    ///
    /// @return the most memory that buffers took
    private long send(int bytes) {
        long most = 0;
        for (int i = 0; i < bytes; i++) {
            ByteBuf read = buffers.directBuffer(READ_BYTES);
            channel.writeInbound(read.writeByte('a' + i % 26));
            most = Math.max(most, buffers.metric().usedDirectMemory());
        }
        return most;
    }

    @Test
    void shouldKeepLittleOfABodyInSmallParts() {
        // when
        begin("Content-Length: " + BODY_BYTES);
        long most = send(BODY_BYTES - 1);

        // then
        assertThat(most).isLessThan(3L * WholeRequests.MAX_REQUEST_BYTES);
        assertThat(memory.usedBytes()).isEqualTo(BODY_BYTES - 1L);

        // when
        send(1);
        FullHttpRequest whole = channel.readInbound();

        // then
        assertThat(whole.content().readableBytes()).isEqualTo(BODY_BYTES);
        assertThat(whole.content().toString(StandardCharsets.US_ASCII)).startsWith("abcdefg");
        assertThat(memory.usedBytes()).isZero();
        whole.release();
        assertThat(buffers.metric().usedDirectMemory()).isZero();
    }

    @Test
    void shouldReleaseABodyWhoseConnectionHasGone() {
        // given
        begin("Content-Length: " + BODY_BYTES);
        send(100);
        assertThat(memory.usedBytes()).isEqualTo(100);

        // when
        channel.close();
        assertThatThrownBy(channel::checkException)
                .isInstanceOf(PrematureChannelClosureException.class);

        // then
        assertThat(memory.usedBytes()).isZero();
        assertThat(buffers.metric().usedDirectMemory()).isZero();
    }

    @Test
    void shouldReleaseABodyThatIsTooLong() {
        // given
        begin("Transfer-Encoding: chunked");
        String chunk = "1000\r\n" + "x".repeat(0x1000) + "\r\n";

        // when
        for (int i = 0; i < 5; i++) {
            channel.writeInbound(Unpooled.copiedBuffer(chunk, StandardCharsets.US_ASCII));
        }

        // then
        ByteBuf answer = channel.readOutbound();
        assertThat(answer.toString(StandardCharsets.US_ASCII)).startsWith("HTTP/1.1 413 ");
        answer.release();
        assertThat(memory.usedBytes()).isZero();
    }
}

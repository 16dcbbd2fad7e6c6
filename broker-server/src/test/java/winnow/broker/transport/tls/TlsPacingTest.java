package winnow.broker.transport.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayDeque;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TlsPacingTest {
    private static final int LARGE_BYTES = 1024 * 1024;

    /// Stands for the TLS handler and a socket that takes a write when told to.
    private static final class Socket extends ChannelOutboundHandlerAdapter {
        private final ArrayDeque<ByteBuf> given = new ArrayDeque<>();
        private final ArrayDeque<ChannelPromise> promises = new ArrayDeque<>();
        private int givenBytes;

        @Override
        public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
            ByteBuf bytes = (ByteBuf) message;
            givenBytes += bytes.readableBytes();
            given.add(bytes);
            promises.add(promise);
        }

        void takeOne() {
            given.remove().release();
            promises.remove().setSuccess();
        }
    }

    private final Socket socket = new Socket();
    private final EmbeddedChannel channel = new EmbeddedChannel(socket, new TlsPacing());

    @AfterEach
    void close() {
        while (!socket.given.isEmpty()) {
            socket.takeOne();
        }
        channel.finishAndReleaseAll();
    }

    @Test
    void shouldGiveNoMoreThanTheSocketIsAboutToTake() {
        // given
        ByteBuf large = Unpooled.wrappedBuffer(new byte[LARGE_BYTES]);

        // when
        channel.write(large, channel.voidPromise());
        channel.flush();

        // then
        assertThat(socket.givenBytes).isEqualTo(TlsPacing.MAX_ENCRYPTED_BYTES);
        assertThat(channel.isWritable()).isFalse();
        while (!socket.given.isEmpty()) {
            int before = socket.givenBytes;
            socket.takeOne();
            assertThat(socket.givenBytes - before)
                    .isLessThanOrEqualTo(TlsPacing.MAX_ENCRYPTED_BYTES);
        }
        assertThat(socket.givenBytes).isEqualTo(LARGE_BYTES);
        assertThat(channel.isWritable()).isTrue();
        assertThat(large.refCnt()).isZero();
    }

    @Test
    void shouldTellWhenAllIsTaken() {
        // given
        channel.write(Unpooled.wrappedBuffer(new byte[LARGE_BYTES]));
        var last = channel.writeAndFlush(Unpooled.wrappedBuffer(new byte[1]));

        // when
        while (socket.given.size() > 1 || socket.givenBytes < LARGE_BYTES + 1) {
            assertThat(last.isDone()).isFalse();
            socket.takeOne();
        }
        socket.takeOne();

        // then
        assertThat(last.isSuccess()).isTrue();
    }

    @Test
    void shouldReleaseWhatWaitsWhenTheConnectionGoes() {
        // given
        ByteBuf large = Unpooled.wrappedBuffer(new byte[LARGE_BYTES]);
        channel.writeAndFlush(large);

        // when
        channel.close();
        while (!socket.given.isEmpty()) {
            socket.takeOne();
        }

        // then
        assertThat(large.refCnt()).isZero();
    }
}

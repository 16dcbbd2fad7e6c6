package winnow.client.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import winnow.wire.WireWriter;

class SocketWriterTest {
    private final SharedEventLoops loops = SharedEventLoops.acquire(1);
    private final ReentrantLock lock = new ReentrantLock();
    private ServerSocket server;
    private Socket peer;
    private Channel channel;
    private SocketWriter writer;

    @BeforeEach
    void connect() throws Exception {
        server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        open(SparingSocket::new);
    }

    private void open(ChannelFactory<DirectSocket> sockets) throws Exception {
        channel =
                new Bootstrap()
                        .group(loops.group())
                        .channelFactory(sockets)
                        .handler(new Writable())
                        .connect(server.getLocalSocketAddress())
                        .sync()
                        .channel();
        peer = server.accept();
        writer = new SocketWriter((DirectSocket) channel, lock, pending -> {});
    }

    @AfterEach
    void disconnect() throws Exception {
        channel.close().sync();
        loops.release();
        peer.close();
        server.close();
    }

    private void publish(int number, boolean awaited) {
        WireWriter taken;
        lock.lock();
        try {
            writer.pending().writeInt(number);
            taken = writer.onPublish(awaited);
        } finally {
            lock.unlock();
        }
        if (taken != null) {
            writer.writeDirectly(taken);
        }
    }

    @Test
    void shouldWriteTheLeftoverOfADirectWriteFirst() throws Exception {
        // given
        DataInputStream in = new DataInputStream(peer.getInputStream());

        // when, then
        for (int i = 0; i < 100; i++) {
            publish(2 * i, true);
            publish(2 * i + 1, false);
            assertThat(in.readInt()).isEqualTo(2 * i);
            assertThat(in.readInt()).isEqualTo(2 * i + 1);
        }
        assertThat(writer.isEmpty()).isTrue();
    }

    @Test
    void shouldKeepTheOrderOfManyThreads() throws Exception {
        // given
        int threads = 4;
        int count = 20_000;
        List<Thread> publishers = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            int offset = t * count;
            publishers.add(
                    new Thread(() -> {
                        for (int i = 0; i < count; i++) {
                            publish(offset + i, i % 7 == 0);
                        }
                    }));
        }

        // when
        publishers.forEach(Thread::start);

        // then
        int[] next = new int[threads];
        DataInputStream in = new DataInputStream(peer.getInputStream());
        for (int i = 0; i < threads * count; i++) {
            int number = in.readInt();
            int publisher = number / count;
            assertThat(number % count).isEqualTo(next[publisher]++);
        }
    }

    @Test
    void shouldEndAConnectionThatFailsInTheMiddleOfAWrite() throws Exception {
        // given
        channel.close().sync();
        peer.close();
        open(FailingSocket::new);

        // when
        assertThatThrownBy(() -> publish(1, true)).isInstanceOf(IllegalArgumentException.class);
        publish(2, true);

        // then
        assertThat(channel.closeFuture().await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(peer.getInputStream().read()).isNegative();
    }

    /// Fails in a direct write, the first time.
    private static final class FailingSocket extends DirectSocket {
        private boolean failed;

        @Override
        int tryWrite(byte[] array, int length) throws IOException {
            if (failed) {
                return super.tryWrite(array, length);
            }
            failed = true;
            throw new IllegalArgumentException("a test's failure");
        }
    }

    /// Takes three bytes of a direct write at most.
    private static final class SparingSocket extends DirectSocket {
        @Override
        int tryWrite(byte[] array, int length) throws IOException {
            return super.tryWrite(array, Math.min(3, length));
        }
    }

    private final class Writable extends ChannelInboundHandlerAdapter {
        @Override
        public void channelWritabilityChanged(ChannelHandlerContext context) {
            if (context.channel().isWritable()) {
                writer.onWritable();
            }
        }
    }
}

package winnow.broker.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import winnow.broker.fault.FaultBarrier;
import winnow.broker.matching.NameDictionary;
import winnow.broker.metrics.BrokerCounters;
import winnow.broker.subscription.BacklogMemory;
import winnow.wire.FrameSplitter;

class ConnectionOutputTest {
    private static final int NAMES = 4000;
    private static final int HIGH_BYTES = 16 * 1024;

    /// What gathers before it leaves, and what Netty counts for it.
    private static final int MAX_GATHERED_BYTES = HIGH_BYTES + 1024;

    private final LoopThreads threads = new LoopThreads("test-loop");
    private final EventLoopGroup group = EventLoops.newGroup(1, threads);
    private final NameDictionary names = new NameDictionary(4 * NAMES);
    private final NettyLoop loop =
            new NettyLoop(
                    (IoLoop) group.next(),
                    0,
                    new ArrayList<>(),
                    1,
                    new NettyLoop.Shared(
                            names,
                            new BrokerCounters(),
                            new BacklogMemory(1 << 20),
                            new FaultBarrier(new LongAdder()),
                            System::nanoTime));
    private final StuckChannel channel = new StuckChannel();
    private final ConnectionOutput output =
            new ConnectionOutput(channel, loop, names, new FrameSplitter(loop.scratch(), 1024));

    ConnectionOutputTest() {
        output.limitBytes(HIGH_BYTES);
        channel.pipeline()
                .addLast(
                        new ChannelInboundHandlerAdapter() {
                            @Override
                            public void channelWritabilityChanged(ChannelHandlerContext context) {
                                output.onWritability(channel.isWritable());
                            }
                        });
    }

    @AfterEach
    void stop() {
        channel.stuck = false;
        onLoop(() -> {
            channel.flush();
            return channel.finishAndReleaseAll();
        });
        threads.onStop();
        group.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
    }

    @Test
    void shouldTellNamesAsFarAsTheSocketTakesThem() {
        // given
        for (int i = 0; i < NAMES; i++) {
            assertThat(names.intern("n".repeat(60) + i, "ann")).isEqualTo(i + 1);
        }

        // when
        boolean all = onLoop(() -> output.announceNames(NAMES));

        // then
        assertThat(all).isFalse();
        assertThat(channel.pendingBytes()).isLessThan(HIGH_BYTES + MAX_GATHERED_BYTES);

        // and the rest follows when it takes more
        channel.stuck = false;
        boolean told = false;
        for (int i = 0; i < 100 && !told; i++) {
            told =
                    onLoop(() -> {
                        channel.flush();
                        return output.announceNames(NAMES);
                    });
        }
        assertThat(told).isTrue();
    }

    @Test
    void shouldHoldNoMoreThanItsLimitWhenTheSocketTakesNothing() {
        // given
        byte[] block = new byte[1000];

        // when deliveries come as long as it takes them
        int delivered =
                onLoop(() -> {
                    int count = 0;
                    while (output.writable() && count < 1000) {
                        output.deliver(++count, 1, block, 0, block.length);
                    }
                    return count;
                });

        // then
        assertThat(delivered).isBetween(10, 40);
        assertThat(channel.pendingBytes()).isLessThan(HIGH_BYTES + MAX_GATHERED_BYTES);
    }

    @Test
    void shouldShareTheOutputAmongAllConnections() {
        long all = Runtime.getRuntime().maxMemory() / 8;

        for (int connections = 1; connections < 100_000; connections *= 3) {
            long sum = (long) connections * TcpServer.outputBytes(connections);
            assertThat(sum)
                    .isLessThanOrEqualTo(
                            Math.max(all, (long) connections * TcpServer.MIN_OUTPUT_BYTES));
        }
        assertThat(TcpServer.outputBytes(0)).isLessThanOrEqualTo(TcpServer.MAX_OUTPUT_BYTES);
    }

    /// Runs what uses the channel on the loop, which writes to it as well: a channel of Netty's
    /// tests takes calls of one thread at a time.
    private <T> T onLoop(Supplier<T> supplier) {
        return CompletableFuture.supplyAsync(supplier, loop).join();
    }

    /// A socket that takes nothing until it is told.
    private static final class StuckChannel extends EmbeddedChannel {
        private volatile boolean stuck = true;

        long pendingBytes() {
            ChannelOutboundBuffer buffer = unsafe().outboundBuffer();
            return buffer == null ? 0 : buffer.totalPendingWriteBytes();
        }

        @Override
        protected void doWrite(ChannelOutboundBuffer in) throws Exception {
            if (!stuck) {
                super.doWrite(in);
            }
        }
    }
}

package winnow.broker.transport;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import winnow.broker.fault.FaultBarrier;
import winnow.broker.fault.FaultOwner;
import winnow.broker.matching.NameDictionary;
import winnow.broker.metrics.BrokerCounters;
import winnow.broker.subscription.BacklogMemory;
import winnow.wire.FrameSplitter;
import winnow.wire.frame.ControlFrame;

class NettyLoopTest {
    private static final String MADE = "made for this test";

    private final LoopThreads threads = new LoopThreads("test-loop");
    private final EventLoopGroup group = EventLoops.newGroup(1, threads);
    private final List<EmbeddedChannel> channels = new ArrayList<>();
    private final BlockingQueue<String> writes = new LinkedBlockingQueue<>();
    private final NameDictionary names = new NameDictionary(16);
    private final LongAdder faults = new LongAdder();
    private final AtomicLong nanos = new AtomicLong();
    private Runnable whatTheFirstIterationDoes = () -> {};
    private final NettyLoop loop;

    NettyLoopTest() {
        List<NettyLoop> loops = new ArrayList<>();
        loop =
                new NettyLoop(
                        (IoLoop) group.next(),
                        0,
                        loops,
                        1,
                        new NettyLoop.Shared(
                                names,
                                new BrokerCounters(),
                                new BacklogMemory(1 << 20),
                                new FaultBarrier(faults),
                                nanos::get));
        loops.add(loop);
    }

    @AfterEach
    void stop() {
        threads.onStop();
        loop.execute(
                () -> channels.forEach(channel -> channel.unsafe().close(channel.voidPromise())));
        group.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
    }

    @Test
    void shouldFlushDeliveriesInTurn() throws InterruptedException {
        ConnectionOutput one = output("1");
        ConnectionOutput two = output("2");
        ConnectionOutput three = output("3");

        loop.execute(() -> {
            deliver(one, "a");
            deliver(two, "b");
            deliver(three, "c");
            deliver(one, "d");
        });

        assertThat(nextWrites(3)).containsExactly("1:ad", "2:b", "3:c");
    }

    @Test
    void shouldDeliverWhatComesWhileOthersAreFlushedByTheSameWrite() throws InterruptedException {
        deliverAndOnceMoreToLastWhenFirstIsFlushed(3, 0);

        assertThat(nextWrites(3)).containsExactly("1:a", "2:a", "3:ac");
    }

    @Test
    void shouldFlushOneMoreForEvery64Messages() throws InterruptedException {
        deliverAndOnceMoreToLastWhenFirstIsFlushed(4, 127);

        assertThat(nextWrites(4)).containsExactly("1:a", "2:a", "3:a", "4:ac");
    }

    @Test
    void shouldFlushAllAtOnceAfterManyMessages() throws InterruptedException {
        deliverAndOnceMoreToLastWhenFirstIsFlushed(3, 128);

        assertThat(nextWrites(4)).containsExactly("1:a", "2:a", "3:a", "3:c");
    }

    @Test
    void shouldFlushAllThatHaveWaitedForLong() throws InterruptedException {
        // given a message that takes the loop longer than a turn may take
        whatTheFirstIterationDoes = () -> nanos.addAndGet(NettyLoop.MAX_TURN_NANOS + 1);

        // when
        deliverAndOnceMoreToLastWhenFirstIsFlushed(3, 0);

        // then
        assertThat(nextWrites(4)).containsExactly("1:a", "2:a", "3:a", "3:c");
    }

    @Test
    void shouldReadSocketsBetweenManyThatHaveWaitedForLong() throws InterruptedException {
        // given four that have waited, of which the second takes all the time that there is
        ConnectionOutput last = output("4");
        List<ConnectionOutput> outputs =
                List.of(
                        output("1", () -> loop.execute(() -> deliver(last, "c"))),
                        output("2", () -> nanos.addAndGet(NettyLoop.MAX_FLUSH_NANOS)),
                        output("3"),
                        last);

        // when
        loop.execute(() -> {
            outputs.forEach(output -> deliver(output, "a"));
            nanos.addAndGet(NettyLoop.MAX_TURN_NANOS + 1);
        });

        // then the loop did something else before it went on with the third
        assertThat(nextWrites(4)).containsExactly("1:a", "2:a", "3:a", "4:ac");
    }

    @Test
    void shouldRunNothingOnceItHasStopped() {
        // given a loop that runs its last task, as when the end of a connection goes on in slices
        stop();
        AtomicBoolean ran = new AtomicBoolean();

        // when
        loop.execute(() -> ran.set(true));
        loop.executeAfterReading(() -> ran.set(true));
        loop.enqueueFirst(output("1"));

        // then
        assertThat(ran).isFalse();
        assertThat(faults.sum()).isZero();
    }

    @Test
    void shouldFlushAnswersBeforeDeliveries() throws InterruptedException {
        ConnectionOutput one = output("1");
        ConnectionOutput producer = output("2");

        loop.execute(() -> {
            deliver(one, "a");
            producer.write(new ControlFrame.Published(1));
            deliver(producer, "b");
        });

        assertThat(nextWrites(2)).element(0).asString().startsWith("2:").endsWith("b");
    }

    @Test
    void shouldGoOnWhenAQueuedOutputIsEmptyAgain() throws InterruptedException {
        ConnectionOutput one = output("1");
        ConnectionOutput two = output("2");

        loop.execute(() -> {
            deliver(one, "a");
            one.flushFirst();
            deliver(two, "b");
            loop.execute(() -> {
                deliver(one, "c");
                deliver(two, "d");
            });
        });

        assertThat(nextWrites(2)).containsExactly("1:a", "2:b");
        assertThat(nextWrites(2)).containsExactlyInAnyOrder("1:c", "2:d");
    }

    @Test
    void shouldGoOnAfterAFaultOfOneOutput() throws InterruptedException {
        // given
        ConnectionOutput one = output("1");
        ConnectionOutput two = output("2");
        AtomicReference<Throwable> told = new AtomicReference<>();
        ConnectionOutput faulty = faultyOutput(told::set);

        // when it is flushed in turn and as first
        loop.execute(() -> {
            deliver(one, "a");
            deliver(faulty, "b");
            deliver(two, "c");
        });
        assertThat(nextWrites(2)).containsExactly("1:a", "2:c");
        loop.execute(() -> {
            one.flushFirst();
            faulty.flushFirst();
            two.flushFirst();
            deliver(one, "d");
            deliver(faulty, "e");
            deliver(two, "f");
        });

        // then
        assertThat(nextWrites(2)).containsExactly("1:d", "2:f");
        assertThat(told.get()).hasMessage(MADE);
        assertThat(faults.sum()).isEqualTo(2);
    }

    /// One iteration delivers `a` to the outputs `1` to `count`; the next, begun by the write of
    /// the first, `c` to the last.
    ///
    /// @param messages how many the first iteration is said to have brought
    private void deliverAndOnceMoreToLastWhenFirstIsFlushed(int count, int messages) {
        ConnectionOutput last = output(String.valueOf(count));
        List<ConnectionOutput> outputs = new ArrayList<>();
        outputs.add(output("1", () -> loop.execute(() -> deliver(last, "c"))));
        for (int i = 2; i < count; i++) {
            outputs.add(output(String.valueOf(i), () -> {}));
        }
        outputs.add(last);
        loop.execute(() -> {
            outputs.forEach(output -> deliver(output, "a"));
            loop.numberMessages(messages);
            whatTheFirstIterationDoes.run();
        });
    }

    private static void deliver(ConnectionOutput output, String frame) {
        output.appendFrames(frame.getBytes(US_ASCII), 0, frame.length());
    }

    private List<String> nextWrites(int count) throws InterruptedException {
        List<String> next = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            next.add(String.valueOf(writes.poll(10, TimeUnit.SECONDS)));
        }
        return next;
    }

    private ConnectionOutput output(String name) {
        return output(name, () -> {});
    }

    private ConnectionOutput output(String name, Runnable onWrite) {
        EmbeddedChannel channel =
                new EmbeddedChannel(
                        new ChannelOutboundHandlerAdapter() {
                            @Override
                            public void write(
                                    ChannelHandlerContext context,
                                    Object message,
                                    ChannelPromise promise) {
                                ByteBuf bytes = (ByteBuf) message;
                                writes.add(name + ":" + bytes.toString(US_ASCII));
                                bytes.release();
                                onWrite.run();
                            }
                        });
        channels.add(channel);
        return new ConnectionOutput(channel, loop, names, new FrameSplitter(loop.scratch(), 1024));
    }

    /// @param told what its owner is told
    private ConnectionOutput faultyOutput(FaultOwner told) {
        EmbeddedChannel channel =
                new EmbeddedChannel() {
                    @Override
                    public Channel flush() {
                        throw new IllegalStateException(MADE);
                    }
                };
        channels.add(channel);
        ConnectionOutput output =
                new ConnectionOutput(channel, loop, names, new FrameSplitter(loop.scratch(), 1024));
        output.owner(told);
        return output;
    }
}

package winnow.broker.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import winnow.broker.matching.NameDictionary;
import winnow.broker.metrics.BrokerCounters;
import winnow.broker.subscription.BacklogMemory;
import winnow.wire.FrameSplitter;
import winnow.wire.WireWriter;

/// A large frame for one connection goes to its socket in several iterations of a real loop.
class LargeFrameTest {
    private static final int PIECE_BYTES = LargeBlock.PIECE_BYTES;
    private static final int REST_BYTES = 5 * PIECE_BYTES + 12_345;
    private static final int PIECES = 6;
    private static final int MAX_ITERATIONS = 1000;
    private static final byte[] BEHIND = {4, 5, 6};

    private final EventLoops loops =
            new EventLoops(
                    1, new NameDictionary(1), new BrokerCounters(), new BacklogMemory(1 << 20));
    private final NettyLoop loop = (NettyLoop) loops.all().get(0);
    private final LargeBlocks blocks = loop.largeBlocks();
    private final byte[] rest = new byte[REST_BYTES];
    private final WireWriter head = new WireWriter(16);

    LargeFrameTest() {
        new Random(1).nextBytes(rest);
        head.writeRaw(new byte[] {1, 2, 3}, 0, 3);
    }

    @AfterEach
    void stop() {
        loops.stop();
    }

    /// A connection whose socket takes all that is written, or nothing for a while.
    private final class Peer extends EmbeddedChannel {
        final ByteArrayOutputStream taken = new ByteArrayOutputStream();
        final ConnectionOutput output =
                new ConnectionOutput(
                        this,
                        loop,
                        new NameDictionary(1),
                        new FrameSplitter(new byte[FrameSplitter.SCRATCH_BYTES], 1 << 20));
        boolean stuck;
        int copied;
        int writable;

        Peer() {
            pipeline()
                    .addLast(
                            new ChannelInboundHandlerAdapter() {
                                @Override
                                public void channelWritabilityChanged(
                                        ChannelHandlerContext context) {
                                    output.onWritability(isWritable());
                                    writable += output.writable() ? 1 : 0;
                                }

                                @Override
                                public void channelInactive(ChannelHandlerContext context) {
                                    output.release();
                                }
                            });
        }

        @Override
        protected void doWrite(ChannelOutboundBuffer in) throws Exception {
            if (!stuck) {
                super.doWrite(in);
            }
        }

        @Override
        protected void handleOutboundMessage(Object message) {
            ByteBuf bytes = (ByteBuf) message;
            byte[] copy = new byte[bytes.readableBytes()];
            bytes.readBytes(copy);
            taken.writeBytes(copy);
            bytes.release();
        }

        boolean append() {
            return output.appendFrame(head, rest, () -> copied++);
        }

        byte[] whole() {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            bytes.write(head.array(), 0, head.size());
            bytes.writeBytes(rest);
            bytes.writeBytes(BEHIND);
            return bytes.toByteArray();
        }
    }

    private <T> T onLoop(Supplier<T> task) {
        return CompletableFuture.supplyAsync(task, loop).join();
    }

    private void run(List<Peer> peers, int bytes) {
        run(() -> {}, peers, bytes);
    }

    /// Does something and lets the loop go on until the peers have got so much.
    ///
    /// @return bytes that they got in each iteration
    private List<Integer> run(Runnable begin, List<Peer> peers, int bytes) {
        CompletableFuture<List<Integer>> done = new CompletableFuture<>();
        loop.execute(() -> {
            int before = taken(peers);
            begin.run();
            iterate(peers, bytes, before, new ArrayList<>(), done);
        });
        return done.orTimeout(30, TimeUnit.SECONDS).join();
    }

    private void iterate(
            List<Peer> peers,
            int bytes,
            int before,
            List<Integer> perIteration,
            CompletableFuture<List<Integer>> done) {
        int taken = taken(peers);
        perIteration.add(taken - before);
        if (taken >= bytes || perIteration.size() == MAX_ITERATIONS) {
            done.complete(perIteration);
        } else {
            loop.executeAfterReading(() -> iterate(peers, bytes, taken, perIteration, done));
        }
    }

    private void closeWhenWritten(Peer stuck, Peer ending) {
        if (ending.taken.size() > PIECE_BYTES) {
            stuck.close();
            ending.close();
        } else {
            loop.executeAfterReading(() -> closeWhenWritten(stuck, ending));
        }
    }

    private static int taken(List<Peer> peers) {
        return peers.stream().mapToInt(peer -> peer.taken.size()).sum();
    }

    private void runSome() {
        run(List.of(), 1);
    }

    private long heldBytes() {
        return onLoop(blocks::heldBytes);
    }

    @Test
    void shouldCopyOnePieceInEachIterationForAllConnections() {
        // given
        List<Peer> peers = List.of(new Peer(), new Peer(), new Peer());

        // when
        List<Integer> perIteration =
                run(
                        () -> {
                            for (Peer peer : peers) {
                                assertThat(peer.append()).isTrue();
                                peer.output.appendFrames(BEHIND, 0, BEHIND.length);
                            }
                        },
                        peers,
                        peers.size() * (3 + REST_BYTES + BEHIND.length));

        // then
        assertThat(perIteration)
                .allSatisfy(bytes -> assertThat(bytes).isLessThan(PIECE_BYTES + 100));
        assertThat(perIteration).hasSizeGreaterThanOrEqualTo(peers.size() * PIECES);
        assertThat(peers)
                .allSatisfy(peer -> {
                    assertThat(peer.taken.toByteArray()).isEqualTo(peer.whole());
                    assertThat(peer.copied).isEqualTo(1);
                    assertThat(peer.output.writable()).isTrue();
                    assertThat(peer.writable).isPositive();
                });
        assertThat(heldBytes()).isZero();
    }

    @Test
    void shouldHoldOnePieceForAClientThatDoesNotRead() {
        // given
        Peer peer = new Peer();
        peer.stuck = true;

        // when
        onLoop(peer::append);
        runSome();

        // then
        assertThat(peer.unsafe().outboundBuffer().totalPendingWriteBytes())
                .isBetween((long) PIECE_BYTES, PIECE_BYTES + 1000L);
        assertThat(heldBytes()).isEqualTo(PIECE_BYTES);
        assertThat(peer.copied).isZero();
        assertThat(peer.output.writable()).isFalse();

        // when
        onLoop(() -> {
            peer.stuck = false;
            peer.output.appendFrames(BEHIND, 0, BEHIND.length);
            return peer.flush();
        });
        run(List.of(peer), 3 + REST_BYTES + BEHIND.length);

        // then
        assertThat(peer.taken.toByteArray()).isEqualTo(peer.whole());
        assertThat(peer.copied).isEqualTo(1);
        assertThat(heldBytes()).isZero();
    }

    @Test
    void shouldReleaseEverythingWhenAConnectionEndsInTheMiddle() {
        // given one whose piece the socket has not taken, one that waits for its turn, and another
        Peer stuck = new Peer();
        stuck.stuck = true;
        Peer ending = new Peer();
        Peer other = new Peer();

        // when two end in the iteration in which the first piece was written
        run(
                () -> {
                    assertThat(stuck.append() && ending.append() && other.append()).isTrue();
                    closeWhenWritten(stuck, ending);
                    other.output.appendFrames(BEHIND, 0, BEHIND.length);
                },
                List.of(other),
                3 + REST_BYTES + BEHIND.length);

        // then
        assertThat(stuck.taken.size()).isLessThan(PIECE_BYTES);
        assertThat(ending.taken.size()).isLessThan(REST_BYTES);
        assertThat(stuck.copied + ending.copied).isZero();
        assertThat(other.taken.toByteArray()).isEqualTo(other.whole());
        assertThat(heldBytes()).isZero();
    }

    @Test
    void shouldWaitForMemoryBeforeItBegins() {
        // given
        Peer peer = new Peer();
        int all = Integer.MAX_VALUE;
        onLoop(() -> {
            blocks.take(all);
            blocks.take(all);
            return true;
        });

        // when, then
        assertThat(onLoop(peer::append)).isFalse();
        runSome();
        assertThat(peer.taken.size()).isZero();
        assertThat(peer.output.writable()).isTrue();

        // and when there is some
        onLoop(() -> {
            blocks.give(all);
            blocks.give(all);
            return true;
        });
        assertThat(peer.writable).isEqualTo(1);
        assertThat(onLoop(peer::append)).isTrue();
        run(List.of(peer), 3 + REST_BYTES);
        assertThat(peer.taken.size()).isEqualTo(3 + REST_BYTES);
        assertThat(heldBytes()).isZero();
    }
}

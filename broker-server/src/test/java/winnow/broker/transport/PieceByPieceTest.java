package winnow.broker.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import winnow.broker.matching.NameDictionary;
import winnow.broker.metrics.BrokerCounters;
import winnow.broker.subscription.BacklogMemory;
import winnow.broker.subscription.FakeLoop;
import winnow.wire.FrameSplitter;

/// A large message is copied for sockets in several iterations of the loop. The test makes these.
class PieceByPieceTest {
    private static final int PIECE_BYTES = LargeBlock.PIECE_BYTES;
    private static final int BLOCK_BYTES = 5 * PIECE_BYTES + 12_345;

    private final EventLoops loops =
            new EventLoops(
                    1, new NameDictionary(1), new BrokerCounters(), new BacklogMemory(1 << 20));
    private final NettyLoop loop = (NettyLoop) loops.all().get(0);
    private final List<Runnable> afterReading = new ArrayList<>();
    private final BacklogMemory memory = new BacklogMemory(1 << 30);
    private final LargeBlocks blocks =
            new LargeBlocks(
                    new FakeLoop(0, memory) {
                        @Override
                        public void executeAfterReading(Runnable command) {
                            afterReading.add(command);
                        }
                    },
                    memory,
                    4L * BLOCK_BYTES);
    private final byte[] array = new byte[BLOCK_BYTES];

    PieceByPieceTest() {
        new Random(1).nextBytes(array);
    }

    @AfterEach
    void stop() {
        loops.stop();
    }

    /// A connection whose socket takes all that is written at once, and what it took.
    private final class Peer {
        final EmbeddedChannel channel = new EmbeddedChannel();
        final ConnectionOutput output =
                new ConnectionOutput(
                        channel,
                        loop,
                        new NameDictionary(1),
                        new FrameSplitter(new byte[FrameSplitter.SCRATCH_BYTES], 1 << 20));
        final ByteArrayOutputStream taken = new ByteArrayOutputStream();
        int writable;
        Runnable whenWritable = () -> {};

        /// Netty tells while a piece is written.
        Runnable whenNotWritable = () -> {};

        Peer() {
            channel.pipeline()
                    .addLast(
                            new ChannelInboundHandlerAdapter() {
                                @Override
                                public void channelWritabilityChanged(
                                        ChannelHandlerContext context) {
                                    output.onWritability(channel.isWritable());
                                    if (!channel.isWritable()) {
                                        whenNotWritable.run();
                                    }
                                    if (output.writable()) {
                                        writable++;
                                        whenWritable.run();
                                    }
                                }
                            });
        }

        int take() {
            output.flushAsFirst();
            int before = taken.size();
            for (ByteBuf bytes = channel.readOutbound();
                    bytes != null;
                    bytes = channel.readOutbound()) {
                byte[] copy = new byte[bytes.readableBytes()];
                bytes.readBytes(copy);
                taken.writeBytes(copy);
                bytes.release();
            }
            return taken.size() - before;
        }
    }

    private void iterate() {
        List<Runnable> commands = List.copyOf(afterReading);
        afterReading.clear();
        commands.forEach(Runnable::run);
    }

    private void onLoop(Runnable test) {
        CompletableFuture.runAsync(test, loop).join();
    }

    @Test
    void shouldCopyOnePieceInEachIterationForAllConnections() {
        onLoop(() -> {
            // given
            Peer first = new Peer();
            Peer later = new Peer();

            // when
            blocks.of(1, array, 0, BLOCK_BYTES).writeTo(first.output);
            first.output.appendFrames(new byte[] {1, 2, 3}, 0, 3);

            // then
            assertThat(first.take()).isZero();
            assertThat(first.output.writable()).isFalse();
            assertThat(blocks.heldBytes()).isEqualTo(BLOCK_BYTES);
            assertThat(memory.usedBytes()).isEqualTo(BLOCK_BYTES);

            // when
            int iterations = 0;
            while (!afterReading.isEmpty()) {
                iterate();
                iterations++;
                int taken = first.take();
                assertThat(taken).isBetween(1, PIECE_BYTES);
                assertThat(later.take()).isLessThanOrEqualTo(3 * PIECE_BYTES);
                if (iterations == 2) {
                    blocks.of(1, array, 0, BLOCK_BYTES).writeTo(later.output);
                }
            }

            // then
            assertThat(iterations).isEqualTo(6);
            byte[] frames = Arrays.copyOf(array, BLOCK_BYTES + 3);
            System.arraycopy(new byte[] {1, 2, 3}, 0, frames, BLOCK_BYTES, 3);
            assertThat(first.taken.toByteArray()).isEqualTo(frames);
            assertThat(later.taken.toByteArray()).isEqualTo(array);
            assertThat(first.output.writable()).isTrue();
            assertThat(first.writable).isPositive();
            assertThat(memory.usedBytes()).isZero();
            blocks.endMessages();
            assertThat(blocks.heldBytes()).isZero();
        });
    }

    @Test
    void shouldCopyLargeMessagesInTurns() {
        onLoop(() -> {
            // given
            List<Peer> peers = List.of(new Peer(), new Peer(), new Peer());
            for (int i = 0; i < peers.size(); i++) {
                blocks.of(i, array, 0, BLOCK_BYTES).writeTo(peers.get(i).output);
            }

            // when
            int iterations = 0;
            while (!afterReading.isEmpty()) {
                iterate();
                iterations++;
                int taken = peers.stream().mapToInt(Peer::take).sum();
                assertThat(taken).isBetween(1, PIECE_BYTES);
            }

            // then
            assertThat(iterations).isEqualTo(3 * 6);
            assertThat(peers)
                    .allSatisfy(peer -> assertThat(peer.taken.toByteArray()).isEqualTo(array));
            blocks.endMessages();
            assertThat(blocks.heldBytes()).isZero();
            assertThat(memory.usedBytes()).isZero();
        });
    }

    @Test
    void shouldCopyOnePieceInEachIterationWhereTheEndOfAMessageBringsTheNext() {
        onLoop(() -> {
            // given
            Peer peer = new Peer();
            peer.whenWritable =
                    () -> {
                        if (peer.writable == 1) {
                            blocks.of(2, array, 0, BLOCK_BYTES).writeTo(peer.output);
                        }
                    };
            blocks.of(1, array, 0, BLOCK_BYTES).writeTo(peer.output);

            // when
            int iterations = 0;
            while (!afterReading.isEmpty()) {
                assertThat(afterReading).hasSize(1);
                iterate();
                iterations++;
                assertThat(peer.take()).isBetween(1, PIECE_BYTES);
            }

            // then
            assertThat(iterations).isEqualTo(2 * 6);
            byte[] twice = Arrays.copyOf(array, 2 * BLOCK_BYTES);
            System.arraycopy(array, 0, twice, BLOCK_BYTES, BLOCK_BYTES);
            assertThat(peer.taken.toByteArray()).isEqualTo(twice);
            blocks.endMessages();
            assertThat(blocks.heldBytes()).isZero();
            assertThat(memory.usedBytes()).isZero();
        });
    }

    @Test
    void shouldGoOnForOthersWhenAConnectionEnds() {
        onLoop(() -> {
            // given
            Peer first = new Peer();
            Peer second = new Peer();
            LargeBlock block = blocks.of(1, array, 0, BLOCK_BYTES);
            block.writeTo(first.output);
            block.writeTo(second.output);
            iterate();

            // when
            blocks.onClosed(first.output);
            first.take();
            while (!afterReading.isEmpty()) {
                iterate();
                assertThat(first.take()).isZero();
            }
            second.take();

            // then
            assertThat(second.taken.toByteArray()).isEqualTo(array);
            blocks.endMessages();
            assertThat(blocks.heldBytes()).isZero();
            assertThat(memory.usedBytes()).isZero();
        });
    }

    @Test
    void shouldGoOnForOthersWhenAConnectionEndsWhileAPieceIsWritten() {
        onLoop(() -> {
            // given
            Peer first = new Peer();
            Peer second = new Peer();
            first.whenNotWritable = () -> blocks.onClosed(first.output);
            LargeBlock block = blocks.of(1, array, 0, BLOCK_BYTES);
            block.writeTo(first.output);
            block.writeTo(second.output);

            // when
            while (!afterReading.isEmpty()) {
                iterate();
                first.take();
                second.take();
            }

            // then
            assertThat(first.taken.size()).isEqualTo(PIECE_BYTES);
            assertThat(second.taken.toByteArray()).isEqualTo(array);
            assertThat(second.output.writable()).isTrue();
            blocks.endMessages();
            assertThat(blocks.heldBytes()).isZero();
            assertThat(memory.usedBytes()).isZero();
        });
    }

    @Test
    void shouldReleaseEverythingWhenTheLastConnectionEnds() {
        onLoop(() -> {
            // given
            Peer peer = new Peer();
            blocks.of(1, array, 0, BLOCK_BYTES).writeTo(peer.output);
            blocks.endMessages();
            iterate();
            peer.take();

            // when
            blocks.onClosed(peer.output);
            iterate();

            // then no more pieces are made
            assertThat(afterReading).isEmpty();
            assertThat(peer.take()).isZero();
            blocks.endMessages();
            assertThat(blocks.heldBytes()).isZero();
            assertThat(memory.usedBytes()).isZero();
        });
    }

    /// Where a message goes to many, it comes in several steps.
    @Test
    void shouldCopyAMessageAgainThatComesAgainAfterItsCopyFailed() {
        onLoop(() -> {
            // given
            Peer before = new Peer();
            blocks.expect(1);
            LargeBlock failed = blocks.of(1, array, 0, BLOCK_BYTES);
            failed.writeTo(before.output);
            iterate();
            assertThat(failed.fail()).containsExactly(before.output);
            before.output.release();

            // when
            Peer later = new Peer();
            blocks.of(1, array, 0, BLOCK_BYTES).writeTo(later.output);
            blocks.endExpected(1);
            while (!afterReading.isEmpty()) {
                iterate();
                later.take();
            }

            // then
            assertThat(later.taken.toByteArray()).isEqualTo(array);
            before.take();
            before.channel.close();
            blocks.endMessages();
            assertThat(blocks.heldBytes()).isZero();
            assertThat(memory.usedBytes()).isZero();
        });
    }

    @Test
    void shouldWriteWhyAConnectionIsClosedBehindTheMessage() {
        // given
        Peer peer = new Peer();
        onLoop(() -> {
            blocks.of(1, array, 0, BLOCK_BYTES).writeTo(peer.output);
            peer.output.appendFrames(new byte[] {1, 2, 3}, 0, 3);
            peer.output.closeAfterFlush();
        });

        // when
        onLoop(() -> {
            assertThat(peer.take()).isZero();
            while (!afterReading.isEmpty()) {
                iterate();
            }
            peer.take();
            blocks.endMessages();
            assertThat(blocks.heldBytes()).isZero();
        });

        // then
        byte[] frames = Arrays.copyOf(array, BLOCK_BYTES + 3);
        System.arraycopy(new byte[] {1, 2, 3}, 0, frames, BLOCK_BYTES, 3);
        assertThat(peer.taken.toByteArray()).isEqualTo(frames);
    }

    @Test
    void shouldMakeAllPiecesOfAMessageThatComesAgain() {
        onLoop(() -> {
            // given
            Peer first = new Peer();
            Peer later = new Peer();
            blocks.expect(1);
            blocks.of(1, array, 0, BLOCK_BYTES).writeTo(first.output);
            blocks.endMessages();

            // when
            blocks.onClosed(first.output);
            while (!afterReading.isEmpty()) {
                iterate();
            }
            blocks.of(1, array, 0, BLOCK_BYTES).writeTo(later.output);
            blocks.endExpected(1);
            later.take();

            // then
            assertThat(later.taken.toByteArray()).isEqualTo(array);
            blocks.endMessages();
            assertThat(blocks.heldBytes()).isZero();
            assertThat(memory.usedBytes()).isZero();
        });
    }
}

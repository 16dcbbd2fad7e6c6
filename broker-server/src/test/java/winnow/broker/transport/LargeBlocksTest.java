package winnow.broker.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import winnow.broker.matching.NameDictionary;
import winnow.broker.metrics.BrokerCounters;
import winnow.broker.subscription.BacklogMemory;
import winnow.broker.subscription.FakeLoop;
import winnow.wire.FrameSplitter;

class LargeBlocksTest {
    private static final int BLOCK_BYTES = 16 * 1024;

    private final EventLoops loops =
            new EventLoops(
                    1, new NameDictionary(1), new BrokerCounters(), new BacklogMemory(1 << 20));
    private final LargeBlocks blocks =
            new LargeBlocks(
                    new FakeLoop(0, new BacklogMemory(1)), new BacklogMemory(1), 3 * BLOCK_BYTES);
    private final byte[] array = new byte[BLOCK_BYTES];

    private ConnectionOutput output() {
        return output(new EmbeddedChannel());
    }

    /// @param told gets its name when there is room
    private ConnectionOutput output(String name, List<String> told) {
        return output(
                new EmbeddedChannel(
                        new ChannelInboundHandlerAdapter() {
                            @Override
                            public void channelWritabilityChanged(ChannelHandlerContext context) {
                                told.add(name);
                            }
                        }));
    }

    private ConnectionOutput output(EmbeddedChannel channel) {
        return new ConnectionOutput(
                channel,
                (NettyLoop) loops.all().get(0),
                new NameDictionary(1),
                new FrameSplitter(new byte[FrameSplitter.SCRATCH_BYTES], 1 << 20));
    }

    /// Its only piece, which a socket has not taken.
    private ByteBuf taken(long message) {
        return piece(message).retainedDuplicate();
    }

    private ByteBuf piece(long message) {
        return blocks.of(message, array, 0, BLOCK_BYTES).pieces().getFirst();
    }

    @AfterEach
    void stop() {
        loops.stop();
    }

    @Test
    void shouldMakeOneCopyOfAMessage() {
        // when
        ByteBuf first = piece(1);
        ByteBuf again = piece(1);

        // then
        assertThat(again).isSameAs(first);
        blocks.endMessages();
        assertThat(first.refCnt()).isZero();
        assertThat(blocks.heldBytes()).isZero();
    }

    @Test
    void shouldKeepTheCopyOfAMessageThatComesAgain() {
        // given
        ConnectionOutput output = output();
        blocks.expect(1);
        ByteBuf first = piece(1);
        List<ByteBuf> unread = List.of(taken(2), taken(3));
        blocks.endMessages();

        // when, then
        assertThat(blocks.hasRoom(4, BLOCK_BYTES, output)).isFalse();
        assertThat(blocks.hasRoom(1, BLOCK_BYTES, output)).isTrue();
        assertThat(piece(1)).isSameAs(first);
        assertThat(blocks.heldBytes()).isEqualTo(3L * BLOCK_BYTES);

        // and when it does not come again
        unread.forEach(ByteBuf::release);
        blocks.endExpected(1);
        blocks.endMessages();
        assertThat(first.refCnt()).isZero();
        assertThat(blocks.heldBytes()).isZero();
    }

    @Test
    void shouldForgetAMessageThatNobodyAskedFor() {
        blocks.expect(1);
        blocks.endExpected(1);

        ByteBuf unexpected = piece(1);
        blocks.endMessages();

        assertThat(unexpected.refCnt()).isZero();
    }

    @Test
    void shouldRefuseRoomWhileSocketsHoldTooMuch() {
        // given three blocks that sockets have not taken
        ConnectionOutput output = output();
        List<ByteBuf> unread = List.of(taken(1), taken(2), taken(3));
        blocks.endMessages();

        // when, then
        assertThat(blocks.hasRoom(4, BLOCK_BYTES, output)).isFalse();
        unread.get(0).release();
        assertThat(blocks.hasRoom(4, BLOCK_BYTES, output)).isTrue();
        unread.get(1).release();
        unread.get(2).release();
        blocks.endMessages();
        assertThat(blocks.heldBytes()).isZero();
    }

    @Test
    void shouldLetAllConnectionsHaveTheMessageThatHasRoom() {
        // given
        ConnectionOutput output = output();
        List<ByteBuf> unread = List.of(taken(1), taken(2), taken(3));

        // when, then
        assertThat(blocks.hasRoom(3, BLOCK_BYTES, output)).isTrue();
        unread.forEach(ByteBuf::release);
        blocks.endMessages();
    }

    @Test
    void shouldLetAMessageAboveTheLimitThroughAlone() {
        // given
        ConnectionOutput output = output();

        // when, then
        assertThat(blocks.hasRoom(1, 10 * BLOCK_BYTES, output)).isTrue();
        ByteBuf unread = taken(1);
        blocks.endMessages();
        assertThat(blocks.hasRoom(2, 10 * BLOCK_BYTES, output)).isFalse();
        unread.release();
        blocks.onClosed(output);
        assertThat(blocks.heldBytes()).isZero();
    }

    @Test
    void shouldTellThoseWhoWaitAsSoonAsThereIsRoomForWhatTheyWant() {
        // given a limit of ten pieces, all of which are held
        LargeBlocks pieces =
                new LargeBlocks(
                        new FakeLoop(0, new BacklogMemory(1)),
                        new BacklogMemory(1),
                        10L * LargeBlock.PIECE_BYTES);
        pieces.take(10 * LargeBlock.PIECE_BYTES);
        List<String> told = new ArrayList<>();
        assertThat(pieces.hasRoom(3 * LargeBlock.PIECE_BYTES, output("three", told))).isFalse();
        assertThat(pieces.hasRoom(LargeBlock.PIECE_BYTES, output("one", told))).isFalse();
        assertThat(pieces.hasRoom(LargeBlock.PIECE_BYTES, output("another", told))).isFalse();

        // when, then
        pieces.give(LargeBlock.PIECE_BYTES);
        assertThat(told).containsExactly("one");
        pieces.take(LargeBlock.PIECE_BYTES);
        pieces.give(4 * LargeBlock.PIECE_BYTES);
        assertThat(told).containsExactly("one", "three", "another");
    }

    @Test
    void shouldTellOneWhoWantsMoreThanTheLimitWhenNothingIsHeld() {
        // given
        List<String> told = new ArrayList<>();
        blocks.take(BLOCK_BYTES);
        assertThat(blocks.hasRoom(10 * BLOCK_BYTES, output("more", told))).isFalse();
        assertThat(blocks.hasRoom(3 * BLOCK_BYTES, output("all", told))).isFalse();

        // when, then
        blocks.give(BLOCK_BYTES);
        assertThat(told).containsExactly("more");
        blocks.give(0);
        assertThat(told).containsExactly("more", "all");
    }
}

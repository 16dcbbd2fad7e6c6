package winnow.broker.transport;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/// The rest of a frame for one connection, of more than [LargeBlock#PIECE_BYTES]. It is copied
/// piece by piece into the same buffer, each when the socket has taken the one before: so it holds
/// the loop for no longer than a piece takes, and a client that does not read costs the direct
/// memory of one. Owned by the connection's event loop.
final class LargeFrame {
    private static final int PIECE_BYTES = LargeBlock.PIECE_BYTES;
    private static final byte[] NOTHING = {};

    private final Channel channel;
    private final ConnectionOutput output;
    private final LargeBlocks blocks;
    private final Runnable copied;
    private final int end;
    private byte[] array;
    private int next;
    private @Nullable ByteBuf buffer;

    private LargeFrame(Channel channel, ConnectionOutput output, byte[] rest, Runnable copied) {
        this.channel = channel;
        this.output = output;
        this.blocks = output.loop().largeBlocks();
        this.copied = copied;
        this.array = rest;
        this.end = rest.length;
    }

    /// Begins to write. The output writes nothing else until all is copied.
    ///
    /// @param output there is room for a piece ([LargeBlocks#hasRoom])
    /// @param rest not changed until then
    /// @param copied called then; not at all if the connection ends before
    static void begin(Channel channel, ConnectionOutput output, byte[] rest, Runnable copied) {
        LargeFrame frame = new LargeFrame(channel, output, rest, copied);
        frame.blocks.take(PIECE_BYTES);
        output.onBlockBegin();
        frame.awaitTurn();
    }

    private void awaitTurn() {
        blocks.turns().add(() -> output.loop().faults().run(output, this::writePiece));
    }

    private void writePiece() {
        if (!channel.isOpen()) {
            finish();
            return;
        }
        ByteBuf piece;
        try {
            piece = copyPiece();
        } catch (Throwable fault) {
            finish();
            throw fault;
        }
        output.loop().iterations().onWrite();
        channel.writeAndFlush(piece).addListener(this::onTaken);
        if (next == end) {
            output.onBlockEnd();
            copied.run();
        }
    }

    private ByteBuf copyPiece() {
        ByteBuf piece = buffer;
        if (piece == null) {
            // A pool allocates 4 MiB at a time, which takes up to 2 ms.
            piece = UnpooledByteBufAllocator.DEFAULT.directBuffer(PIECE_BYTES);
            buffer = piece;
        }
        int bytes = Math.min(PIECE_BYTES, end - next);
        piece.clear().writeBytes(array, next, bytes);
        next += bytes;
        if (next == end) {
            array = NOTHING;
        }
        return piece.retainedDuplicate();
    }

    /// The socket has taken a piece, or the connection has ended.
    private void onTaken(Future<?> taken) {
        if (taken.isSuccess() && next < end) {
            awaitTurn();
            return;
        }
        finish();
        Throwable fault = taken.cause();
        // A TLS connection that is being closed is still open, but encrypts no more.
        if (fault != null && channel.isOpen() && !output.closing()) {
            output.loop().faults().onFault(output, fault);
        }
    }

    private void finish() {
        array = NOTHING;
        if (buffer != null) {
            buffer.release();
            buffer = null;
        }
        blocks.give(PIECE_BYTES);
    }
}

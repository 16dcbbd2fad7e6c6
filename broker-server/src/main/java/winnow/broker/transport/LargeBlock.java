package winnow.broker.transport;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.ArrayList;
import java.util.List;

/// The direct copy of a large message, for all connections of a loop. A message of more than
/// [#PIECE_BYTES] is copied piece by piece, and each piece is written when it is there: then no
/// message holds the loop for longer than another. Owned by its loop.
final class LargeBlock {
    /// Bytes copied in one go: 0.05 ms, and 0.35 ms where their memory was not used before.
    static final int PIECE_BYTES = 512 * 1024;

    private static final byte[] NOTHING = {};

    /// Each with a reference of this class.
    private final List<ByteBuf> pieces = new ArrayList<>(1);

    /// Outputs that have all pieces so far and get the others.
    private final List<ConnectionOutput> followers = new ArrayList<>(0);

    private final int bytes;
    private byte[] array;
    private int next;
    private final int end;
    private boolean failed;

    /// Number of users that still need the pieces.
    private int users;

    /// Nothing is copied yet.
    ///
    /// @param newArray is not changed as long as pieces are missing
    LargeBlock(byte[] newArray, int start, int newEnd) {
        array = newArray;
        next = start;
        end = newEnd;
        bytes = end - start;
    }

    int bytes() {
        return bytes;
    }

    boolean isComplete() {
        return next == end;
    }

    boolean hasFailed() {
        return failed;
    }

    /// Bytes that are not copied yet.
    int missingBytes() {
        return end - next;
    }

    /// Copies one piece more, and gives it to those that follow.
    ///
    /// @return borrowed
    ByteBuf copyPiece() {
        int pieceBytes = Math.min(PIECE_BYTES, end - next);
        ByteBuf piece = allocator().directBuffer(pieceBytes);
        pieces.add(piece);
        piece.writeBytes(array, next, pieceBytes);
        next += pieceBytes;
        // A connection that ends meanwhile follows no more.
        List.copyOf(followers).forEach(output -> output.writePiece(piece));
        if (isComplete()) {
            array = NOTHING;
            List<ConnectionOutput> told = List.copyOf(followers);
            followers.clear();
            told.forEach(ConnectionOutput::onBlockEnd);
        }
        return piece;
    }

    /// Pieces that were copied, in their order; borrowed.
    List<ByteBuf> pieces() {
        return List.copyOf(pieces);
    }

    /// A pool allocates 4 MiB at a time, which takes up to 2 ms.
    private ByteBufAllocator allocator() {
        return bytes > PIECE_BYTES ? UnpooledByteBufAllocator.DEFAULT : ByteBufAllocator.DEFAULT;
    }

    /// Gives an output the pieces that are there, and the others when they are copied. Not of a
    /// block that has failed.
    void writeTo(ConnectionOutput output) {
        pieces().forEach(output::writePiece);
        if (!isComplete()) {
            followers.add(output);
            output.onBlockBegin();
        }
    }

    /// There will be no more pieces.
    ///
    /// @return those that wait for them
    List<ConnectionOutput> fail() {
        failed = true;
        array = NOTHING;
        List<ConnectionOutput> cut = List.copyOf(followers);
        followers.clear();
        return cut;
    }

    /// The connection has gone.
    void forget(ConnectionOutput output) {
        followers.remove(output);
    }

    /// Keeps the pieces until [#letGo].
    LargeBlock keep() {
        users++;
        return this;
    }

    /// True if somebody gets the pieces that are not copied yet, or may ask for them.
    boolean isWanted() {
        return !followers.isEmpty() || users > 1;
    }

    void letGo() {
        users--;
        if (users == 0) {
            pieces.forEach(ByteBuf::release);
            pieces.clear();
        }
    }
}

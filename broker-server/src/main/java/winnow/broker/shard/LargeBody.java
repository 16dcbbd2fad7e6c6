package winnow.broker.shard;

import org.jspecify.annotations.Nullable;
import winnow.wire.WireReader;
import winnow.wire.WireWriter;

/// A body that is in parts, each a row of [winnow.store.Table#PARTS]. It has a number of its own,
/// so that a message can move to another destination without it. Immutable.
///
/// @param id its number, never given again
/// @param bytes of all parts
/// @param parts how many there are
public record LargeBody(long id, int bytes, int parts) {
    /// The object alone.
    static final int HEAP_BYTES = 24;

    void write(WireWriter out) {
        out.writeVarlong(id);
        out.writeVarint(bytes);
        out.writeVarint(parts);
    }

    static LargeBody read(WireReader in) {
        return new LargeBody(in.readVarlong(), in.readVarint(), in.readVarint());
    }

    /// Bytes of a message: of its block, and of a body that is not in it.
    ///
    /// @param body null if it is in the block
    static int bytes(byte[] block, @Nullable LargeBody body) {
        return block.length + (body == null ? 0 : body.bytes);
    }
}

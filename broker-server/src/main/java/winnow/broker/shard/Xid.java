package winnow.broker.shard;

import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/// Names a distributed transaction: what a transaction manager has chosen, byte for byte.
/// Immutable.
public final class Xid {
    private final byte[] bytes;

    private Xid(byte[] bytes) {
        this.bytes = bytes;
    }

    /// @param bytes format, global transaction and branch, in a form of the caller's choice
    public static Xid of(byte[] bytes) {
        return new Xid(bytes.clone());
    }

    byte[] bytes() {
        return bytes.clone();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Xid xid && Arrays.equals(bytes, xid.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return HexFormat.of().formatHex(bytes);
    }
}

package winnow.wire;

import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/// Names a branch of a distributed transaction, as its transaction manager has chosen
/// (javax.transaction.xa.Xid). Immutable.
///
/// On the wire: the format identifier (4 bytes), then the global identifier and the branch
/// qualifier, each a varint length of at most [#MAX_PART_BYTES] and the bytes.
public final class Xid implements Comparable<Xid> {
    /// Longest global identifier, and longest branch qualifier.
    public static final int MAX_PART_BYTES = 64;

    private final int format;
    private final byte[] global;
    private final byte[] branch;

    /// @throws IllegalArgumentException if one of the parts is too long
    public Xid(int format, byte[] global, byte[] branch) {
        this.format = format;
        this.global = checked("global identifier", global);
        this.branch = checked("branch qualifier", branch);
    }

    private static byte[] checked(String name, byte[] part) {
        if (part.length > MAX_PART_BYTES) {
            throw new IllegalArgumentException(
                    "%s of a transaction: expected at most %d bytes, found %d"
                            .formatted(name, MAX_PART_BYTES, part.length));
        }
        return part.clone();
    }

    /// The one that has this text.
    ///
    /// @param text as of [#toString]
    /// @throws IllegalArgumentException if it is none
    public static Xid parse(String text) {
        String[] parts = text.split(":", -1);
        if (parts.length != 3) {
            throw new IllegalArgumentException(
                    "expected a transaction as FORMAT:GLOBAL:BRANCH, found '" + text + "'");
        }
        HexFormat hex = HexFormat.of();
        return new Xid(Integer.parseInt(parts[0]), hex.parseHex(parts[1]), hex.parseHex(parts[2]));
    }

    /// The one that has these bytes.
    ///
    /// @param bytes as of [#bytes]
    /// @throws WireException if they are none
    public static Xid ofBytes(byte[] bytes) {
        WireReader in = new WireReader().wrap(bytes, 0, bytes.length);
        Xid read = read(in);
        in.requireEnd();
        return read;
    }

    /// The format identifier.
    public int format() {
        return format;
    }

    /// The global identifier.
    public byte[] global() {
        return global.clone();
    }

    /// The branch qualifier.
    public byte[] branch() {
        return branch.clone();
    }

    /// All of it, as on the wire.
    public byte[] bytes() {
        WireWriter out = new WireWriter(2 * MAX_PART_BYTES);
        write(out);
        return out.toByteArray();
    }

    public void write(WireWriter out) {
        out.writeInt(format);
        out.writeBytes(global);
        out.writeBytes(branch);
    }

    /// @throws WireException if a part is too long
    public static Xid read(WireReader in) {
        int format = in.readInt();
        byte[] global = in.readBytes();
        byte[] branch = in.readBytes();
        try {
            return new Xid(format, global, branch);
        } catch (IllegalArgumentException e) {
            throw new WireException(ErrorCode.MALFORMED_FRAME, String.valueOf(e.getMessage()));
        }
    }

    @Override
    public int compareTo(Xid other) {
        return Arrays.compareUnsigned(bytes(), other.bytes());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Xid xid
                && format == xid.format
                && Arrays.equals(global, xid.global)
                && Arrays.equals(branch, xid.branch);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * format + Arrays.hashCode(global)) + Arrays.hashCode(branch);
    }

    /// The format identifier in decimal, the global identifier and the branch qualifier in
    /// hexadecimal digits, with colons between them.
    @Override
    public String toString() {
        HexFormat hex = HexFormat.of();
        return format + ":" + hex.formatHex(global) + ":" + hex.formatHex(branch);
    }
}

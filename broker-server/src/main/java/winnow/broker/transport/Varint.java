package winnow.broker.transport;

import io.netty.buffer.ByteBuf;

/// Numbers of one to five bytes in a buffer, as [winnow.wire.WireWriter] writes them.
final class Varint {
    private Varint() {}

    /// @param out has room at the index; its writer index stays
    /// @return where the number ends
    static int set(ByteBuf out, int index, int value) {
        int at = index;
        int rest = value;
        while (rest > 0x7F) {
            out.setByte(at++, rest | 0x80);
            rest >>>= 7;
        }
        out.setByte(at++, rest);
        return at;
    }
}

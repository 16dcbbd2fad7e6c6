package winnow.broker.session;

import java.util.Arrays;
import winnow.wire.FrameSplitter;
import winnow.wire.WireReader;

/// A part of a body on its way to the storage: bytes of an array that nobody changes. Immutable.
final class PartBytes {
    /// Part of a frame that its array may have more than that to be kept.
    private static final int UNNEEDED_PART = 8;

    final byte[] array;
    final int start;
    final int end;

    private PartBytes(byte[] array, int start, int end) {
        this.array = array;
        this.start = start;
        this.end = end;
    }

    /// Takes what a frame has from here on. The array of a long frame belongs to nobody else; any
    /// other is used again.
    static PartBytes of(WireReader in, int frameBytes) {
        boolean own =
                frameBytes > FrameSplitter.SCRATCH_BYTES
                        && in.array().length - frameBytes <= frameBytes / UNNEEDED_PART;
        if (own) {
            return new PartBytes(in.array(), in.position(), in.limit());
        }
        byte[] copy = Arrays.copyOfRange(in.array(), in.position(), in.limit());
        return new PartBytes(copy, 0, copy.length);
    }
}

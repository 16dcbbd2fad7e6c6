package winnow.broker.session;

import java.util.Arrays;

/// A part of a body on its way to the storage: bytes of an array that nobody changes. Immutable.
final class PartBytes {
    /// Part of these bytes that their array may have more than them to be kept.
    private static final int UNNEEDED_PART = 8;

    final byte[] array;
    final int start;
    final int end;

    private PartBytes(byte[] array, int start, int end) {
        this.array = array;
        this.start = start;
        this.end = end;
    }

    /// Takes bytes from `start` to `end`.
    ///
    /// @param own whether the array belongs to nobody else; any other is used again. It is kept if
    ///   it has hardly more than these bytes
    static PartBytes of(byte[] array, int start, int end, boolean own) {
        int bytes = end - start;
        if (own && array.length - bytes <= bytes / UNNEEDED_PART) {
            return new PartBytes(array, start, end);
        }
        return new PartBytes(Arrays.copyOfRange(array, start, end), 0, bytes);
    }
}

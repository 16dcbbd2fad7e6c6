package winnow.broker.shard;

import java.nio.ByteBuffer;
import winnow.store.LogException;

/// The keys of a shard's rows: big-endian numbers, so that rows are ordered as the numbers are.
final class Keys {
    /// The lowest key of all.
    static final byte[] FIRST = {};

    /// Above every key.
    static final byte[] END = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};

    private Keys() {}

    /// @param id of a destination or subscription, not negative
    static byte[] of(int id) {
        return ByteBuffer.allocate(Integer.BYTES).putInt(id).array();
    }

    /// @param id of a destination or subscription, not negative
    /// @param number a sequence or the number of a chunk, not negative
    static byte[] of(int id, long number) {
        return ByteBuffer.allocate(Integer.BYTES + Long.BYTES).putInt(id).putLong(number).array();
    }

    /// An id that is all that a row has.
    ///
    /// @param what for people
    /// @throws LogException if the row is of another length
    static int onlyId(byte[] row, String what) {
        if (row.length != Integer.BYTES) {
            throw new LogException(
                    LogException.Reason.CORRUPT, what + ": expected 4 bytes, found " + row.length);
        }
        return id(row);
    }

    /// The id that a key begins with.
    static int id(byte[] key) {
        return ByteBuffer.wrap(key).getInt();
    }

    /// The number behind the id.
    static long number(byte[] key) {
        return ByteBuffer.wrap(key).getLong(Integer.BYTES);
    }
}

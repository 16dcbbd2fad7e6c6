package winnow.cluster;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import winnow.store.Batch;
import winnow.store.Table;

/// Position of tables in the log, which is written together with each change of them.
///
/// @param index of the last entry whose changes are in the tables; -1 if there is none
/// @param term of that entry
/// @param epoch of the owner, 0 if there was none
/// @param next number that the owner's next entry has
/// @param owner where the owner is reached
record Applied(long index, long term, long epoch, long next, LeaderAddress owner) {
    static final Applied NOTHING = new Applied(-1, 0, 0, 0, LeaderAddress.NONE);

    private static final byte[] KEY = "cluster".getBytes(StandardCharsets.US_ASCII);
    private static final int NUMBERS_BYTES = 4 * Long.BYTES;

    /// @param row as [#writeTo] has written it, null if it is missing
    static Applied of(byte @Nullable [] row) {
        if (row == null) {
            return NOTHING;
        }
        ByteBuffer buffer = ByteBuffer.wrap(row);
        return new Applied(
                buffer.getLong(),
                buffer.getLong(),
                buffer.getLong(),
                buffer.getLong(),
                LeaderAddress.of(
                        new String(
                                row,
                                NUMBERS_BYTES,
                                row.length - NUMBERS_BYTES,
                                StandardCharsets.UTF_8)));
    }

    static byte[] key() {
        return KEY.clone();
    }

    void writeTo(Batch batch) {
        byte[] address = owner.text().getBytes(StandardCharsets.UTF_8);
        byte[] row =
                ByteBuffer.allocate(NUMBERS_BYTES + address.length)
                        .putLong(index)
                        .putLong(term)
                        .putLong(epoch)
                        .putLong(next)
                        .put(address)
                        .array();
        batch.put(Table.META, KEY, row);
    }
}

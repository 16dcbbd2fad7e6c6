package winnow.broker.shard;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;
import winnow.store.Batch;
import winnow.store.LogException;
import winnow.store.ShardLog;
import winnow.store.Table;

/// The rows of bodies in parts. A key is the number of the body (8 bytes) and that of the part (4
/// bytes, from 0), a row the CRC-32C of the part (4 bytes) and the part.
final class PartRows {
    private PartRows() {}

    static byte[] key(long body, int part) {
        return ByteBuffer.allocate(Long.BYTES + Integer.BYTES).putLong(body).putInt(part).array();
    }

    /// The number of the body that a row belongs to.
    static long body(byte[] key) {
        return ByteBuffer.wrap(key).getLong();
    }

    /// @param array holds the part, from `start` to `end`
    static byte[] row(byte[] array, int start, int end) {
        byte[] row = new byte[Integer.BYTES + end - start];
        System.arraycopy(array, start, row, Integer.BYTES, end - start);
        ByteBuffer.wrap(row).putInt(checksum(row));
        return row;
    }

    /// @param passing whether it need not outlive the broker
    static void put(Batch batch, byte[] key, byte[] row, boolean passing) {
        if (passing) {
            batch.putPassing(Table.PARTS, key, row);
        } else {
            batch.putWhole(Table.PARTS, key, row);
        }
    }

    /// Deletes bodies.
    ///
    /// @param first number of the first
    /// @param end number behind the last
    static void delete(Batch batch, long first, long end) {
        batch.deleteRange(Table.PARTS, key(first, 0), key(end, 0));
    }

    /// Reads a part.
    ///
    /// @throws LogException if it cannot be read, or is not what was written
    static byte[] read(ShardLog log, LargeBody body, int part) {
        byte[] row = log.get(Table.PARTS, key(body.id(), part));
        if (row == null) {
            throw corrupt(body.id(), part, "it is not there");
        }
        check(row, body.id(), part);
        return Arrays.copyOfRange(row, Integer.BYTES, row.length);
    }

    /// @throws LogException if a row is not what was written
    static void check(byte[] row, long body, int part) {
        if (row.length <= Integer.BYTES || checksum(row) != ByteBuffer.wrap(row).getInt()) {
            throw corrupt(body, part, "its checksum does not fit its bytes");
        }
    }

    private static LogException corrupt(long body, int part, String what) {
        return new LogException(
                LogException.Reason.CORRUPT, "part " + part + " of body " + body + ": " + what);
    }

    private static int checksum(byte[] row) {
        CRC32C crc = new CRC32C();
        crc.update(row, Integer.BYTES, row.length - Integer.BYTES);
        return (int) crc.getValue();
    }
}

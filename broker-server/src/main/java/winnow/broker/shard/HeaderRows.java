package winnow.broker.shard;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import winnow.store.LogException;

/// Rows of headers, as many as fit in so many bytes, and one at least. Used by one thread of the
/// readers for one reading.
final class HeaderRows implements RowReader.Visitor {
    private final Map<Long, Row> rows = new LinkedHashMap<>();
    private final int maxBytes;
    private final boolean withBodies;
    private long bytes;

    /// @param maxBytes of the rows
    /// @param withBodies whether the bodies in the other rows are counted, too
    HeaderRows(int maxBytes, boolean withBodies) {
        this.maxBytes = maxBytes;
        this.withBodies = withBodies;
    }

    /// A header's row, or what is wrong with it.
    static final class Row {
        private final byte @Nullable [] bytes;
        private final MessageRows.@Nullable Head head;
        private final @Nullable LogException damage;

        Row(
                byte @Nullable [] bytes,
                MessageRows.@Nullable Head head,
                @Nullable LogException damage) {
            this.bytes = bytes;
            this.head = head;
            this.damage = damage;
        }

        /// Of the row, null if it cannot be read.
        byte @Nullable [] bytes() {
            return bytes;
        }

        /// Null if it cannot be read, or is not what was written.
        MessageRows.@Nullable Head head() {
            return head;
        }

        /// Null if there is a head.
        @Nullable LogException damage() {
            return damage;
        }

        /// True if there is a row with its body, or may be.
        boolean mayHaveOtherRow() {
            return head == null || head.hasOtherRow();
        }
    }

    /// Rows that were taken, by sequence, ascending.
    Map<Long, Row> rows() {
        return rows;
    }

    @Override
    public boolean onRow(long sequence, byte[] key, byte[] row) {
        try {
            MessageRows.Head head = MessageRows.head(key, row);
            long size = withBodies ? (long) row.length + head.otherRowBytes() : row.length;
            return take(sequence, new Row(row, head, null), size);
        } catch (LogException e) {
            return takeDamaged(sequence, new Row(row, null, e));
        }
    }

    @Override
    public boolean onDamage(long sequence, LogException cause) {
        return takeDamaged(sequence, new Row(null, null, cause));
    }

    /// Nobody knows how long its body is.
    private boolean takeDamaged(long sequence, Row row) {
        return take(sequence, row, withBodies ? maxBytes : 0);
    }

    private boolean take(long sequence, Row row, long size) {
        if (!rows.isEmpty() && bytes + size > maxBytes) {
            return false;
        }
        bytes += size;
        rows.put(sequence, row);
        return true;
    }
}

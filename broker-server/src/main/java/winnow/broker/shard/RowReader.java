package winnow.broker.shard;

import java.util.Arrays;
import java.util.SortedMap;
import java.util.TreeMap;
import winnow.store.LogException;
import winnow.store.ShardLog;
import winnow.store.Table;

/// Reads rows of messages by their sequences. Where the log is damaged, it reads row by row, so
/// that only those are lost that cannot be read. Used by the readers' threads; has no state.
final class RowReader {
    /// A gap of so many sequences is read over; a longer one is jumped over by a new scan, which
    /// costs about as much as so many rows.
    private static final long MAX_GAP = 64;

    private final ShardLog log;

    RowReader(ShardLog log) {
        this.log = log;
    }

    /// Takes what is there. Rows that are not there are left out.
    interface Visitor {
        void onRow(byte[] key, byte[] row);

        /// The log cannot tell the row, or whether there is one.
        void onDamage(long sequence, LogException cause);
    }

    /// Reads rows of a destination.
    ///
    /// @param sequences of them, ascending
    /// @throws LogException if reading fails for another reason than damage
    void read(Table table, int destination, long[] sequences, Visitor visitor) {
        int first = 0;
        while (first < sequences.length) {
            int last = first;
            while (last + 1 < sequences.length
                    && sequences[last + 1] - sequences[last] <= MAX_GAP) {
                last++;
            }
            readRun(table, destination, Arrays.copyOfRange(sequences, first, last + 1), visitor);
            first = last + 1;
        }
    }

    private void readRun(Table table, int destination, long[] wanted, Visitor visitor) {
        TreeMap<Long, byte[]> found = new TreeMap<>();
        boolean whole = scan(table, destination, wanted, found);
        for (long sequence : wanted) {
            byte[] key = Keys.of(destination, sequence);
            byte[] row = found.get(sequence);
            try {
                if (row == null && !whole) {
                    row = log.get(table, key);
                }
            } catch (LogException e) {
                requireDamage(e);
                visitor.onDamage(sequence, e);
                continue;
            }
            if (row != null) {
                visitor.onRow(key, row);
            }
        }
    }

    /// @return whether all has been read
    private boolean scan(
            Table table, int destination, long[] wanted, SortedMap<Long, byte[]> found) {
        try {
            log.scan(
                    table,
                    Keys.of(destination, wanted[0]),
                    Keys.of(destination, wanted[wanted.length - 1] + 1),
                    (key, row) -> {
                        long sequence = Keys.number(key);
                        if (Arrays.binarySearch(wanted, sequence) >= 0) {
                            found.put(sequence, row);
                        }
                        return true;
                    });
            return true;
        } catch (LogException e) {
            requireDamage(e);
            return false;
        }
    }

    private static void requireDamage(LogException cause) {
        if (cause.reason() != LogException.Reason.CORRUPT) {
            throw cause;
        }
    }
}

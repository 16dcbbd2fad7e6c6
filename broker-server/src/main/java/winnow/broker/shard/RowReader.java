package winnow.broker.shard;

import winnow.store.LogException;
import winnow.store.RowConsumer;
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
        /// @return false if it does not take the row, so that reading stops before it
        boolean onRow(long sequence, byte[] key, byte[] row);

        /// The log cannot tell the row, or whether there is one.
        ///
        /// @return false if it does not take that, so that reading stops before it
        boolean onDamage(long sequence, LogException cause);
    }

    /// Reads rows of a destination.
    ///
    /// @param sequences of them, ascending
    /// @return how many of the sequences have been looked at
    /// @throws LogException if reading fails for another reason than damage
    int read(Table table, int destination, long[] sequences, Visitor visitor) {
        int first = 0;
        while (first < sequences.length) {
            int end = first + 1;
            while (end < sequences.length && sequences[end] - sequences[end - 1] <= MAX_GAP) {
                end++;
            }
            Run run = new Run(sequences, first, end, visitor);
            run.read(log, table, destination);
            if (run.stopped) {
                return run.next;
            }
            first = end;
        }
        return sequences.length;
    }

    /// Sequences that one scan reads.
    private static final class Run implements RowConsumer {
        private final long[] sequences;
        private final int end;
        private final Visitor visitor;
        int next;
        boolean stopped;

        Run(long[] sequences, int first, int end, Visitor visitor) {
            this.sequences = sequences;
            this.next = first;
            this.end = end;
            this.visitor = visitor;
        }

        void read(ShardLog log, Table table, int destination) {
            try {
                log.scan(
                        table,
                        Keys.of(destination, sequences[next]),
                        Keys.of(destination, sequences[end - 1] + 1),
                        this);
            } catch (LogException e) {
                requireDamage(e);
                while (next < end && readOne(log, table, destination)) {
                    next++;
                }
            }
        }

        @Override
        public boolean onRow(byte[] key, byte[] row) {
            long sequence = Keys.number(key);
            while (next < end && sequences[next] < sequence) {
                next++;
            }
            if (next < end && sequences[next] == sequence) {
                stopped = !visitor.onRow(sequence, key, row);
                next += stopped ? 0 : 1;
            }
            return !stopped && next < end;
        }

        /// @return whether the next is wanted
        private boolean readOne(ShardLog log, Table table, int destination) {
            long sequence = sequences[next];
            byte[] key = Keys.of(destination, sequence);
            try {
                byte[] row = log.get(table, key);
                stopped = row != null && !visitor.onRow(sequence, key, row);
            } catch (LogException e) {
                requireDamage(e);
                stopped = !visitor.onDamage(sequence, e);
            }
            return !stopped;
        }
    }

    private static void requireDamage(LogException cause) {
        if (cause.reason() != LogException.Reason.CORRUPT) {
            throw cause;
        }
    }
}

package winnow.store;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The durable state of a shard: tables that are changed by batches in one order, by one owner.
/// `append` belongs to the owner's thread; everything else may be called by any thread.
public interface ShardLog extends AutoCloseable {
    /// Version of the rows, of the files that hold them, and of the entries between the nodes of a
    /// cluster: 1 to 31. What has another one is refused, so a change of any of them is a new
    /// number.
    int FORMAT = 1;

    /// Number of this ownership, above that of every owner before. There is one owner at a time:
    /// what an earlier one appends after a later one has opened the log fails with
    /// [LogException.Reason#FENCED], if that one was not refused in the first place.
    long epoch();

    /// Appends a batch; returns before it is written. Batches take effect whole, and in the order
    /// in which they were appended: after a crash a first part of all batches is there and the
    /// others are not.
    ///
    /// When a batch has failed, all later ones fail, too: what a failed write has left behind is
    /// known only after the log has been opened again.
    ///
    /// @param batch not to be changed any more
    /// @param completion called on the executor that the log was opened with, never from within
    ///   this call
    void append(Batch batch, Durability durability, Completion completion);

    /// The value of a row, null if there is none. Sees every batch that is complete. Blocks.
    ///
    /// @throws LogException if it cannot be read
    byte @Nullable [] get(Table table, byte[] key);

    /// Owner of the memory that a row takes, as its [Batch] has said; null if that is not known.
    default @Nullable RowOwner owner(Table table, byte[] key) {
        return null;
    }

    /// The rows from `from` to before `to`, in the order of their keys, as they were at one moment
    /// after all batches that were complete when it was called. Blocks.
    ///
    /// @throws LogException if they cannot be read
    void scan(Table table, byte[] from, byte[] to, RowConsumer rows);

    /// The rows in that range have been deleted and will not be asked for again: their space may be
    /// given back at once. A hint. Scans need not leave such rows out any more.
    void reclaim(Table table, byte[] from, byte[] to);

    /// Writes a copy of the state as it is now, which can be opened as a log, while others go on.
    /// Blocks.
    ///
    /// @param directory must not exist
    /// @throws LogException if that fails
    void checkpoint(Path directory);

    /// The log is about to be closed in order: does what makes the next start quick. A hint.
    /// Blocks.
    ///
    /// @throws LogException if that fails; nothing is lost by that
    default void flush() {}

    /// Gives the space of what was deleted back to the disk, as far as it has not been. That takes
    /// as much room on the disk meanwhile as what is left. Blocks.
    ///
    /// @throws LogException if that fails
    default void shrink() {}

    /// Says whether the log may merge files by itself, which takes room on the disk meanwhile.
    ///
    /// @throws LogException if that fails
    default void merging(boolean allowed) {}

    /// Completes what was appended, then gives the log up. Blocks.
    @Override
    void close();
}

/// Store of what must survive a broker: tables of rows, changed by atomic batches in one order.
///
/// ```
///  owner's thread: Batch -> ShardLog.append -> group commit -> Completion, in the order of appends
///  any thread:     ShardLog.get, ShardLog.scan
/// ```
///
/// The meaning of the rows is not known here. [MemoryShardLog] keeps them on the heap,
/// [winnow.store.rocksdb.RocksShardLog] in files. The interface asks for nothing that a replicated
/// log, a chain of segments on several machines, could not do:
///
/// - *Ownership*: in files it is the lock of the directory, and the epoch is a row; there the epoch
///   would be counted by compare-and-set in a metadata service.
/// - *Fencing*: in files a second owner is refused while the first lives. There the next owner
///   would close the segments of the one before, whose appends fail with
///   [LogException.Reason#FENCED].
/// - *Append*: a record of the write-ahead log, or an entry. A [Batch] is its own redo record.
/// - *Snapshot*: [ShardLog#checkpoint]; there with the position of the last entry in it.
/// - *Truncation*: write-ahead logs go when their rows are in data files; segments would go when
///   they are below the last snapshot.
///
/// The owner never sees positions: tables are what it reads, in memory, in files, or built from a
/// snapshot and the entries after it.
@NullMarked
package winnow.store;

import org.jspecify.annotations.NullMarked;

/// Where a broker keeps what must survive it: tables of rows, changed by atomic batches in one
/// order.
///
/// ```
///  owner's thread: Batch -> ShardLog.append -> group commit -> Completion, in the order of appends
///  any thread:     ShardLog.get, ShardLog.scan
/// ```
///
/// What the rows mean is not known here. [MemoryShardLog] keeps them on the heap,
/// [winnow.store.rocksdb.RocksShardLog] in files. The interface asks for nothing that a replicated
/// log could not do: one writer that can be fenced off, batches that are their own redo record.
@NullMarked
package winnow.store;

import org.jspecify.annotations.NullMarked;

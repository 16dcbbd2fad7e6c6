/// Keeps the tables of a shard in RocksDB.
///
/// ```
///  owner's thread:  append -> Committer's queue
///  winnow-commit-N: whole queue -> one WriteBatch -> write-ahead log, sync -> completions
///  any thread:      get, scan
/// ```
///
/// Reading order: [RocksShardLog], [Committer], [StoreDirectory] (lock, version, state of the
/// files), [RecordCheck] (torn end or damage), [RecordFile], [RocksOptions], [RocksSettings],
/// [StoreCopy].
@NullMarked
package winnow.store.rocksdb;

import org.jspecify.annotations.NullMarked;

/// The store's log on several nodes: Apache Ratis elects a leader, replicates the log and ships
/// snapshots; here is what the entries mean.
///
/// ```
///  leader:     Batch -> ClusterShardLog -> group -> ClusterEntry -> Ratis, on a majority's disks
///  each node:  Ratis -> ReplicatedTables -> RocksDB, with the entry's index in the same write
/// ```
///
/// [ClusterNode] is the way in. Nothing outside knows Ratis.
@NullMarked
package winnow.cluster;

import org.jspecify.annotations.NullMarked;

package winnow.cluster;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import winnow.store.rocksdb.RocksSettings;

/// Terms on which a node takes part in its cluster.
///
/// @param self name of this one among the members
/// @param members all nodes, this one included
/// @param tables directory of what the node has made of the log
/// @param log directory of the log and of snapshots, on the same disk
/// @param settings of the tables
/// @param electionTimeout shortest time without a sign of the leader after which a node stands for
///   election; the longest is twice that
/// @param joining whether it waits to be added to a cluster that runs, if it never was a member
/// @param room on the disk of both directories. Asked by one thread, and may block
/// @param tls certificates with which nodes prove who they are; null among nodes of one machine
public record ClusterNodeOptions(
        String self,
        List<ClusterMember> members,
        Path tables,
        Path log,
        RocksSettings settings,
        Duration electionTimeout,
        boolean joining,
        Supplier<DiskRoom> room,
        @Nullable Tls tls) {

    /// PEM files of a node.
    ///
    /// @param certificate chain of this node
    /// @param key of this node, PKCS#8
    /// @param authority certificates of who signs those of all nodes
    public record Tls(Path certificate, Path key, Path authority) {}

    /// This node's entry among the members.
    ///
    /// @throws IllegalArgumentException if there is none
    ClusterMember member() {
        return members.stream()
                .filter(member -> member.name().equals(self))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException(
                                "expected the name of one of the nodes "
                                        + members.stream().map(ClusterMember::name).toList()
                                        + ", found '"
                                        + self
                                        + "'"));
    }
}

package winnow.cluster;

import org.jspecify.annotations.Nullable;

/// A node of the cluster, as the node that leads sees it.
///
/// @param node name of the node
/// @param address where other nodes reach it
/// @param role its part
/// @param behind entries of the log that it is behind the leader; null if the leader has not
///   learned that since it leads
/// @param silentMillis time for which the leader has not heard of it, in ms; at most since it leads
public record ClusterNodeView(
        String node, String address, NodeRole role, @Nullable Long behind, long silentMillis) {

    /// Part of a node in its cluster.
    public enum NodeRole {
        LEADER,
        FOLLOWER,

        /// The node is being added: it gets what it has missed, and has no vote yet.
        JOINING
    }
}

package winnow.cluster;

/// A node of the cluster, as the node that leads sees it.
///
/// @param node name of the node
/// @param address where other nodes reach it
/// @param role its part
/// @param behind entries of the log that it is behind the leader
/// @param silentMillis time since its last answer to the leader, in ms
public record ClusterNodeView(
        String node, String address, NodeRole role, long behind, long silentMillis) {

    /// Part of a node in its cluster.
    public enum NodeRole {
        LEADER,
        FOLLOWER,

        /// The node is being added: it gets what it has missed, and has no vote yet.
        JOINING
    }
}

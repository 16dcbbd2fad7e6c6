package winnow.cluster;

import java.util.Map;

/// A node's view of its cluster.
///
/// @param node name of this one
/// @param role of this one
/// @param leader name of the leader, empty if none is known
/// @param leaderAddress where clients reach the leader, empty if that is not known
/// @param term of the engine: counts elections
/// @param applied index of the last entry in this node's tables
/// @param committed index of the last entry that this node knows to be confirmed
/// @param lag entries that each follower is behind the leader's log; known to the leader only
/// @param snapshotMillis when the newest snapshot was made, in ms since 1970; 0 if there is none
public record ClusterStatus(
        String node,
        Role role,
        String leader,
        String leaderAddress,
        long term,
        long applied,
        long committed,
        Map<String, Long> lag,
        long snapshotMillis) {

    /// Part of a node in its cluster.
    public enum Role {
        LEADER,
        FOLLOWER,

        /// No leader is known, perhaps because fewer nodes than a majority reach each other.
        NO_MAJORITY,

        /// The node is not a member: it has not been added yet, or was removed.
        OUTSIDE
    }
}

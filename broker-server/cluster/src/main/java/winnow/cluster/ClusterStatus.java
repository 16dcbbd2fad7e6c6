package winnow.cluster;

import java.util.Map;

/// A node's view of its cluster.
///
/// @param node name of this one
/// @param role of this one
/// @param leader name of the leader, empty if none is known
/// @param leaderAddress where the leader is reached, as far as that is known
/// @param term of the engine: counts elections
/// @param applied index of the last entry in this node's tables
/// @param committed index of the last entry that this node knows to be confirmed
/// @param lag entries that followers are behind the leader's log; known to the leader only, and not
///   of a follower that has told nothing since it leads
/// @param silentMillis time for which the leader has not heard of each follower, in ms; at most
///   since it leads. Known to the leader only
/// @param snapshotMillis when the newest snapshot was made, in ms since 1970; 0 if there is none
public record ClusterStatus(
        String node,
        Role role,
        String leader,
        LeaderAddress leaderAddress,
        long term,
        long applied,
        long committed,
        Map<String, Long> lag,
        Map<String, Long> silentMillis,
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

package winnow.tests.crash;

/// Faults of a cluster of three nodes. `leader` is the one that leads when it begins.
enum ClusterFault {
    /// The leader and the others do not see each other.
    LEADER_CUT,

    /// The leader sees neither the others nor clients.
    LEADER_ALONE,

    /// A follower and the others do not see each other.
    FOLLOWER_CUT,

    /// Packets of the leader to the others are lost.
    LEADER_MUTE,

    /// Packets of the others to the leader are lost.
    LEADER_DEAF,

    /// Packets of a follower to the others are lost.
    FOLLOWER_MUTE,

    /// Packets of the others to a follower are lost.
    FOLLOWER_DEAF,

    /// The leader and a follower do not see each other; both see the third.
    CHAIN,

    /// The followers do not see each other; both see the leader.
    FOLLOWERS_APART,

    /// No client sees the leader, which the others see.
    LEADER_HIDDEN,

    /// The links of the leader come and go.
    LEADER_FLAPS,

    /// The links of a follower come and go.
    FOLLOWER_FLAPS,

    /// The links of the leader are narrow.
    LEADER_SLOW,

    /// The links of a follower are narrow.
    FOLLOWER_SLOW,

    /// The leader is killed.
    LEADER_KILLED,

    /// The leader stands still.
    LEADER_PAUSED,

    /// A follower is cut off, and then the leader stands still; the follower comes back before.
    CUT_AND_PAUSE,

    /// A follower is cut off and the leader is killed; the follower comes back before.
    CUT_AND_KILL,

    /// The leader and a follower are killed; the follower comes back before.
    TWO_KILLED,

    /// The leader is cut off, and its disk stands still.
    CUT_AND_FROZEN,

    /// The leader's disk is slow.
    LEADER_DISK_SLOW,

    /// A follower's disk is slow.
    FOLLOWER_DISK_SLOW,

    /// The leader's disk stands still.
    LEADER_DISK_FROZEN,

    /// A follower's disk stands still.
    FOLLOWER_DISK_FROZEN,

    /// The leader's disk is full.
    LEADER_DISK_FULL,

    /// A follower's disk is full.
    FOLLOWER_DISK_FULL;

    boolean ofDisk() {
        return name().contains("DISK") || this == CUT_AND_FROZEN;
    }

    /// Tells if clients are served while it lasts: a majority works, and clients see its leader.
    boolean isSurvived() {
        return switch (this) {
            case LEADER_HIDDEN, LEADER_FLAPS, LEADER_SLOW, LEADER_DISK_SLOW, LEADER_DISK_FULL ->
                    false;
            default -> true;
        };
    }
}

package winnow.cluster;

import java.util.List;
import org.apache.ratis.proto.RaftProtos.ServerRpcProto;
import org.apache.ratis.server.DivisionInfo;

/// Rule for when a leader puts off its next snapshot: this cuts the log, and a node that comes back
/// and still reads there would need a snapshot again, for ever if snapshots are made faster than it
/// gets them.
final class SnapshotDelay {
    /// Log that is kept in any case for a node that needs it.
    private static final long LEAST_LOG_BYTES = 1L << 30;

    /// Entries by which a node that keeps up may be behind.
    private static final long BEHIND_ENTRIES = 100;

    /// Silence after which a node counts as gone: the log is not kept for it.
    private static final long SILENT_MILLIS = 60_000;

    private SnapshotDelay() {}

    /// Tells if a snapshot has to wait. A log that is as large as the snapshot is cut nevertheless:
    /// who has not received that one meanwhile falls behind anyway.
    ///
    /// @param info of the node that would make it
    /// @param applied index of the last entry that it would have
    /// @param logBytes behind the newest snapshot
    /// @param snapshotBytes of that
    static boolean applies(DivisionInfo info, long applied, long logBytes, long snapshotBytes) {
        return info.isLeader()
                && logBytes < Math.max(LEAST_LOG_BYTES, snapshotBytes)
                && isNeeded(info, applied);
    }

    private static boolean isNeeded(DivisionInfo info, long applied) {
        // The engine tells positions and silence by two calls, in the same order.
        List<ServerRpcProto> followers =
                info.getRoleInfoProto().getLeaderInfo().getFollowerInfoList();
        long[] matched = info.getFollowerMatchIndices();
        if (matched == null || matched.length != followers.size()) {
            // The lead or the members have just changed.
            return false;
        }
        for (int i = 0; i < matched.length; i++) {
            if (followers.get(i).getLastRpcElapsedTimeMs() < SILENT_MILLIS
                    && applied - matched[i] > BEHIND_ENTRIES) {
                return true;
            }
        }
        return false;
    }
}

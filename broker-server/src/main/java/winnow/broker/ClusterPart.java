package winnow.broker;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import winnow.broker.admin.ClusterChanges;
import winnow.broker.admin.NoCluster;
import winnow.broker.metrics.ClusterFigures;
import winnow.broker.storage.LogSource;
import winnow.broker.storage.StorageConfig;
import winnow.cluster.ClusterStatus;
import winnow.store.MemoryShardLog;

/// A broker's part in its cluster, from one change of the leader to the next.
///
/// @param log that of the cluster if this broker leads, else one that stays empty
/// @param cluster as this node sees it now
/// @param changes those that this node can make while it leads
record ClusterPart(
        boolean leads, LogSource log, Supplier<ClusterStatus> cluster, ClusterChanges changes) {
    private static final ObjectMapper JSON = new ObjectMapper();

    static ClusterPart follower(Supplier<ClusterStatus> cluster) {
        return new ClusterPart(false, MemoryShardLog::new, cluster, new NoCluster());
    }

    StorageConfig storage(StorageConfig config) {
        return leads ? config : config.inMemory();
    }

    /// Reason for taking no clients, empty if this broker leads.
    String inactive() {
        if (leads) {
            return "";
        }
        String address = cluster.get().leaderAddress();
        return "this broker does not lead its cluster; "
                + (address.isEmpty()
                        ? "no leader is known at present"
                        : "the leader is " + address);
    }

    /// The same for those who ask the HTTP port.
    String standby() {
        ClusterStatus now = cluster.get();
        boolean known = !now.leader().isEmpty() && !now.leaderAddress().isEmpty();
        return known
                ? "this broker does not lead its cluster: ask node '"
                        + now.leader()
                        + "', whose clients are at "
                        + now.leaderAddress()
                : inactive();
    }

    /// Tells if this node can do its part.
    boolean healthy() {
        ClusterStatus.Role role = cluster.get().role();
        return role == ClusterStatus.Role.LEADER || role == ClusterStatus.Role.FOLLOWER;
    }

    /// This node's role in a few words.
    String health() {
        ClusterStatus now = cluster.get();
        return switch (now.role()) {
            case LEADER -> "leader";
            case FOLLOWER -> "follower of " + now.leader();
            case NO_MAJORITY -> "no majority";
            case OUTSIDE -> "no node of the cluster at present";
        };
    }

    /// The same for the metrics.
    ClusterFigures figures() {
        ClusterStatus now = cluster.get();
        return new ClusterFigures(
                now.role() == ClusterStatus.Role.LEADER,
                healthy(),
                now.term(),
                now.applied(),
                now.committed(),
                now.lag(),
                now.snapshotMillis());
    }

    /// The cluster as this node sees it, as an object of JSON.
    String json() {
        ClusterStatus now = cluster.get();
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("node", now.node());
        fields.put("role", now.role().name().toLowerCase(java.util.Locale.ROOT).replace('_', ' '));
        fields.put("leader", now.leader());
        fields.put("leaderAddress", now.leaderAddress());
        fields.put("term", now.term());
        fields.put("applied", now.applied());
        fields.put("committed", now.committed());
        fields.put("lag", now.lag());
        fields.put("snapshotMillis", now.snapshotMillis());
        try {
            return JSON.writeValueAsString(fields) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}

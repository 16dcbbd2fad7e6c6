package winnow.broker;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import winnow.broker.admin.ClusterChanges;
import winnow.broker.admin.NoCluster;
import winnow.broker.identity.Tokens;
import winnow.broker.metrics.ClusterFigures;
import winnow.broker.metrics.WaitTimes;
import winnow.broker.storage.LogSource;
import winnow.broker.storage.StorageConfig;
import winnow.cluster.ClusterStatus;
import winnow.cluster.LeaderAddress;
import winnow.store.MemoryShardLog;

/// A broker's part in its cluster, from one change of the leader to the next.
///
/// @param log that of the cluster if this broker leads, else one that stays empty
/// @param cluster as this node sees it now
/// @param appends of this node, in all times that it has led
/// @param changes those that this node can make while it leads
/// @param tokens checks with keys that the node keeps whoever leads, null if no tokens are taken
record ClusterPart(
        boolean leads,
        LogSource log,
        Supplier<ClusterStatus> cluster,
        WaitTimes appends,
        ClusterChanges changes,
        @Nullable Tokens tokens) {
    private static final ObjectMapper JSON = new ObjectMapper();

    static ClusterPart follower(
            Supplier<ClusterStatus> cluster, WaitTimes appends, @Nullable Tokens tokens) {
        return new ClusterPart(
                false, MemoryShardLog::new, cluster, appends, new NoCluster(), tokens);
    }

    /// Checks of tokens for the broker of this part, which ends before the node does.
    @Nullable Tokens lentTokens() {
        return tokens == null ? null : tokens.lent();
    }

    StorageConfig storage(StorageConfig config) {
        return leads ? config : config.inMemory();
    }

    /// Reason for taking no clients, empty if this broker leads.
    String inactive() {
        if (leads) {
            return "";
        }
        String address = cluster.get().leaderAddress().clients();
        return "this broker does not lead its cluster; "
                + (address.isEmpty()
                        ? "no leader is known at present"
                        : "the leader is " + address);
    }

    /// The same for those who ask the HTTP port.
    String standby() {
        ClusterStatus now = cluster.get();
        LeaderAddress at = now.leaderAddress();
        if (now.leader().isEmpty() || at.clients().isEmpty()) {
            return inactive();
        }
        return "this broker does not lead its cluster: ask node '"
                + now.leader()
                + (at.url().isEmpty()
                        ? "' at its HTTP port; its clients are at " + at.clients()
                        : "' at " + at.url());
    }

    /// Tells if this node can do its part.
    boolean healthy() {
        ClusterStatus.Role role = cluster.get().role();
        return role == ClusterStatus.Role.FOLLOWER || (role == ClusterStatus.Role.LEADER && leads);
    }

    /// Tells if the node leads and this broker does not serve yet.
    private boolean takesOver(ClusterStatus.Role role) {
        return role == ClusterStatus.Role.LEADER && !leads;
    }

    /// This node's role in a few words.
    String health() {
        ClusterStatus now = cluster.get();
        return switch (now.role()) {
            case LEADER -> takesOver(now.role()) ? "takes the lead over" : "leader";
            case FOLLOWER -> "follower of " + now.leader();
            case NO_MAJORITY -> "no majority";
            case OUTSIDE -> "no node of the cluster at present";
        };
    }

    /// The same for the metrics.
    ClusterFigures figures() {
        ClusterStatus now = cluster.get();
        return new ClusterFigures(
                now.role() == ClusterStatus.Role.LEADER && leads,
                now.role() == ClusterStatus.Role.LEADER
                        || now.role() == ClusterStatus.Role.FOLLOWER,
                now.term(),
                now.applied(),
                now.committed(),
                now.lag(),
                now.silentMillis(),
                appends,
                now.snapshotMillis());
    }

    /// The cluster as this node sees it, as an object of JSON.
    String json() {
        ClusterStatus now = cluster.get();
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("node", now.node());
        fields.put("role", now.role().name().toLowerCase(java.util.Locale.ROOT).replace('_', ' '));
        fields.put("leader", now.leader());
        fields.put("leaderAddress", now.leaderAddress().clients());
        fields.put("leaderUrl", now.leaderAddress().url());
        fields.put("term", now.term());
        fields.put("applied", now.applied());
        fields.put("committed", now.committed());
        Map<String, @Nullable Long> lag = new LinkedHashMap<>();
        now.silentMillis().keySet().forEach(node -> lag.put(node, now.lag().get(node)));
        fields.put("lag", lag);
        fields.put("silentMillis", now.silentMillis());
        fields.put("snapshotMillis", now.snapshotMillis());
        try {
            return JSON.writeValueAsString(fields) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}

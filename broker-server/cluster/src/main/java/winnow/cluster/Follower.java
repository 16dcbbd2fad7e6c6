package winnow.cluster;

import java.util.ArrayList;
import java.util.List;
import org.apache.ratis.proto.RaftProtos.ServerRpcProto;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A node that follows, as the leader sees it.
///
/// @param name of the node
/// @param matched index of the last entry that the node has on its disk, -1 if none is known
/// @param silentMillis time since the node's last answer; longer than `leadMillis` if there was
///   none
/// @param leadMillis time since the leader was elected
record Follower(String name, long matched, long silentMillis, long leadMillis) {
    private static final Logger LOG = LoggerFactory.getLogger(Follower.class);

    private static final int TRIES = 10;

    /// Entries that the node is behind a log that ends with this one; null if the leader has not
    /// learned that since it leads.
    @Nullable Long behind(long last) {
        return matched < 0 ? null : Math.max(0, last - matched);
    }

    /// Time for which the leader has certainly heard nothing of the node: not longer than it leads.
    long unheardMillis() {
        return Math.min(silentMillis, leadMillis);
    }

    /// All followers; none if the node does not lead, or if nodes come and go all the time.
    static List<Follower> all(RaftServer.Division division) {
        DivisionInfo info = division.getInfo();
        try {
            // The engine tells names and positions by two calls, in the same order unless a node
            // has come or gone between them.
            for (int i = 0; i < TRIES; i++) {
                List<ServerRpcProto> nodes = nodes(info);
                long[] matched = info.getFollowerMatchIndices();
                if (matched != null
                        && matched.length == nodes.size()
                        && names(nodes).equals(names(nodes(info)))) {
                    return paired(nodes, matched, info.getRoleInfoProto().getRoleElapsedTimeMs());
                }
            }
        } catch (IllegalStateException e) {
            LOG.debug("The role has changed meanwhile", e);
        }
        return List.of();
    }

    private static List<ServerRpcProto> nodes(DivisionInfo info) {
        return info.getRoleInfoProto().getLeaderInfo().getFollowerInfoList();
    }

    private static List<String> names(List<ServerRpcProto> nodes) {
        return nodes.stream().map(Follower::name).toList();
    }

    private static String name(ServerRpcProto node) {
        return RaftPeerId.valueOf(node.getId().getId()).toString();
    }

    private static List<Follower> paired(
            List<ServerRpcProto> nodes, long[] matched, long leadMillis) {
        List<Follower> followers = new ArrayList<>();
        for (int i = 0; i < matched.length; i++) {
            ServerRpcProto node = nodes.get(i);
            followers.add(
                    new Follower(
                            name(node), matched[i], node.getLastRpcElapsedTimeMs(), leadMillis));
        }
        return followers;
    }
}

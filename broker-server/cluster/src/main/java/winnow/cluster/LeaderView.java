package winnow.cluster;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.cluster.ClusterChangeException.Reason;

/// The cluster as the node that leads it sees it. Immutable.
///
/// @param self name of the leader
/// @param members all nodes, the leader included
/// @param followers nodes that get the log: the other members, and one that is being added
/// @param last index of the last entry of the log
/// @param silentMillis longest silence of a node that counts as there
record LeaderView(
        String self,
        List<RaftPeer> members,
        List<Follower> followers,
        long last,
        long silentMillis) {
    private static final Logger LOG = LoggerFactory.getLogger(LeaderView.class);

    /// The view of a node, empty if it does not lead.
    static Optional<LeaderView> of(RaftServer server, RaftGroupId group, long silentMillis) {
        try {
            RaftServer.Division division = server.getDivision(group);
            if (division.getInfo().isLeaderReady()) {
                return Optional.of(
                        new LeaderView(
                                server.getId().toString(),
                                List.copyOf(division.getRaftConf().getCurrentPeers()),
                                Follower.all(division),
                                division.getRaftLog().getNextIndex() - 1,
                                silentMillis));
            }
        } catch (IOException e) {
            LOG.debug("The node stops", e);
        }
        return Optional.empty();
    }

    /// The same of a node that has to lead.
    ///
    /// @throws ClusterChangeException if it does not
    static LeaderView demand(RaftServer server, RaftGroupId group, long silentMillis)
            throws ClusterChangeException {
        return of(server, group, silentMillis).orElseThrow(LeaderView::notLeading);
    }

    static ClusterChangeException notLeading() {
        return new ClusterChangeException(
                Reason.NOT_LEADING, "this node does not lead its cluster any more");
    }

    ClusterChangeException unknown(String name) {
        return new ClusterChangeException(
                Reason.UNKNOWN_NODE,
                "expected one of the nodes "
                        + String.join(", ", names())
                        + ", found '"
                        + name
                        + "'");
    }

    /// Names of the members, sorted.
    List<String> names() {
        return members.stream().map(RaftPeer::getId).map(RaftPeerId::toString).sorted().toList();
    }

    Optional<RaftPeer> member(String name) {
        return members.stream().filter(one -> one.getId().toString().equals(name)).findFirst();
    }

    Optional<Follower> follower(String name) {
        return followers.stream().filter(one -> one.name().equals(name)).findFirst();
    }

    boolean isThere(Follower follower) {
        return follower.silentMillis() <= silentMillis;
    }

    /// Number of members that answer, the leader included.
    int there() {
        List<String> names = names();
        return 1
                + (int)
                        followers.stream()
                                .filter(this::isThere)
                                .filter(one -> names.contains(one.name()))
                                .count();
    }
}

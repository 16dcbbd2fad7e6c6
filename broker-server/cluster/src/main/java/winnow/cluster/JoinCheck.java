package winnow.cluster;

import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.ratis.protocol.GroupInfoReply;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.exceptions.ServerNotReadyException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.cluster.ClusterChangeException.Reason;

/// A question to a broker before it is made a node: the engine would send the log to whatever
/// listens at the address, a node of another cluster included. Immutable.
final class JoinCheck {
    private static final Logger LOG = LoggerFactory.getLogger(JoinCheck.class);

    /// The way to make a node of a broker that has a log of its own.
    private static final String ANEW =
            ": stop it, remove its files, and start it with cluster.join=true";

    private final RaftGroupId group;
    private final ClusterNodeOptions options;

    JoinCheck(RaftGroupId group, ClusterNodeOptions options) {
        this.group = group;
        this.options = options;
    }

    /// Demands that a broker of this name is there and waits to be added. Blocks, for 3 s at most
    /// besides the name service.
    ///
    /// @param members of the cluster. A broker that has their log, from an addition that did not
    ///   end, may go on with it
    /// @throws ClusterChangeException saying what was found instead
    void run(ClusterMember member, List<RaftPeer> members) throws ClusterChangeException {
        String at = "at " + member.address();
        if (options.tls() == null && !member.isLoopback()) {
            throw new ClusterChangeException(
                    Reason.CONFLICT,
                    "the nodes of this cluster do not prove who they are (cluster.certificate), so"
                            + " expected an address on loopback, found "
                            + member.address());
        }
        GroupInfoReply found = ask(member);
        String name = found.getRoleInfoProto().getSelf().getId().toStringUtf8();
        if (!name.equals(member.name())) {
            throw new ClusterChangeException(
                    Reason.CONFLICT,
                    "expected node '" + member.name() + "' " + at + ", found node '" + name + "'");
        }
        List<RaftPeer> others =
                found.getGroup().getPeers().stream()
                        .filter(peer -> members.stream().noneMatch(one -> isSame(one, peer)))
                        .toList();
        if (others.isEmpty()) {
            return;
        }
        RaftPeer other = others.getFirst();
        if (others.size() == 1
                && found.getGroup().getPeers().size() > 1
                && isSame(other, member.peer())) {
            throw removed(member);
        }
        throw new ClusterChangeException(
                Reason.CONFLICT,
                "expected that node '"
                        + name
                        + "' "
                        + at
                        + " waits to be added, found that it has the log of a cluster with"
                        + " node '"
                        + other.getId()
                        + "' at "
                        + other.getAddress()
                        + ANEW);
    }

    private static boolean isSame(RaftPeer one, RaftPeer another) {
        return one.getId().equals(another.getId()) && one.getAddress().equals(another.getAddress());
    }

    private GroupInfoReply ask(ClusterMember member) throws ClusterChangeException {
        try {
            return PeerQuestion.ask(
                    group,
                    options,
                    member.peer(),
                    client -> client.getGroupManagementApi(member.peer().getId()).info(group));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw silent(member, e);
        } catch (ExecutionException | TimeoutException e) {
            throw isClosed(e) ? removed(member) : silent(member, e);
        }
    }

    /// True if the node has answered that its engine has stopped, or its log is closed, as it does
    /// when it was removed.
    private static boolean isClosed(Exception failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof ServerNotReadyException
                    || cause instanceof IllegalStateException) {
                return true;
            }
        }
        return false;
    }

    private static ClusterChangeException removed(ClusterMember member) {
        return new ClusterChangeException(
                Reason.CONFLICT,
                "node '"
                        + member.name()
                        + "' at "
                        + member.address()
                        + " runs, and takes no part: it was removed, or started without"
                        + " cluster.join=true"
                        + ANEW);
    }

    private static ClusterChangeException silent(ClusterMember member, Exception cause) {
        LOG.info("No answer of node {} at {}", member.name(), member.address(), cause);
        return new ClusterChangeException(
                Reason.FAILED,
                "node '"
                        + member.name()
                        + "' does not answer at "
                        + member.address()
                        + ": start it with cluster.join=true, where this node reaches it");
    }
}

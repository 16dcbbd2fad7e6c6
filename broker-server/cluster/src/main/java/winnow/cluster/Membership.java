package winnow.cluster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.SetConfigurationRequest;
import org.apache.ratis.protocol.exceptions.LeaderSteppingDownException;
import org.apache.ratis.protocol.exceptions.NotLeaderException;
import org.apache.ratis.protocol.exceptions.ReconfigurationInProgressException;
import org.apache.ratis.protocol.exceptions.ReconfigurationTimeoutException;
import org.apache.ratis.protocol.exceptions.SetConfigurationException;
import org.apache.ratis.rpc.CallId;
import org.apache.ratis.server.RaftServer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.cluster.ClusterChangeException.Reason;
import winnow.cluster.ClusterNodeView.NodeRole;

/// The nodes of the cluster, and changes of them while it runs, one after the other. The log itself
/// says who is a member; the leader makes the changes. Thread-safe: by its own lock.
final class Membership {
    private static final Logger LOG = LoggerFactory.getLogger(Membership.class);

    /// Silences after which a node counts as lost while there is a change.
    private static final int LOST_FACTOR = 3;

    /// The same for the node that is added: it may be busy with a snapshot, and giving the lead up
    /// because of it is felt by all clients.
    private static final int LOST_JOINING_FACTOR = 15;

    private final RaftServer server;
    private final RaftGroupId group;
    private final ClientId client;
    private final long silentMillis;

    private final JoinCheck check;

    private @Nullable Change underWay;

    /// Name of the node that was removed last, so that the command can be repeated.
    private String removed = "";

    private record Change(String text, CompletableFuture<Void> outcome) {}

    /// A look at the nodes before they are changed. Blocks.
    private interface Precondition {
        void run() throws ClusterChangeException;
    }

    Membership(RaftServer server, RaftGroupId group, ClientId client, ClusterNodeOptions options) {
        this.server = server;
        this.group = group;
        this.client = client;
        this.silentMillis = 2 * options.electionTimeout().toMillis();
        this.check = new JoinCheck(group, options);
    }

    /// All nodes, sorted by name; none if this node does not lead.
    List<ClusterNodeView> nodes() {
        return LeaderView.of(server, group, silentMillis).map(Membership::nodes).orElse(List.of());
    }

    private static List<ClusterNodeView> nodes(LeaderView view) {
        List<ClusterNodeView> nodes = new ArrayList<>();
        for (RaftPeer peer : view.members()) {
            String name = peer.getId().toString();
            Optional<Follower> follower = view.follower(name);
            nodes.add(
                    new ClusterNodeView(
                            name,
                            peer.getAddress(),
                            name.equals(view.self()) ? NodeRole.LEADER : NodeRole.FOLLOWER,
                            follower.isPresent()
                                    ? follower.get().behind(view.last())
                                    : Long.valueOf(0),
                            follower.map(Follower::unheardMillis).orElse(0L)));
        }
        for (Follower follower : view.followers()) {
            if (view.member(follower.name()).isEmpty()) {
                nodes.add(
                        new ClusterNodeView(
                                follower.name(),
                                "",
                                NodeRole.JOINING,
                                follower.behind(view.last()),
                                follower.unheardMillis()));
            }
        }
        nodes.sort(Comparator.comparing(ClusterNodeView::node));
        return nodes;
    }

    /// Makes a node a member. It has to run, and to wait for that.
    ///
    /// @return completed when a majority has the change, or if the node is a member already
    /// @throws ClusterChangeException saying what speaks against it
    synchronized CompletionStage<Void> add(ClusterMember member) throws ClusterChangeException {
        String text = "node '" + member.name() + "' at " + member.address() + " is being added";
        Optional<CompletionStage<Void>> same = begun(text);
        if (same.isPresent()) {
            return same.get();
        }
        LeaderView view = LeaderView.demand(server, group, silentMillis);
        Optional<RaftPeer> known = view.member(member.name());
        if (known.isPresent()) {
            if (known.get().getAddress().equals(member.address())) {
                return CompletableFuture.completedStage(null);
            }
            throw new ClusterChangeException(
                    Reason.CONFLICT,
                    "node '"
                            + member.name()
                            + "' is a member at "
                            + known.get().getAddress()
                            + ": remove it first, or choose another name");
        }
        for (RaftPeer peer : view.members()) {
            if (peer.getAddress().equals(member.address())) {
                throw new ClusterChangeException(
                        Reason.CONFLICT,
                        "node '" + peer.getId() + "' is a member at " + member.address());
            }
        }
        List<RaftPeer> peers = new ArrayList<>(view.members());
        peers.add(member.peer());
        checkMajority(peers.size(), view.there() + 1);
        return change(text, view.members(), peers, () -> check.run(member, view.members()));
    }

    /// Makes a node no member any more.
    ///
    /// @return completed when a majority has the change, or if it was the last one
    /// @throws ClusterChangeException saying what speaks against it
    synchronized CompletionStage<Void> remove(String name) throws ClusterChangeException {
        String text = "node '" + name + "' is being removed";
        Optional<CompletionStage<Void>> same = begun(text);
        if (same.isPresent()) {
            return same.get();
        }
        LeaderView view = LeaderView.demand(server, group, silentMillis);
        if (view.member(name).isEmpty()) {
            if (name.equals(removed)) {
                return CompletableFuture.completedStage(null);
            }
            throw view.unknown(name);
        }
        if (name.equals(view.self())) {
            throw new ClusterChangeException(
                    Reason.CONFLICT,
                    "node '"
                            + name
                            + "' leads: move the lead to another node first, by 'winnow cluster"
                            + " lead NODE'");
        }
        List<RaftPeer> peers =
                view.members().stream()
                        .filter(peer -> !peer.getId().toString().equals(name))
                        .toList();
        boolean counted = view.follower(name).filter(view::isThere).isPresent();
        checkMajority(peers.size(), view.there() - (counted ? 1 : 0));
        CompletionStage<Void> change = change(text, view.members(), peers, () -> {});
        removed = name;
        return change;
    }

    private static void checkMajority(int nodes, int there) throws ClusterChangeException {
        if (there <= nodes / 2) {
            throw new ClusterChangeException(
                    Reason.CONFLICT,
                    "expected a majority of the "
                            + nodes
                            + " nodes that there would be to answer, found "
                            + there
                            + ": start the others first");
        }
    }

    /// The change that is under way, if it is this one.
    ///
    /// @throws ClusterChangeException if it is another one
    private Optional<CompletionStage<Void>> begun(String text) throws ClusterChangeException {
        Change change = underWay;
        if (change == null) {
            return Optional.empty();
        }
        if (!change.text.equals(text)) {
            throw new ClusterChangeException(
                    Reason.CONFLICT, change.text + ": wait until that has ended");
        }
        return Optional.of(change.outcome.copy());
    }

    /// @param before nodes that were read when the change was checked
    /// @param peers nodes that there shall be in their place
    private CompletionStage<Void> change(
            String text, List<RaftPeer> before, List<RaftPeer> peers, Precondition precondition) {
        Change change = new Change(text, new CompletableFuture<>());
        underWay = change;
        LOG.info("Changes the cluster: {}", text);
        var _ =
                CompletableFuture.runAsync(
                                () -> {
                                    try {
                                        precondition.run();
                                    } catch (ClusterChangeException e) {
                                        throw new CompletionException(e);
                                    }
                                },
                                task -> Thread.ofVirtual().name("winnow-members").start(task))
                        .thenCompose(_ -> propose(before, peers))
                        .whenCompleteAsync((reply, failure) -> {
                            end(change);
                            Throwable cause = failure == null ? reply.getException() : failure;
                            if (cause == null) {
                                LOG.info("The cluster has changed: {}", text);
                                change.outcome.complete(null);
                            } else {
                                change.outcome.completeExceptionally(failed(text, cause));
                            }
                        });
        return change.outcome.copy();
    }

    /// Changes the nodes if they are still those that were read.
    private CompletableFuture<RaftClientReply> propose(
            List<RaftPeer> before, List<RaftPeer> peers) {
        try {
            return server.setConfigurationAsync(
                    new SetConfigurationRequest(
                            client,
                            server.getId(),
                            group,
                            CallId.getAndIncrement(),
                            SetConfigurationRequest.Arguments.newBuilder()
                                    .setMode(SetConfigurationRequest.Mode.COMPARE_AND_SET)
                                    .setServersInCurrentConf(before)
                                    .setServersInNewConf(peers)
                                    .build()));
        } catch (IOException | RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /// Demands that no change is under way.
    ///
    /// @throws ClusterChangeException naming the change
    synchronized void demandNoChange() throws ClusterChangeException {
        begun("");
    }

    /// True if a change of this leader cannot end: the node that is being added says nothing any
    /// more, or too few of the others do. The engine looks at neither while it brings the new node
    /// up to date.
    boolean isStuck() {
        synchronized (this) {
            if (underWay == null) {
                return false;
            }
        }
        return LeaderView.of(server, group, LOST_FACTOR * silentMillis)
                .filter(view ->
                        view.there() <= view.members().size() / 2
                                || view.followers().stream()
                                        .filter(one -> view.member(one.name()).isEmpty())
                                        .anyMatch(this::isLost))
                .isPresent();
    }

    private boolean isLost(Follower joining) {
        return joining.silentMillis() > LOST_JOINING_FACTOR * silentMillis;
    }

    private synchronized void end(Change change) {
        if (change.equals(underWay)) {
            underWay = null;
        }
    }

    private static ClusterChangeException failed(String text, Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null
                        ? failure.getCause()
                        : failure;
        LOG.warn("The cluster has not changed: {}", text, cause);
        return switch (cause) {
            case ClusterChangeException refused -> refused;
            case ReconfigurationTimeoutException _ ->
                    new ClusterChangeException(
                            Reason.FAILED,
                            text
                                    + ", but does not take the log: see that it reaches the other"
                                    + " nodes, and look at its log file");
            case ReconfigurationInProgressException _ ->
                    new ClusterChangeException(
                            Reason.CONFLICT,
                            "another change of the nodes is under way: wait until it has ended");
            case SetConfigurationException _ ->
                    new ClusterChangeException(
                            Reason.CONFLICT,
                            text
                                    + ", but the nodes have changed since they were read: look at"
                                    + " them (/api/v1/cluster/nodes), and ask again");
            case NotLeaderException _, LeaderSteppingDownException _ -> LeaderView.notLeading();
            default ->
                    new ClusterChangeException(
                            Reason.FAILED, text + ", but that has failed: " + cause.getMessage());
        };
    }
}

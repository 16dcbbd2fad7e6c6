package winnow.cluster;

import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.TransferLeadershipRequest;
import org.apache.ratis.rpc.CallId;
import org.apache.ratis.server.RaftServer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.cluster.ClusterChangeException.Reason;

/// The move of the lead from this node to another one in order: the other one stands for election
/// at once, and the others vote for it without waiting for this one to fall silent. Thread-safe.
///
/// While it is under way the engine takes no entries, so the log should have ended before.
final class LeadTransfer {
    private static final Logger LOG = LoggerFactory.getLogger(LeadTransfer.class);

    /// Longest time that clients wait for a leader because of it.
    private static final long MAX_MILLIS = 5000;

    private static final long RETRY_MILLIS = 20;

    /// Time for the engine's answer that the time is over.
    private static final long ANSWER_MILLIS = 1000;

    /// Entries that a node writes within [#MAX_MILLIS] even on a slow disk.
    private static final long MAX_BEHIND = 2000;

    private final RaftServer server;
    private final RaftGroupId group;
    private final ClientId client;

    /// Longest silence of a node that counts as there.
    private final long silentMillis;

    LeadTransfer(RaftServer server, RaftGroupId group, ClientId client, Duration electionTimeout) {
        this.server = server;
        this.group = group;
        this.client = client;
        this.silentMillis = 2 * electionTimeout.toMillis();
    }

    /// Checks that the lead can be moved to a node.
    ///
    /// @throws ClusterChangeException saying what speaks against it
    void check(String to) throws ClusterChangeException {
        LeaderView view = leading();
        List<String> names = view.names();
        if (!names.contains(to)) {
            throw view.unknown(to);
        }
        if (to.equals(view.self())) {
            throw new ClusterChangeException(Reason.CONFLICT, "node '" + to + "' leads already");
        }
        checkThere(view, view.follower(to).orElseThrow(LeaderView::notLeading));
        if (view.there() <= names.size() / 2) {
            throw new ClusterChangeException(
                    Reason.NOT_LEADING,
                    "expected a majority of the "
                            + names.size()
                            + " nodes to answer, found "
                            + view.there()
                            + ": start the others first");
        }
    }

    private static void checkThere(LeaderView view, Follower wanted) throws ClusterChangeException {
        if (!view.isThere(wanted)) {
            throw new ClusterChangeException(
                    Reason.CONFLICT,
                    "node '"
                            + wanted.name()
                            + "' has not answered for "
                            + wanted.silentMillis()
                            + " ms: start it, or choose another node");
        }
        long behind = view.last() - wanted.matched();
        if (behind > MAX_BEHIND) {
            throw new ClusterChangeException(
                    Reason.CONFLICT,
                    "node '"
                            + wanted.name()
                            + "' is "
                            + behind
                            + " entries behind: wait until it has caught up, or choose another"
                            + " node; 'winnow cluster status' tells how far each one is");
        }
    }

    private LeaderView leading() throws ClusterChangeException {
        return LeaderView.demand(server, group, silentMillis);
    }

    /// Moves the lead to a node. Blocks, for 5 s at most.
    ///
    /// @throws ClusterChangeException if the node does not lead within that time
    void run(String to) throws ClusterChangeException {
        run(to, MAX_MILLIS);
    }

    /// Moves the lead, if this node has it, to the node that is the least behind. Blocks, but not
    /// for longer than an election may take. Does nothing if no other node answers.
    void runToNearest() {
        Optional<String> nearest =
                LeaderView.of(server, group, silentMillis).flatMap(LeadTransfer::nearest);
        if (nearest.isEmpty()) {
            return;
        }
        try {
            run(nearest.get(), Math.min(MAX_MILLIS, silentMillis));
            LOG.info("Node {} leads the cluster from now on", nearest.get());
        } catch (ClusterChangeException e) {
            LOG.warn("The other nodes have to elect a leader: {}", e.getMessage());
        }
    }

    private static Optional<String> nearest(LeaderView view) {
        return view.followers().stream()
                .filter(view::isThere)
                .filter(follower -> view.member(follower.name()).isPresent())
                .max(
                        Comparator.comparingLong(Follower::matched)
                                .thenComparing(
                                        Comparator.comparingLong(Follower::silentMillis)
                                                .reversed()))
                .map(Follower::name);
    }

    private void run(String to, long millis) throws ClusterChangeException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        String why = "";
        for (long left = millis; left > 0; left = millisUntil(end)) {
            try {
                RaftClientReply reply =
                        server.transferLeadershipAsync(request(to, left))
                                .get(left + ANSWER_MILLIS, TimeUnit.MILLISECONDS);
                if (reply.isSuccess()) {
                    return;
                }
                why = String.valueOf(reply.getException());
                // An entry of the engine's own was on its way, or this node leads no more.
                leading();
                TimeUnit.MILLISECONDS.sleep(RETRY_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw failed(to, millis, "interrupted");
            } catch (IOException | ExecutionException | TimeoutException e) {
                throw failed(to, millis, String.valueOf(e));
            }
        }
        throw failed(to, millis, why);
    }

    private TransferLeadershipRequest request(String to, long millis) {
        return new TransferLeadershipRequest(
                client,
                server.getId(),
                group,
                CallId.getAndIncrement(),
                RaftPeerId.valueOf(to),
                millis);
    }

    private static long millisUntil(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos - System.nanoTime());
    }

    /// @param why the engine's reason, for the log
    private static ClusterChangeException failed(String to, long millis, String why) {
        LOG.warn("Node {} has not taken the lead over: {}", to, why);
        return new ClusterChangeException(
                Reason.FAILED,
                "node '" + to + "' has not taken the lead over within " + millis + " ms");
    }
}

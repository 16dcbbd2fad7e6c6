package winnow.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.SnapshotManagementRequest;
import org.apache.ratis.protocol.TransferLeadershipRequest;
import org.apache.ratis.rpc.CallId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.store.LogException;
import winnow.store.LogException.Reason;
import winnow.store.ShardLog;

/// A broker's place in a cluster: takes part in the replicated log, keeps tables of what it says,
/// and gives the log to the broker while this node leads. Thread-safe.
public final class ClusterNode implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterNode.class);

    /// The one shard of a broker.
    static final RaftGroupId GROUP =
            RaftGroupId.valueOf(
                    UUID.nameUUIDFromBytes("winnow shard 0".getBytes(StandardCharsets.UTF_8)));

    private static final long BEGIN_SECONDS = 30;
    private static final long SNAPSHOT_MILLIS = 600_000;
    private static final long GIVE_UP_MILLIS = 5000;

    private final ClusterNodeOptions options;
    private final Listener listener;
    private final ReplicatedTables tables;
    private final RaftServer server;
    private final ClientId client = ClientId.randomId();
    private final LeadTransfer transfer;
    private final Membership membership;
    private final LeadWatch watch;
    private final RoomWatch room;
    private final ExecutorService snapshotThread =
            Executors.newSingleThreadExecutor(
                    Thread.ofPlatform().daemon().name("winnow-snapshot").factory());

    private volatile @Nullable ClusterShardLog log;
    private volatile boolean closing;

    /// Learns the role of this node. Must return at once; calls come from several threads.
    public interface Listener {
        /// This node leads: [ClusterNode#lead] may be called.
        void onLeading();

        /// This node leads no more. What [ClusterNode#lead] has returned fails as fenced.
        void onNotLeading();

        /// A batch that this node gave to the log is on the disks of a majority, and in the tables.
        ///
        /// @param nanos since it was given to the log
        void onAppended(long nanos);

        /// This node leads and refuses messages, because its disk is nearly full. The lead should
        /// be moved.
        ///
        /// @param to name of a node whose disk has room
        void onFull(String to);

        /// The node cannot go on: its disk fails. It has to be closed and started again.
        void onFailed(Throwable cause);
    }

    private ClusterNode(ClusterNodeOptions options, Listener listener) throws IOException {
        this.options = options;
        this.listener = listener;
        this.tables = new ReplicatedTables(options, new Roles());
        RaftPeerId self = RaftPeerId.valueOf(options.member().name());
        server =
                RaftServer.newBuilder()
                        .setServerId(self)
                        .setGroup(group(options))
                        .setProperties(RaftSettings.properties(options))
                        .setParameters(RaftSettings.parameters(options.tls()))
                        .setStateMachine(tables)
                        .setOption(RaftStorage.StartupOption.RECOVER)
                        .build();
        transfer = new LeadTransfer(server, GROUP, client, options.electionTimeout());
        membership = new Membership(server, GROUP, client, options);
        watch = new LeadWatch(tables, membership, transfer, new Lead());
        room =
                new RoomWatch(
                        server,
                        GROUP,
                        options,
                        transfer,
                        listener::onFull,
                        () -> tables.tables().merging(true));
    }

    /// The lead, for [LeadWatch].
    private final class Lead implements LeadWatch.Lead {
        @Override
        public boolean isHeld() {
            RaftServer.Division division = division();
            return !closing && division != null && division.getInfo().isLeader();
        }

        @Override
        public void giveUp() {
            giveUpLead();
        }

        @Override
        public void onFailed(Throwable cause) {
            LOG.error("This node of the cluster cannot go on", cause);
            listener.onFailed(cause);
        }
    }

    /// Members of a cluster whose log this node has not seen yet. A node that waits to be added
    /// knows none: so it neither votes nor stands for election.
    private static RaftGroup group(ClusterNodeOptions options) {
        List<ClusterMember> known = options.joining() ? List.of() : options.members();
        return RaftGroup.valueOf(GROUP, known.stream().map(ClusterMember::peer).toList());
    }

    /// Opens tables and log and takes part. Blocks.
    ///
    /// @throws IllegalArgumentException if this node is not among the members
    /// @throws LogException if files cannot be used
    /// @throws IOException if the port cannot be bound, or files cannot be used
    public static ClusterNode start(ClusterNodeOptions options, Listener listener)
            throws IOException {
        ClusterNode node = new ClusterNode(options, listener);
        boolean started = false;
        try {
            node.server.start();
            node.watch.start();
            node.room.start();
            started = true;
            return node;
        } finally {
            if (!started) {
                node.close();
            }
        }
    }

    /// Hands what happens in the engine on.
    private final class Roles implements ReplicatedTables.Events {
        @Override
        public void onLeading() {
            listener.onLeading();
        }

        @Override
        public void onNotLeading() {
            listener.onNotLeading();
            fence("another node leads, or no majority is reached");
        }

        @Override
        public Message room() {
            return room.answer();
        }

        @Override
        public void onSnapshotDue(long logBytes) {
            snapshotThread.execute(() -> makeSnapshot(logBytes));
        }

        @Override
        public void onFailed(Throwable cause) {
            if (!closing) {
                LOG.error("This node of the cluster cannot go on", cause);
                listener.onFailed(cause);
            }
        }
    }

    /// The log has failed: who leads has to begin again.
    private void onLost() {
        listener.onNotLeading();
        RaftServer.Division division = division();
        if (!closing && division != null && division.getInfo().isLeaderReady()) {
            listener.onLeading();
        }
    }

    private void fence(String why) {
        ClusterShardLog owned = log;
        if (owned != null) {
            owned.fail(new LogException(Reason.FENCED, why));
        }
    }

    /// Becomes the log's owner: from then on nothing of an earlier one takes effect. Blocks until
    /// the tables have everything that was confirmed.
    ///
    /// @param completions calls the completions, one after the other
    /// @param address where this node is reached, which the other nodes tell those who ask them
    /// @throws LogException if this node leads no more
    public ShardLog lead(Executor completions, LeaderAddress address) {
        RaftClientReply reply = begin(address);
        ClusterShardLog owned =
                new ClusterShardLog(
                        tables,
                        this::propose,
                        completions,
                        reply.getLogIndex(),
                        this::onLost,
                        listener::onAppended);
        log = owned;
        owned.start();
        // An owner begins with it; a broker of before may have stopped it.
        owned.merging(true);
        return owned;
    }

    private RaftClientReply begin(LeaderAddress address) {
        try {
            RaftClientReply reply =
                    propose(ClusterEntry.begin(address)).get(BEGIN_SECONDS, TimeUnit.SECONDS);
            if (reply.isSuccess()) {
                return reply;
            }
            throw new LogException(Reason.FENCED, "this node leads no more", reply.getException());
        } catch (ExecutionException | TimeoutException e) {
            throw new LogException(Reason.FENCED, "this node leads no more", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LogException(Reason.FENCED, "interrupted while taking the log over", e);
        }
    }

    /// Follows again if this node leads, so that one of the nodes is elected. Blocks.
    public void giveUpLead() {
        try {
            server.transferLeadershipAsync(
                            new TransferLeadershipRequest(
                                    client,
                                    server.getId(),
                                    GROUP,
                                    CallId.getAndIncrement(),
                                    null,
                                    GIVE_UP_MILLIS))
                    .get(GIVE_UP_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException | ExecutionException | TimeoutException e) {
            LOG.warn("The lead could not be given up", e);
        }
    }

    /// Gives an entry to the log. Calls of one thread stay in their order.
    CompletableFuture<RaftClientReply> propose(ByteString entry) {
        try {
            return server.submitClientRequestAsync(
                    RaftClientRequest.newBuilder()
                            .setClientId(client)
                            .setServerId(server.getId())
                            .setGroupId(GROUP)
                            .setCallId(CallId.getAndIncrement())
                            .setMessage(Message.valueOf(entry))
                            .setType(RaftClientRequest.writeRequestType())
                            .build());
        } catch (IOException | RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /// Makes a snapshot, unless a node that comes back needs the log which this cuts.
    ///
    /// @param logBytes behind the newest snapshot
    void makeSnapshot(long logBytes) {
        RaftServer.Division division = division();
        if (division != null
                && SnapshotDelay.applies(
                        division.getInfo(),
                        tables.written().index(),
                        logBytes,
                        tables.snapshots().newestBytes())) {
            LOG.info("The next snapshot waits for a node that needs the log");
            return;
        }
        makeSnapshot();
    }

    private void makeSnapshot() {
        try {
            // So that little is left to do while nothing is applied.
            tables.tables().flush();
            RaftClientReply reply =
                    server.snapshotManagementAsync(
                                    SnapshotManagementRequest.newCreate(
                                            client,
                                            server.getId(),
                                            GROUP,
                                            CallId.getAndIncrement(),
                                            SNAPSHOT_MILLIS))
                            .get(SNAPSHOT_MILLIS, TimeUnit.MILLISECONDS);
            if (!reply.isSuccess()) {
                LOG.warn("No snapshot could be made", reply.getException());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException | LogException e) {
            LOG.warn("No snapshot could be made", e);
        }
    }

    /// Makes a snapshot now, if the log has something new. Blocks.
    public void snapshot() {
        makeSnapshot();
    }

    /// Tables that this node has made of the log.
    ShardLog tables() {
        return tables.tables();
    }

    /// This node's view of the cluster.
    public ClusterStatus status() {
        Applied applied = tables.written();
        RaftServer.Division division = division();
        boolean leads = division != null && division.getInfo().isLeaderReady();
        String leader = division == null ? "" : leader(division);
        long term = division == null ? 0 : division.getInfo().getCurrentTerm();
        List<Follower> followers = leads && division != null ? Follower.all(division) : List.of();
        // The engine of a node that was removed has closed its log.
        long last = leads && division != null ? division.getRaftLog().getNextIndex() - 1 : -1;
        return new ClusterStatus(
                options.self(),
                leads ? ClusterStatus.Role.LEADER : otherRole(division, leader),
                leader,
                // Until the leader's first entry has come, the address is that of the one before.
                leader.isEmpty() || applied.term() != term ? LeaderAddress.NONE : applied.owner(),
                term,
                applied.index(),
                division == null ? -1 : division.getRaftLog().getLastCommittedIndex(),
                lag(followers, last),
                silent(followers),
                tables.snapshots().newestMillis());
    }

    private static ClusterStatus.Role otherRole(
            RaftServer.@Nullable Division division, String leader) {
        // The engine stops at a node that learns that it was removed.
        if (division == null
                || !division.getInfo().isAlive()
                || division.getRaftConf().getCurrentPeers().stream()
                        .noneMatch(peer -> peer.getId().equals(division.getId()))) {
            return ClusterStatus.Role.OUTSIDE;
        }
        return leader.isEmpty() ? ClusterStatus.Role.NO_MAJORITY : ClusterStatus.Role.FOLLOWER;
    }

    /// Name of the leader, empty if none is known.
    private static String leader(RaftServer.Division division) {
        RaftPeerId known = division.getInfo().getLeaderId();
        boolean former = division.getId().equals(known) && !division.getInfo().isLeader();
        return known == null || former ? "" : known.toString();
    }

    /// @param last index of the last entry of the log
    private static Map<String, Long> lag(List<Follower> followers, long last) {
        Map<String, Long> lag = new TreeMap<>();
        for (Follower follower : followers) {
            Long behind = follower.behind(last);
            if (behind != null) {
                lag.put(follower.name(), behind);
            }
        }
        return lag;
    }

    private static Map<String, Long> silent(List<Follower> followers) {
        Map<String, Long> silent = new TreeMap<>();
        followers.forEach(one -> silent.put(one.name(), one.unheardMillis()));
        return silent;
    }

    private RaftServer.@Nullable Division division() {
        try {
            return server.getDivision(GROUP);
        } catch (IOException e) {
            return null;
        }
    }

    /// Checks that the lead can be moved to another node.
    ///
    /// @throws ClusterChangeException saying what speaks against it
    public void checkHandOver(String to) throws ClusterChangeException {
        membership.demandNoChange();
        transfer.check(to);
    }

    /// Moves the lead to another node. The log that [#lead] has returned should be closed before:
    /// what it is given meanwhile fails. Blocks, for 5 s at most.
    ///
    /// @throws ClusterChangeException if the other node does not lead within that time
    public void handOver(String to) throws ClusterChangeException {
        transfer.run(to);
    }

    /// The same, if this node leads, to the node that is the least behind; to none if no other node
    /// answers. Blocks, but not for longer than an election may take.
    public void handOver() {
        transfer.runToNearest();
    }

    /// All nodes of the cluster, sorted by name; none if this node does not lead.
    public List<ClusterNodeView> nodes() {
        return membership.nodes();
    }

    /// Makes a node a member of the cluster that this node leads. It has to run, and to wait for
    /// that ([ClusterNodeOptions#joining]).
    ///
    /// @return completed when a majority has the change, or if the node is a member already; fails
    ///   with a [ClusterChangeException]
    /// @throws ClusterChangeException saying what speaks against it
    public CompletionStage<Void> add(ClusterMember member) throws ClusterChangeException {
        return membership.add(member);
    }

    /// Makes a node no member any more of the cluster that this node leads.
    ///
    /// @return completed when a majority has the change, or if the node is no member; fails with a
    ///   [ClusterChangeException]
    /// @throws ClusterChangeException saying what speaks against it
    public CompletionStage<Void> remove(String name) throws ClusterChangeException {
        return membership.remove(name);
    }

    /// Leaves the others alone: they elect another leader if this node was it. Blocks.
    @Override
    public void close() {
        closing = true;
        fence("the node stops");
        snapshotThread.shutdownNow();
        watch.close();
        room.close();
        try {
            // First, because the engine reports what others send to a node that closes as an error.
            server.getServerRpc().close();
        } catch (IOException e) {
            LOG.warn("The port for nodes did not close in order", e);
        }
        try {
            server.close();
        } catch (IOException e) {
            LOG.warn("The node did not stop in order", e);
        }
    }
}

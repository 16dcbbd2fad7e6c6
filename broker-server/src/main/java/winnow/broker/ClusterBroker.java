package winnow.broker;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.broker.admin.ClusterChanges;
import winnow.broker.admin.ClusterChanges.MovedLead;
import winnow.broker.fault.FatalErrors;
import winnow.broker.identity.Tokens;
import winnow.broker.metrics.WaitTimes;
import winnow.broker.storage.ClusterConfig;
import winnow.broker.storage.LogSource;
import winnow.broker.storage.StoreRoom;
import winnow.cluster.ClusterChangeException;
import winnow.cluster.ClusterChangeException.Reason;
import winnow.cluster.ClusterMember;
import winnow.cluster.ClusterNode;
import winnow.cluster.ClusterNodeOptions;
import winnow.cluster.ClusterNodeView;
import winnow.cluster.ClusterStatus;
import winnow.cluster.LeaderAddress;
import winnow.store.LogException;

/// A broker that is a node of a cluster. While the node leads, it has a [Broker] over the cluster's
/// log; else one that takes no clients and tells them who leads. Each change of the lead replaces
/// the broker by a new one on the same ports, so that nothing of the old one stays in memory.
///
/// One thread makes these changes, one after the other. Thread-safe.
final class ClusterBroker implements BrokerService {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterBroker.class);
    private static final long RETRY_MILLIS = 1000;
    private static final long STOP_SECONDS = 30;

    /// Failures to serve, one after the other, after which another node shall lead.
    private static final int ATTEMPTS = 5;

    private final InetAddress bind;
    private final RunningConfig.Source source;
    private final UnaryOperator<LogSource> logs;
    private final ClusterNode node;

    /// Keeps the keys of the issuer through all changes of the lead; null if no tokens are taken.
    private final @Nullable Tokens tokens;

    /// Of all times that this node has led.
    private final WaitTimes appends = new WaitTimes();

    private final ExecutorService changes =
            Executors.newSingleThreadExecutor(Thread.ofPlatform().name("winnow-role").factory());

    /// Times that this node has begun to lead, 0 while it does not.
    private final AtomicLong lead = new AtomicLong();

    private final AtomicLong leads = new AtomicLong();

    /// Settings that were in force when the broker was made.
    private volatile BrokerConfig config;

    /// Replaced by the thread of changes, from the start on.
    private volatile Broker broker;

    /// As of which value of [#lead] the broker was made.
    private long madeFor;

    /// Failed changes since this node has served, or has not led. Of the thread of changes.
    private int failures;

    private volatile InetSocketAddress address;
    private volatile InetSocketAddress httpAddress;
    private volatile boolean closing;

    /// Joins the cluster, and opens the ports.
    ///
    /// @param port of clients, 0 for any
    /// @param httpPort of metrics and health, 0 for any
    /// @param source where `config` is from
    /// @throws IllegalArgumentException if settings are wrong
    /// @throws LogException if the files of this node cannot be used
    /// @throws IOException if the port between nodes cannot be bound, or files cannot be read
    ClusterBroker(
            BrokerConfig config,
            InetAddress bind,
            int port,
            int httpPort,
            RunningConfig.Source source)
            throws IOException {
        this(config, bind, port, httpPort, source, UnaryOperator.identity());
    }

    /// The same, with logs that may fail.
    ///
    /// @param logs makes of the cluster's log the one that the broker uses
    ClusterBroker(
            BrokerConfig config,
            InetAddress bind,
            int port,
            int httpPort,
            RunningConfig.Source source,
            UnaryOperator<LogSource> logs)
            throws IOException {
        List<String> problems = problems(config);
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("\n", problems));
        }
        this.config = config;
        this.bind = bind;
        this.source = source;
        this.logs = logs;
        node = ClusterNode.start(options(config), new Roles());
        boolean opened = false;
        try {
            tokens = RunningConfig.tokens(config);
            broker =
                    new Broker(
                            config,
                            bind,
                            port,
                            httpPort,
                            source,
                            ClusterPart.follower(node::status, appends, tokens));
            opened = true;
        } finally {
            if (!opened) {
                changes.shutdown();
                node.close();
                closeTokens();
            }
        }
        address = broker.address();
        httpAddress = broker.httpAddress();
        LOG.info("Node {} takes part in the cluster {}", config.cluster().node(), members(config));
        change();
    }

    /// Everything that is wrong with the settings of a cluster, a line each.
    static List<String> problems(BrokerConfig config) {
        ClusterConfig cluster = config.cluster();
        List<ClusterMember> members;
        try {
            members = members(config);
        } catch (IllegalArgumentException e) {
            return List.of("cluster.nodes: " + e.getMessage());
        }
        List<String> names = members.stream().map(ClusterMember::name).toList();
        if (!names.contains(cluster.node())) {
            return List.of(
                    "cluster.node: expected one of " + names + ", found '" + cluster.node() + "'");
        }
        if (!config.storage().durable()) {
            return List.of(
                    "cluster.nodes: a broker of a cluster keeps its messages on the disk: set"
                            + " --data or storage.directory");
        }
        if (cluster.secured()) {
            return List.of(
                            problem("cluster.certificate", cluster.certificate()),
                            problem("cluster.key", cluster.key()),
                            problem("cluster.authority", cluster.authority()))
                    .stream()
                    .filter(problem -> !problem.isEmpty())
                    .toList();
        }
        return members.stream()
                .filter(member -> !member.isLoopback())
                .findFirst()
                .map(member ->
                        List.of(
                                "cluster.nodes: nodes that are not all on loopback prove to each"
                                        + " other who they are: set cluster.certificate,"
                                        + " cluster.key and cluster.authority; found node '"
                                        + member.name()
                                        + "' at "
                                        + member.host()
                                        + " and none of them"))
                .orElse(List.of());
    }

    private static String problem(String key, Path file) {
        return Files.isReadable(file) && Files.isRegularFile(file)
                ? ""
                : key
                        + ": expected a PEM file, found "
                        + (file.toString().isEmpty() ? "none" : file);
    }

    private static List<ClusterMember> members(BrokerConfig config) {
        return ClusterMember.parseAll(config.cluster().nodes());
    }

    private static ClusterNodeOptions options(BrokerConfig config) {
        ClusterConfig cluster = config.cluster();
        Path tables = config.storage().directory().toAbsolutePath();
        return new ClusterNodeOptions(
                cluster.node(),
                members(config),
                tables,
                tables.resolveSibling("cluster"),
                config.storage().rocksSettings(Long.MAX_VALUE),
                cluster.electionTimeout(),
                cluster.join(),
                new StoreRoom(config.storage()),
                cluster.secured()
                        ? new ClusterNodeOptions.Tls(
                                cluster.certificate(), cluster.key(), cluster.authority())
                        : null);
    }

    /// Places of this node for clients and for commands, which are on the same host.
    private LeaderAddress leaderAddress() {
        String clients = clientAddress();
        String scheme = config.tls().enabled() && config.tls().http() ? "https" : "http";
        String host = clients.replaceFirst(":[0-9]*$", "");
        return new LeaderAddress(clients, scheme + "://" + host + ":" + httpAddress.getPort());
    }

    private String clientAddress() {
        ClusterConfig cluster = config.cluster();
        if (!cluster.advertisedAddress().isEmpty()) {
            return cluster.advertisedAddress();
        }
        return members(config).stream()
                        .filter(member -> member.name().equals(cluster.node()))
                        .map(ClusterMember::host)
                        .map(host -> host.contains(":") ? "[" + host + "]" : host)
                        .findFirst()
                        .orElseThrow()
                + ":"
                + address.getPort();
    }

    /// Hands changes of the role to the thread that makes them.
    private final class Roles implements ClusterNode.Listener {
        @Override
        public void onLeading() {
            lead.set(leads.incrementAndGet());
            change();
        }

        @Override
        public void onNotLeading() {
            lead.set(0);
            change();
        }

        @Override
        public void onAppended(long nanos) {
            appends.record(nanos);
        }

        @Override
        public void onFull(String to) {
            var _ =
                    moveLead(to, () -> {})
                            .exceptionally(failure -> {
                                LOG.warn("Node {} has not taken the lead over", to, failure);
                                return null;
                            });
        }

        @Override
        public void onFailed(Throwable cause) {
            LOG.error(
                    "This node ends. It takes part again when it is started after the cause below"
                            + " is mended",
                    cause);
            Runtime.getRuntime().halt(FatalErrors.EXIT_CODE);
        }
    }

    private void change() {
        try {
            changes.execute(this::makeBroker);
        } catch (RejectedExecutionException e) {
            LOG.debug("The node stops", e);
        }
    }

    /// Replaces the broker if it does not fit the node's role any more.
    private void makeBroker() {
        while (!closing && broker != null && madeFor != lead.get()) {
            long wanted = lead.get();
            try {
                replace(wanted);
                failures = wanted == 0 ? failures : 0;
            } catch (LogException e) {
                LOG.warn("This node could not take the cluster's log over", e);
                failures++;
                lead.compareAndSet(wanted, 0);
            } catch (IOException | RuntimeException e) {
                LOG.error("The broker could not change its role; it is tried again", e);
                failures++;
                pause();
            }
            if (failures > 0) {
                serveOrGiveUp();
            }
        }
    }

    /// Sees to it that a node that leads serves, or leads no more: the others elect no leader as
    /// long as this one answers them.
    private void serveOrGiveUp() {
        if (node.status().role() != ClusterStatus.Role.LEADER) {
            failures = 0;
            return;
        }
        if (failures % ATTEMPTS == 0) {
            LOG.error("Gives up the lead of the cluster: it failed {} times to serve", failures);
            node.giveUpLead();
        }
        if (madeFor == 0) {
            pause();
            lead.compareAndSet(0, leads.incrementAndGet());
        }
    }

    /// Changes that operators ask for while this node leads.
    private final class Changes implements ClusterChanges {
        @Override
        public List<ClusterNodeView> nodes() {
            return node.nodes();
        }

        /// In turn with other changes of the role.
        @Override
        public CompletionStage<MovedLead> lead(String to, Runnable guard) {
            return moveLead(to, guard);
        }

        @Override
        public CompletionStage<Void> add(String name, String at) {
            ClusterMember member = ClusterMember.parse(name + "=" + at);
            try {
                return node.add(member);
            } catch (ClusterChangeException e) {
                return CompletableFuture.failedStage(e);
            }
        }

        @Override
        public CompletionStage<Void> remove(String name) {
            try {
                return node.remove(name);
            } catch (ClusterChangeException e) {
                return CompletableFuture.failedStage(e);
            }
        }
    }

    private CompletableFuture<MovedLead> moveLead(String to, Runnable guard) {
        CompletableFuture<MovedLead> moved = new CompletableFuture<>();
        try {
            changes.execute(() -> handOver(to, moved, guard));
        } catch (RejectedExecutionException e) {
            moved.completeExceptionally(
                    new ClusterChangeException(Reason.NOT_LEADING, "this node stops"));
        }
        return moved;
    }

    private void handOver(String to, CompletableFuture<MovedLead> moved, Runnable guard) {
        if (closing || madeFor == 0 || madeFor != lead.get()) {
            moved.completeExceptionally(
                    new ClusterChangeException(
                            Reason.NOT_LEADING, "this node does not lead its cluster any more"));
            return;
        }
        try {
            guard.run();
            node.checkHandOver(to);
        } catch (ClusterChangeException | RuntimeException e) {
            moved.completeExceptionally(e);
            return;
        }
        // Its clients and its log end, whether the other node takes over or not.
        madeFor = -1;
        broker.stepDown(
                "this broker hands its lead over to node " + to,
                () -> {
                    try {
                        node.handOver(to);
                        moved.complete(new MovedLead(to, config.cluster().node()));
                    } catch (ClusterChangeException | RuntimeException e) {
                        moved.completeExceptionally(e);
                    }
                });
        makeBroker();
    }

    private void replace(long wanted) throws IOException {
        madeFor = -1;
        broker.stepDown(
                wanted == 0
                        ? "this broker leads its cluster no more"
                        : "this broker begins to lead its cluster");
        ClusterPart part =
                wanted == 0
                        ? ClusterPart.follower(node::status, appends, tokens)
                        : new ClusterPart(
                                true,
                                logs.apply(completions -> node.lead(completions, leaderAddress())),
                                node::status,
                                appends,
                                new Changes(),
                                tokens);
        Broker before = broker;
        config = before.config();
        broker = new Broker(config, bind, address.getPort(), httpAddress.getPort(), source, part);
        if (!before.config().equals(config)) {
            broker.reload();
        }
        madeFor = wanted;
        LOG.info(
                wanted == 0
                        ? "Follows: clients are told who leads"
                        : "Leads the cluster and takes clients");
    }

    private static void pause() {
        try {
            Thread.sleep(RETRY_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public InetSocketAddress address() {
        return address;
    }

    @Override
    public InetSocketAddress httpAddress() {
        return httpAddress;
    }

    @Override
    public void reload() throws IOException {
        Broker asked = broker;
        asked.reload();
        if (!asked.equals(broker)) {
            // It was replaced meanwhile, perhaps by one with the settings of before.
            broker.reload();
        }
    }

    @Override
    public void close() {
        if (closing) {
            return;
        }
        closing = true;
        changes.shutdown();
        try {
            if (!changes.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("The change of the role has not ended within {} s", STOP_SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        broker.close();
        node.handOver();
        node.close();
        closeTokens();
    }

    private void closeTokens() {
        if (tokens != null) {
            tokens.close();
        }
    }
}

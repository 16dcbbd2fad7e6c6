package winnow.broker;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.broker.admin.AdminApi;
import winnow.broker.admin.BrokerState;
import winnow.broker.admin.DetailedMetrics;
import winnow.broker.admin.NoCluster;
import winnow.broker.admin.PacedPage;
import winnow.broker.admin.ProtectedPage;
import winnow.broker.admin.StandbyPage;
import winnow.broker.admin.StartPage;
import winnow.broker.admin.StoredPages;
import winnow.broker.budget.IntakeMemory;
import winnow.broker.budget.MetadataBudget;
import winnow.broker.budget.TransactionMemory;
import winnow.broker.config.SettingSources;
import winnow.broker.destination.Topic;
import winnow.broker.identity.Tokens;
import winnow.broker.matching.IndexedFilters;
import winnow.broker.matching.NameDictionary;
import winnow.broker.memory.BrokerHeap;
import winnow.broker.metrics.BrokerCounters;
import winnow.broker.metrics.BrokerMetrics;
import winnow.broker.metrics.Exposition;
import winnow.broker.metrics.ScrapeCosts;
import winnow.broker.permission.AccessControl;
import winnow.broker.permission.Permissions;
import winnow.broker.routing.DelayedTopics;
import winnow.broker.routing.DestinationRegistry;
import winnow.broker.routing.NamedSubscriptions;
import winnow.broker.security.UserFile;
import winnow.broker.session.Connections;
import winnow.broker.session.SelectorParsing;
import winnow.broker.session.SessionContext;
import winnow.broker.session.SessionLoop;
import winnow.broker.storage.FlightMemory;
import winnow.broker.storage.Storage;
import winnow.broker.subscription.BacklogFile;
import winnow.broker.subscription.BacklogMemory;
import winnow.broker.subscription.Loop;
import winnow.broker.subscription.SubscriptionConfig;
import winnow.broker.subscription.SubscriptionsBehind;
import winnow.broker.transport.EventLoops;
import winnow.broker.transport.HttpServer;
import winnow.broker.transport.HttpServer.Response;
import winnow.broker.transport.TcpServer;
import winnow.broker.transport.tls.TlsCertificates;
import winnow.selector.check.SelectorLimits;
import winnow.wire.ErrorCode;

/// A running broker: makes the parts, connects them, stops them in order. Thread-safe.
public final class Broker implements BrokerService {
    private static final String STOPPING = "the broker is stopping";
    private static final Logger LOG = LoggerFactory.getLogger(Broker.class);
    private static final String TEXT = "text/plain; charset=utf-8";
    private static final String JSON = "application/json";

    /// Interval at which topics learn from what they observed.
    private static final int TUNING_MILLIS = 100;

    /// Interval at which memory is let go that has not been used since the last time.
    private static final int TRIMMING_MILLIS = 1000;

    /// Longest wait for what the storage has to write when the broker stops.
    private static final long STORE_MILLIS = 5000;

    private final RunningConfig running;
    private final BrokerHeap heap;
    private final SessionContext context;
    private final EventLoops loops;
    private final Storage storage;
    private final TcpServer server;
    private final HttpServer http;
    private final @Nullable TlsCertificates certificates;
    private final @Nullable BacklogFile spillFile;
    private final ScrapeCosts costs = new ScrapeCosts();
    private final BrokerMetrics metrics;

    /// Null if the broker is alone.
    private final @Nullable ClusterPart part;

    private volatile boolean ready;
    private boolean stopped;

    /// Starts a broker.
    ///
    /// @param bind address of both ports
    /// @param port of clients, 0 for any
    /// @param httpPort of metrics and health, 0 for any
    /// @throws IllegalArgumentException if the broker would be open to everybody
    /// @throws IllegalStateException if a port cannot be bound
    /// @throws IOException if the user file cannot be read
    public Broker(BrokerConfig config, InetAddress bind, int port, int httpPort)
            throws IOException {
        this(config, bind, port, httpPort, () -> new SettingSources(config), null);
    }

    /// The same, with settings that can be read again, and perhaps in a cluster.
    ///
    /// @param source where `config` is from
    /// @param part in the cluster; null if the broker is alone
    Broker(
            BrokerConfig config,
            InetAddress bind,
            int port,
            int httpPort,
            RunningConfig.Source source,
            @Nullable ClusterPart part)
            throws IOException {
        this.part = part;
        UserFile users = RunningConfig.readUsers(config, bind);
        Permissions permissions = RunningConfig.readPermissions(config);
        certificates = config.tls().enabled() ? new TlsCertificates(config.tls()) : null;
        BrokerCounters counters = new BrokerCounters();
        NameDictionary names = new NameDictionary(config.destination().maxPropertyNames());
        heap = BrokerHeap.ofMachine();
        BacklogMemory memory = BacklogMemory.of(heap, config.subscription().effectiveTotalBytes());
        loops = new EventLoops(config.transport().effectiveEventLoops(), names, counters, memory);
        DestinationRegistry destinations =
                new DestinationRegistry(config.destination(), loops.all());
        storage = openStorage(config, names);
        NamedSubscriptions named = new NamedSubscriptions(storage, destinations);
        DelayedTopics delayed =
                new DelayedTopics(storage, destinations, loop -> ((SessionLoop) loop).router());
        context =
                new SessionContext(
                        new AtomicReference<>(config.session()),
                        config.transport().effectiveMaxFrameBytes(),
                        new AtomicLong(config.subscription().buffer().bytes()),
                        destinations,
                        storage,
                        named,
                        delayed,
                        TransactionMemory.of(heap),
                        IntakeMemory.of(heap),
                        SessionContext.commandsOf(heap),
                        FlightMemory.of(heap, config.transport().effectiveMaxFrameBytes()),
                        names,
                        memory,
                        new MetadataBudget(config.session().metadata(), heap),
                        new Connections(System.currentTimeMillis()),
                        RunningConfig.authenticator(users, config, tokens(config), counters),
                        new AccessControl(permissions, counters.authorizationRefusals::increment),
                        new SelectorParsing(
                                config.session().maxPendingSelectors(),
                                config.destination().selectorLimits()),
                        counters,
                        System::currentTimeMillis);
        try {
            spillFile = openSpillFile(config, memory);
            recover();
            storage.start();
            server = listen(config, new InetSocketAddress(bind, port));
            running =
                    new RunningConfig(
                            config, source, context, server, Optional.ofNullable(certificates));
            startTimers();
            metrics = new BrokerMetrics(counters, costs, state());
            http = startHttp(new InetSocketAddress(bind, httpPort));
        } catch (IOException | RuntimeException | Error e) {
            stopLoops();
            storage.close();
            closeCertificates();
            throw e;
        }
        new SettingWarnings(running.config(), heap).log(bind, certificates != null);
        ready = true;
    }

    private @Nullable Tokens tokens(BrokerConfig config) throws IOException {
        return part == null ? RunningConfig.tokens(config) : part.lentTokens();
    }

    /// Reads what the storage has found.
    private void recover() {
        if (part != null) {
            context.connections().inactive(part::inactive);
        }
        context.named().recover(storage.recovered(), SelectorLimits.ACCEPTED).join();
        context.delayed().recover(storage.recovered());
        storage.onReopened(shard -> context.named().reopen(shard, SelectorLimits.ACCEPTED));
        storage.onReopened(context.delayed()::recover);
    }

    private static @Nullable BacklogFile openSpillFile(BrokerConfig all, BacklogMemory memory)
            throws IOException {
        SubscriptionConfig config = all.subscription();
        memory.behind().limits(new SubscriptionsBehind.Limits(config));
        if (!config.spills()) {
            return null;
        }
        BacklogFile file =
                new BacklogFile(
                        config.spillDirectory(),
                        config.effectiveTotalSpillBytes(),
                        all.transport().effectiveMaxFrameBytes());
        memory.spillTo(file);
        return file;
    }

    private void startTimers() {
        loops.every(TUNING_MILLIS, this::tune);
        loops.every(TRIMMING_MILLIS, loop -> loop.waiting().trim());
    }

    private void tune(Loop loop) {
        context.destinations().tune(loop);
        loop.waiting().spill();
        if (loop.index() == 0) {
            context.backlogMemory().behind().look(System.nanoTime());
            context.backlogMemory().wakeIfRoom();
            context.flights().look(storage);
        }
    }

    private Storage openStorage(BrokerConfig config, NameDictionary names) {
        long window = config.storage().effectiveWindowBytes();
        boolean opened = false;
        try {
            Storage made =
                    Storage.open(
                            part == null ? config.storage() : part.storage(config.storage()),
                            config.queue()
                                    .shardConfig(window)
                                    .withPrepared(config.storage().preparedLimits())
                                    .withDestinationBytes(
                                            config.storage().effectiveDestinationBytes())
                                    .withLaneIndexes(() -> new IndexedFilters(names))
                                    .withHeap(heap),
                            names::name,
                            loops.faults(),
                            part == null ? null : part.log());
            names.restore(made.propertyNames());
            opened = true;
            return made;
        } finally {
            if (!opened) {
                loops.stop();
                closeCertificates();
            }
        }
    }

    private void closeCertificates() {
        if (certificates != null) {
            certificates.close();
        }
    }

    /// Reads the files of the TLS certificate anew; connections that are open stay. Does nothing
    /// without TLS.
    ///
    /// @throws IOException naming setting and file if they cannot be used; what was in force stays
    public void reloadCertificates() throws IOException {
        if (certificates != null) {
            certificates.use(certificates.load());
        }
    }

    private TcpServer listen(BrokerConfig config, InetSocketAddress address) {
        return new TcpServer(
                config.transport(),
                address,
                loops,
                context,
                heap,
                config.tls().jms() ? certificates : null);
    }

    private HttpServer.Page api() {
        DestinationRegistry topics = context.destinations();
        StoredPages stored =
                new StoredPages(
                        storage,
                        context.named(),
                        context.delayed(),
                        topics,
                        context.names(),
                        running.config().destination().selectorLimits());
        return new ProtectedPage(
                context.authenticator(),
                new PacedPage(
                        context.authenticator()::proves,
                        new AdminApi(
                                new BrokerState(
                                        topics,
                                        context.connections(),
                                        context.counters(),
                                        context.backlogMemory().behind(),
                                        stored),
                                topics,
                                context.counters(),
                                running,
                                stored,
                                part == null ? new NoCluster() : part.changes(),
                                context.access())));
    }

    private HttpServer startHttp(InetSocketAddress address) {
        BrokerConfig config = running.config();
        HttpServer.Page detailed =
                new ProtectedPage(
                        context.authenticator(),
                        new PacedPage(
                                context.authenticator()::proves,
                                new DetailedMetrics(
                                        config.metrics(),
                                        context.destinations(),
                                        storage,
                                        costs,
                                        context.access())));
        Map<String, HttpServer.Page> pages = new HashMap<>();
        pages.put("/", _ -> now(200, StartPage.CONTENT_TYPE, StartPage.TEXT));
        pages.put(
                "/metrics",
                request -> {
                    Exposition.Page page = metrics.scrape(request.headers().accept());
                    return now(200, page.contentType(), page.text());
                });
        pages.put("/metrics/detailed", detailed);
        pages.put("/health/live", _ -> now(200, TEXT, "live\n"));
        pages.put("/health/ready", _ -> readiness());
        pages.put("/api", _ -> now(200, JSON, "{\"versions\":[\"/api/v1/\"]}\n"));
        pages.put(
                AdminApi.ROOT,
                part == null || part.leads() ? api() : new StandbyPage(part::standby));
        if (part != null) {
            pages.put("/health/cluster", _ -> now(200, JSON, part.json()));
        }
        return new HttpServer(
                config.http(),
                address,
                pages,
                context.counters(),
                heap,
                config.tls().http() ? certificates : null);
    }

    private CompletionStage<Response> readiness() {
        String stalled = loops.stalled(running.config().http().stallTimeout());
        if (stalled.isEmpty()) {
            stalled = storage.problem(running.config().http().stallTimeout());
        }
        if (stalled.isEmpty() && part != null && !part.healthy()) {
            stalled = part.health();
        }
        if (ready && stalled.isEmpty()) {
            String role = part == null ? "" : ": " + part.health();
            String refusal = storage.refusal();
            return now(
                    200,
                    TEXT,
                    "ready" + role + (refusal.isEmpty() ? "\n" : ", but " + refusal + "\n"));
        }
        return now(503, TEXT, ready ? "not ready: " + stalled + "\n" : "not ready\n");
    }

    private static CompletionStage<Response> now(int status, String contentType, String body) {
        return CompletableFuture.completedStage(new Response(status, contentType, body));
    }

    private BrokerMetrics.State state() {
        DestinationRegistry topics = context.destinations();
        return new BrokerMetrics.State(
                () -> topics.topics().size(),
                () -> topics.topics().stream().filter(Topic::blocked).count(),
                context.backlogMemory()::usedBytes,
                context.backlogMemory()::limitBytes,
                new BrokerMetrics.Behind(
                        context.backlogMemory().behind()::count,
                        context.backlogMemory()::spilledBytes,
                        context.backlogMemory()::spilledLimitBytes),
                context.names()::size,
                () -> Optional.ofNullable(certificates).map(TlsCertificates::end),
                new BrokerMetrics.Memory(
                        context.metadata()::usedBytes,
                        context.metadata()::limitBytes,
                        server::partialFrameBytes,
                        server::directBytes,
                        heap),
                storage::figures,
                () -> Optional.ofNullable(part).map(ClusterPart::figures));
    }

    @Override
    public void reload() throws IOException {
        running.reload(() -> {});
    }

    /// Settings in force.
    BrokerConfig config() {
        return running.config();
    }

    /// The threads of the data path.
    public EventLoops loops() {
        return loops;
    }

    @Override
    public InetSocketAddress address() {
        return server.address();
    }

    @Override
    public InetSocketAddress httpAddress() {
        return http.address();
    }

    /// Stops in order: accepts nothing new, gives producers no more credit, lets consumers take
    /// what waits (for at most `transport.drain-timeout`), says goodbye, stops the threads. The
    /// second call does nothing.
    @Override
    public synchronized void close() {
        if (stopped) {
            return;
        }
        ready = false;
        server.stopAccepting(ErrorCode.SHUTTING_DOWN, STOPPING);
        ClientDeparture departure = new ClientDeparture(context);
        departure.drain(running.config().transport().drainTimeout());
        storage.awaitIdle(loops.all(), STORE_MILLIS);
        departure.awaitCommits(STORE_MILLIS);
        stop(ErrorCode.SHUTTING_DOWN, STOPPING, () -> {});
    }

    /// Stops at once, because this broker's part in the cluster ends: what is not confirmed is up
    /// to who leads next.
    void stepDown(String why) {
        stepDown(why, () -> {});
    }

    /// The same, with something to do between.
    ///
    /// @param whenClosed called when clients and log are closed, while HTTP is still answered
    synchronized void stepDown(String why, Runnable whenClosed) {
        if (!stopped) {
            ready = false;
            server.stopAccepting(ErrorCode.NOT_ACTIVE, why);
            stop(ErrorCode.NOT_ACTIVE, why, whenClosed);
        }
    }

    /// Says goodbye, then gives up all threads and files.
    private void stop(ErrorCode code, String why, Runnable whenClosed) {
        stopped = true;
        new ClientDeparture(context).end(code, why);
        storage.close();
        whenClosed.run();
        stopLoops();
        if (spillFile != null) {
            spillFile.close();
        }
        http.stop();
        closeCertificates();
        metrics.close();
        LOG.info("Stopped");
    }

    /// Closes the port of clients, too.
    private void stopLoops() {
        loops.stop();
        context.selectors().close();
        context.authenticator().close();
    }
}

package winnow.broker;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.broker.admin.AdminApi;
import winnow.broker.admin.DetailedMetrics;
import winnow.broker.admin.PacedPage;
import winnow.broker.admin.ProtectedPage;
import winnow.broker.admin.StartPage;
import winnow.broker.admin.StoredPages;
import winnow.broker.config.SettingSources;
import winnow.broker.destination.DelayedTopics;
import winnow.broker.destination.DestinationRegistry;
import winnow.broker.destination.IndexedFilters;
import winnow.broker.destination.NameDictionary;
import winnow.broker.destination.NamedSubscriptions;
import winnow.broker.destination.Topic;
import winnow.broker.metrics.BrokerCounters;
import winnow.broker.metrics.BrokerMetrics;
import winnow.broker.metrics.Exposition;
import winnow.broker.metrics.ScrapeCosts;
import winnow.broker.session.Authenticator;
import winnow.broker.session.ClientConnection;
import winnow.broker.session.Connections;
import winnow.broker.session.IntakeMemory;
import winnow.broker.session.MetadataBudget;
import winnow.broker.session.SelectorParsing;
import winnow.broker.session.SessionContext;
import winnow.broker.session.SessionLoop;
import winnow.broker.session.TransactionMemory;
import winnow.broker.session.UserFile;
import winnow.broker.storage.Storage;
import winnow.broker.subscription.BacklogMemory;
import winnow.broker.transport.EventLoops;
import winnow.broker.transport.HttpServer;
import winnow.broker.transport.HttpServer.Response;
import winnow.broker.transport.TcpServer;
import winnow.broker.transport.TlsCertificates;
import winnow.selector.check.SelectorLimits;
import winnow.wire.ErrorCode;

/// A running broker: makes the parts, connects them, stops them in order. Thread-safe.
public final class Broker implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Broker.class);
    private static final String TEXT = "text/plain; charset=utf-8";

    /// How often topics learn from what they observed.
    private static final int TUNING_MILLIS = 100;

    /// How often memory is let go that has not been used since the last time.
    private static final int TRIMMING_MILLIS = 1000;

    /// Longest wait for what the storage has to write when the broker stops.
    private static final long STORE_MILLIS = 5000;

    private static final long DRAIN_POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final RunningConfig running;
    private final SessionContext context;
    private final EventLoops loops;
    private final Storage storage;
    private final TcpServer server;
    private final HttpServer http;
    private final @Nullable TlsCertificates certificates;
    private final ScrapeCosts costs = new ScrapeCosts();
    private final BrokerMetrics metrics;
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
        this(config, bind, port, httpPort, () -> new SettingSources(config));
    }

    /// The same, with settings that can be read again.
    ///
    /// @param source where `config` is from
    Broker(
            BrokerConfig config,
            InetAddress bind,
            int port,
            int httpPort,
            RunningConfig.Source source)
            throws IOException {
        UserFile users = users(config, bind);
        certificates = config.tls().enabled() ? new TlsCertificates(config.tls()) : null;
        BrokerCounters counters = new BrokerCounters();
        NameDictionary names = new NameDictionary(config.destination().maxPropertyNames());
        BacklogMemory memory = new BacklogMemory(config.subscription().effectiveTotalBytes());
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
                        TransactionMemory.ofHeap(),
                        IntakeMemory.ofHeap(),
                        names,
                        memory,
                        new MetadataBudget(config.session().metadata()),
                        new Connections(System.currentTimeMillis()),
                        new Authenticator(
                                users,
                                config.security().allowPlainTextPasswords(),
                                counters.authenticationFailures),
                        new SelectorParsing(
                                config.session().maxPendingSelectors(),
                                config.destination().selectorLimits()),
                        counters,
                        System::currentTimeMillis);
        try {
            named.recover(storage.recovered(), SelectorLimits.ACCEPTED).join();
            delayed.recover(storage.recovered());
            storage.onReopened(shard -> named.reopen(shard, SelectorLimits.ACCEPTED));
            storage.onReopened(delayed::recover);
            storage.start();
            server = listen(config, new InetSocketAddress(bind, port));
            running =
                    new RunningConfig(
                            config, source, context, server, Optional.ofNullable(certificates));
            loops.every(TUNING_MILLIS, context.destinations()::tune);
            loops.every(TRIMMING_MILLIS, loop -> loop.waiting().trim());
            metrics = new BrokerMetrics(counters, costs, state());
            http = startHttp(new InetSocketAddress(bind, httpPort));
        } catch (IOException | RuntimeException | Error e) {
            stopLoops();
            storage.close();
            closeCertificates();
            throw e;
        }
        warnOfClearText(bind);
        ready = true;
    }

    private Storage openStorage(BrokerConfig config, NameDictionary names) {
        long window = config.storage().effectiveWindowBytes();
        boolean opened = false;
        try {
            Storage made =
                    Storage.open(
                            config.storage(),
                            config.queue()
                                    .shardConfig(window)
                                    .withPrepared(config.storage().preparedLimits())
                                    .withDestinationBytes(
                                            config.storage().effectiveDestinationBytes())
                                    .withLaneIndexes(() -> new IndexedFilters(names)),
                            names::name,
                            loops.faults());
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

    private static @Nullable UserFile users(BrokerConfig config, InetAddress bind)
            throws IOException {
        if (config.security().enabled()) {
            return RunningConfig.readUsers(config);
        }
        if (!bind.isLoopbackAddress()) {
            throw new IllegalArgumentException(
                    "a broker that listens on "
                            + bind.getHostAddress()
                            + ", beyond loopback, demands credentials: set security.users to a file"
                            + " made by 'winnow user', or bind 127.0.0.1");
        }
        return null;
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

    /// Says what others can read of what is sent to this broker.
    private void warnOfClearText(InetAddress bind) {
        BrokerConfig config = running.config();
        boolean jms = certificates != null && config.tls().jms();
        boolean web = certificates != null && config.tls().http();
        if (bind.isLoopbackAddress() || (jms && web)) {
            return;
        }
        LOG.warn(
                "{} at {}, beyond loopback, without TLS: messages, topics and selectors"
                        + " cross the network in clear text{}. Set tls.certificate, or bind"
                        + " 127.0.0.1",
                jms ? "The HTTP port" : web ? "The port of clients" : "Both ports",
                bind.getHostAddress(),
                config.security().allowPlainTextPasswords()
                        ? ", and so do passwords by PLAIN and HTTP Basic"
                        : "; passwords do not, and HTTP Basic is refused");
    }

    private TcpServer listen(BrokerConfig config, InetSocketAddress address) {
        return new TcpServer(
                config.transport(),
                address,
                loops,
                context,
                config.tls().jms() ? certificates : null);
    }

    private HttpServer startHttp(InetSocketAddress address) {
        BrokerConfig config = running.config();
        DestinationRegistry topics = context.destinations();
        Authenticator authenticator = context.authenticator();
        HttpServer.Page api =
                new ProtectedPage(
                        authenticator,
                        new PacedPage(
                                new AdminApi(
                                        topics,
                                        context.connections(),
                                        context.counters(),
                                        running,
                                        new StoredPages(
                                                storage,
                                                context.named(),
                                                context.delayed(),
                                                topics,
                                                context.names(),
                                                config.destination().selectorLimits()))));
        HttpServer.Page detailed =
                new ProtectedPage(
                        authenticator,
                        new PacedPage(
                                new DetailedMetrics(config.metrics(), topics, storage, costs)));
        Map<String, HttpServer.Page> pages =
                Map.of(
                        "/",
                        _ -> now(200, StartPage.CONTENT_TYPE, StartPage.TEXT),
                        "/metrics",
                        request -> {
                            Exposition.Page page = metrics.scrape(request.headers().accept());
                            return now(200, page.contentType(), page.text());
                        },
                        "/metrics/detailed",
                        detailed,
                        "/health/live",
                        _ -> now(200, TEXT, "live\n"),
                        "/health/ready",
                        _ -> readiness(),
                        "/api",
                        _ -> now(200, "application/json", "{\"versions\":[\"/api/v1/\"]}\n"),
                        AdminApi.ROOT,
                        api);
        return new HttpServer(
                config.http(),
                address,
                pages,
                context.counters(),
                config.tls().http() ? certificates : null);
    }

    private CompletionStage<Response> readiness() {
        String stalled = loops.stalled(running.config().http().stallTimeout());
        if (stalled.isEmpty()) {
            stalled = storage.problem(running.config().http().stallTimeout());
        }
        if (ready && stalled.isEmpty()) {
            return now(200, TEXT, "ready\n");
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
                context.names()::size,
                () -> Optional.ofNullable(certificates).map(TlsCertificates::end),
                new BrokerMetrics.Memory(
                        context.metadata()::usedBytes,
                        context.metadata()::limitBytes,
                        server::partialFrameBytes,
                        server::directBytes),
                storage::figures);
    }

    /// Reads settings and users again, and puts into force what can change at run time.
    ///
    /// @throws IllegalArgumentException saying what is wrong with the settings
    /// @throws IOException if a file cannot be read
    void reload() throws IOException {
        running.reload();
    }

    /// The threads of the data path.
    public EventLoops loops() {
        return loops;
    }

    /// Address of the port for clients.
    public InetSocketAddress address() {
        return server.address();
    }

    /// Address of the HTTP port.
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
        stopped = true;
        ready = false;
        server.stopAccepting();
        drain();
        storage.awaitIdle(loops.all(), STORE_MILLIS);
        awaitCommits();
        for (ClientConnection connection : context.connections().open()) {
            connection
                    .loop()
                    .execute(() ->
                            connection.goodbye(ErrorCode.SHUTTING_DOWN, "the broker is stopping"));
        }
        awaitDisconnects();
        storage.close();
        stopLoops();
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

    /// Waits until what the storage has committed meanwhile is delivered and answered.
    private void awaitCommits() {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(STORE_MILLIS);
        while (context.connections().areCommitting() && System.nanoTime() < deadline) {
            LockSupport.parkNanos(DRAIN_POLL_NANOS);
        }
    }

    private void drain() {
        for (ClientConnection connection : context.connections().open()) {
            connection.loop().execute(connection::drain);
        }
        long deadline = System.nanoTime() + running.config().transport().drainTimeout().toNanos();
        while ((context.backlogMemory().usedBytes() > 0 || context.connections().areRouting())
                && System.nanoTime() < deadline) {
            LockSupport.parkNanos(DRAIN_POLL_NANOS);
        }
        long left = context.backlogMemory().usedBytes();
        if (left > 0) {
            LOG.warn("Stopping while {} bytes wait for consumers (transport.drain-timeout)", left);
        }
    }

    private void awaitDisconnects() {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(2);
        while (context.counters().connections.get() > 0 && System.nanoTime() < deadline) {
            LockSupport.parkNanos(DRAIN_POLL_NANOS);
        }
    }
}

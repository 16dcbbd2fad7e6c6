package winnow.broker.metrics;

import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmInfoMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import winnow.broker.memory.BrokerHeap;
import winnow.broker.memory.HeapPart;
import winnow.wire.ProductVersion;

/// The broker's metrics: totals, which name no topic and no selector, so that anybody may read
/// them. A scrape reads what event loops and connections have published; it runs nothing on a loop
/// and takes no lock that one needs. The libraries are loaded at the first scrape, because that
/// would take a good part of the broker's start. Thread-safe.
public final class BrokerMetrics implements AutoCloseable {
    static final double NANOS_PER_SECOND = 1e9;

    private final BrokerCounters counters;
    private final ScrapeCosts costs;
    private final State state;
    private @Nullable Jvm jvm;

    /// Values that are read from the broker at each scrape.
    ///
    /// @param topics how many there are
    /// @param blockedTopics topics whose producers are held back
    /// @param backlogBytes memory of what waits for consumers
    /// @param backlogLimitBytes limit of that memory
    /// @param behind who is behind, and what of it is on the disk
    /// @param propertyNames that have a number on the wire
    /// @param certificateEnd when the TLS certificate expires, empty without TLS
    /// @param memory of everything else
    /// @param storage what is stored
    /// @param cluster this node's place in it, empty if the broker is alone
    public record State(
            DoubleSupplier topics,
            DoubleSupplier blockedTopics,
            DoubleSupplier backlogBytes,
            DoubleSupplier backlogLimitBytes,
            Behind behind,
            DoubleSupplier propertyNames,
            Supplier<Optional<Instant>> certificateEnd,
            Memory memory,
            Supplier<StorageFigures> storage,
            Supplier<Optional<ClusterFigures>> cluster) {}

    /// Live subscriptions that are behind.
    ///
    /// @param subscriptions how many there are
    /// @param diskBytes what waits for them on the disk
    /// @param diskLimitBytes limit of that, 0 if there is no disk
    public record Behind(
            DoubleSupplier subscriptions,
            DoubleSupplier diskBytes,
            DoubleSupplier diskLimitBytes) {}

    /// Memory that is not a backlog.
    ///
    /// @param metadataBytes of subscriptions, selectors, handles, topics and names
    /// @param metadataLimitBytes limit of that
    /// @param partialFrameBytes of frames that have not arrived whole
    /// @param directBytes outside the heap
    /// @param heap that all budgets share
    public record Memory(
            DoubleSupplier metadataBytes,
            DoubleSupplier metadataLimitBytes,
            DoubleSupplier partialFrameBytes,
            DoubleSupplier directBytes,
            BrokerHeap heap) {}

    public BrokerMetrics(BrokerCounters counters, ScrapeCosts costs, State state) {
        this.counters = counters;
        this.costs = costs;
        this.state = state;
    }

    /// All metrics.
    ///
    /// @param accept the scraper's `Accept` header, empty if it has none
    public synchronized Exposition.Page scrape(String accept) {
        long start = System.nanoTime();
        Exposition page = new Exposition();
        addMessages(page);
        addMatching(page);
        addFlow(page);
        addEvents(page);
        addState(page);
        StorageMetrics.addTo(page, state.storage().get());
        state.cluster().get().ifPresent(figures -> ClusterMetrics.addTo(page, figures));
        addLoops(page);
        costs.addTo(page);
        ProcessMetrics.addTo(page);
        page.add(jvm().registry.getPrometheusRegistry().scrape());
        Exposition.Page result = page.page(accept);
        costs.onTotals(System.nanoTime() - start);
        return result;
    }

    private void addMessages(Exposition page) {
        page.value(
                TotalMetrics.BUILD,
                1,
                ProductVersion.text(),
                System.getProperty("java.version", ""));
        page.value(TotalMetrics.RECEIVED, counters.received());
        page.value(TotalMetrics.DISPATCHED, counters.dispatched());
        page.value(TotalMetrics.RECEIVED_BYTES, counters.sum(loop -> loop.sizes.sum()));
        page.value(TotalMetrics.DISPATCHED_BYTES, counters.sum(LoopCounters::dispatchedBytes));
        page.summary(
                TotalMetrics.RECEIVE,
                counters.received(),
                counters.sum(LoopCounters::receiveNanos) / NANOS_PER_SECOND);
        histogram(page, TotalMetrics.MESSAGE_SIZE, loop -> loop.sizes, 1);
        histogram(page, TotalMetrics.REPLICATION_GRADE, loop -> loop.grades, 1);
        histogram(page, TotalMetrics.DWELL, loop -> loop.dwellNanos, NANOS_PER_SECOND);
    }

    private void histogram(
            Exposition page,
            Metric metric,
            Function<LoopCounters, LoopHistogram> part,
            double perUnit) {
        page.histogram(metric, counters.loops.stream().map(part).toList(), perUnit);
    }

    private void addMatching(Exposition page) {
        MatchCounters matching = counters.matching;
        page.value(TotalMetrics.PROBES, matching.probes.sum());
        page.value(TotalMetrics.CANDIDATES, matching.candidates.sum());
        page.value(TotalMetrics.EVALUATIONS, matching.evaluations.sum());
        page.value(TotalMetrics.MATCHES, matching.matches.sum());
        page.value(TotalMetrics.SLICED_MATCHES, counters.slicedMatches.sum());
        page.summary(
                TotalMetrics.MATCH,
                matching.messages.sum(),
                matching.nanos.sum() / NANOS_PER_SECOND);
        page.summary(
                TotalMetrics.TRANSMIT,
                counters.sum(LoopCounters::deliveredCopies),
                counters.sum(LoopCounters::transmitNanos) / NANOS_PER_SECOND);
    }

    private void addFlow(Exposition page) {
        long now = System.nanoTime();
        for (BlockReason reason : BlockReason.values()) {
            String label = ReasonCounters.label(reason);
            ToLongFunction<LoopCounters> blocked = loop -> loop.blocked(reason).blocked();
            ToLongFunction<LoopCounters> blocks = loop -> loop.blocked(reason).blocks();
            ToLongFunction<LoopCounters> nanos = loop -> loop.blocked(reason).nanos(now);
            page.value(TotalMetrics.PRODUCERS_BLOCKED, counters.sum(blocked), label);
            page.value(TotalMetrics.PRODUCER_BLOCKS, counters.sum(blocks), label);
            double seconds = counters.sum(nanos) / NANOS_PER_SECOND;
            page.value(TotalMetrics.BLOCKED_SECONDS, seconds, label);
        }
        counters.dropped.forEach((reason, n) -> page.value(TotalMetrics.DROPPED, n, reason));
        page.value(TotalMetrics.SLOW_DISCONNECTED, counters.slowDisconnected.sum());
        page.value(TotalMetrics.TOPICS_BLOCKED, state.blockedTopics().getAsDouble());
        page.value(TotalMetrics.BACKLOG_BYTES, state.backlogBytes().getAsDouble());
        page.value(TotalMetrics.BACKLOG_LIMIT_BYTES, state.backlogLimitBytes().getAsDouble());
        Behind behind = state.behind();
        page.value(TotalMetrics.SUBSCRIPTIONS_BEHIND, behind.subscriptions().getAsDouble());
        page.value(TotalMetrics.SPILLED_BYTES, behind.diskBytes().getAsDouble());
        page.value(TotalMetrics.SPILLED_LIMIT_BYTES, behind.diskLimitBytes().getAsDouble());
        page.value(TotalMetrics.BACKLOG_MESSAGES, counters.sum(loop -> loop.waiting().copies()));
        long oldest =
                counters.loops.stream()
                        .mapToLong(loop -> loop.waiting().oldestAgeNanos())
                        .max()
                        .orElse(0);
        page.value(TotalMetrics.BACKLOG_AGE, oldest / NANOS_PER_SECOND);
    }

    private void addEvents(Exposition page) {
        page.value(TotalMetrics.ACCEPTED, counters.accepted.sum());
        counters.closed.forEach((reason, n) -> page.value(TotalMetrics.CLOSED, n, reason));
        counters.refusals.forEach((reason, n) -> page.value(TotalMetrics.REFUSED, n, reason));
        counters.authorizationRefusals.forEach(
                (operation, n) -> page.value(TotalMetrics.AUTHORIZATION_REFUSALS, n, operation));
        page.value(TotalMetrics.PROTOCOL_ERRORS, counters.protocolErrors.sum());
        page.value(TotalMetrics.HTTP_REFUSED, counters.httpConnectionsRefused.sum());
        addAuthentication(page, counters.authentication);
        counters.tlsFailures.forEach((why, n) -> page.value(TotalMetrics.TLS_FAILURES, n, why));
        page.value(TotalMetrics.INTERNAL_ERRORS, counters.internalErrors.sum());
    }

    private static void addAuthentication(Exposition page, AuthenticationCounters counters) {
        page.value(TotalMetrics.AUTHENTICATION_FAILURES, counters.failures.sum());
        page.histogram(
                TotalMetrics.AUTHENTICATION_CHECK,
                List.of(counters.directory.nanos),
                NANOS_PER_SECOND,
                "directory");
        page.histogram(
                TotalMetrics.AUTHENTICATION_CHECK,
                List.of(counters.tokens.nanos),
                NANOS_PER_SECOND,
                "token");
    }

    private void addState(Exposition page) {
        Memory memory = state.memory();
        state.certificateEnd()
                .get()
                .ifPresent(end ->
                        page.value(TotalMetrics.CERTIFICATE_EXPIRATION, end.getEpochSecond()));
        page.value(TotalMetrics.CONNECTIONS, counters.connections.get());
        page.value(TotalMetrics.AWAY, counters.away.get());
        page.value(TotalMetrics.RETURNED, counters.returned.sum());
        page.value(TotalMetrics.SUBSCRIPTIONS, counters.subscriptions.get());
        page.value(TotalMetrics.TOPICS, state.topics().getAsDouble());
        page.value(TotalMetrics.PROPERTY_NAMES, state.propertyNames().getAsDouble());
        page.value(TotalMetrics.METADATA_BYTES, memory.metadataBytes().getAsDouble());
        page.value(TotalMetrics.METADATA_LIMIT_BYTES, memory.metadataLimitBytes().getAsDouble());
        page.value(TotalMetrics.PARTIAL_FRAME_BYTES, memory.partialFrameBytes().getAsDouble());
        page.value(TotalMetrics.DIRECT_BYTES, memory.directBytes().getAsDouble());
        for (HeapPart part : memory.heap().parts()) {
            page.value(TotalMetrics.HEAP_PART_BYTES, part.roomBytes(), part.name());
            page.value(TotalMetrics.HEAP_PART_LIMIT_BYTES, part.limitBytes(), part.name());
        }
        page.value(TotalMetrics.HEAP_LEFT_BYTES, memory.heap().leftBytes());
    }

    private void addLoops(Exposition page) {
        for (LoopCounters loop : counters.loops) {
            String label = Integer.toString(loop.index);
            Iterations iterations = loop.iterations();
            page.histogram(
                    TotalMetrics.ITERATION, List.of(iterations.nanos), NANOS_PER_SECOND, label);
            page.histogram(TotalMetrics.ITERATION_MESSAGES, List.of(iterations.messages), 1, label);
            Iterations.Totals totals = iterations.totals();
            page.value(TotalMetrics.LOOP_READS, totals.reads(), label);
            page.value(TotalMetrics.LOOP_WRITES, totals.writes(), label);
            page.value(TotalMetrics.LOOP_WAKEUPS, totals.wakeups(), label);
            addBusy(page, loop, label);
        }
    }

    /// The operating system counts the time of the loops' threads.
    private static void addBusy(Exposition page, LoopCounters loop, String label) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long id = loop.threadId();
        long nanos = id < 0 ? -1 : threads.getThreadCpuTime(id);
        if (nanos >= 0) {
            page.value(TotalMetrics.LOOP_BUSY, nanos / NANOS_PER_SECOND, label);
        }
    }

    private Jvm jvm() {
        Jvm known = jvm;
        if (known == null) {
            known = new Jvm();
            jvm = known;
        }
        return known;
    }

    /// Forgets the listeners that tell of garbage collections.
    @Override
    public synchronized void close() {
        if (jvm != null) {
            jvm.collections.close();
            jvm.registry.close();
            jvm = null;
        }
    }

    /// The `jvm_*` metrics, as Micrometer names them.
    private static final class Jvm {
        final PrometheusMeterRegistry registry =
                new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        final JvmGcMetrics collections = new JvmGcMetrics();

        Jvm() {
            collections.bindTo(registry);
            new JvmMemoryMetrics().bindTo(registry);
            new JvmThreadMetrics().bindTo(registry);
            new ClassLoaderMetrics().bindTo(registry);
            new JvmInfoMetrics().bindTo(registry);
        }
    }
}

package winnow.broker.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/// The broker's metrics in Prometheus' text form: totals, which name no topic and no selector, so
/// that anybody may read them. Registered at the first scrape, because loading the registry would
/// take a good part of the broker's start. Thread-safe.
public final class BrokerMetrics {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double MILLIS_PER_SECOND = 1e3;

    /// Media type of the text.
    public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private final BrokerCounters counters;
    private final State state;
    private @Nullable Registry registry;

    /// What is read from the broker at each scrape.
    ///
    /// @param topics how many there are
    /// @param blockedTopics topics whose producers are held back
    /// @param backlogBytes memory of what waits for consumers
    /// @param backlogLimitBytes limit of that memory
    /// @param metadataBytes memory of subscriptions, selectors, handles, topics and names
    /// @param metadataLimitBytes limit of that memory
    /// @param partialFrameBytes memory of frames that have not arrived whole
    /// @param propertyNames property names that have a number
    public record State(
            DoubleSupplier topics,
            DoubleSupplier blockedTopics,
            DoubleSupplier backlogBytes,
            DoubleSupplier backlogLimitBytes,
            DoubleSupplier metadataBytes,
            DoubleSupplier metadataLimitBytes,
            DoubleSupplier partialFrameBytes,
            DoubleSupplier propertyNames) {}

    public BrokerMetrics(BrokerCounters counters, State state) {
        this.counters = counters;
        this.state = state;
    }

    /// All metrics in Prometheus' text exposition format.
    public synchronized String scrape() {
        Registry known = registry;
        if (known == null) {
            known = new Registry(counters, state);
            registry = known;
        }
        return known.scrape();
    }

    private static final class Registry {
        private final PrometheusMeterRegistry prometheus =
                new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        private final BrokerCounters counters;
        private final State state;
        private final Timer scrapes;

        Registry(BrokerCounters counters, State state) {
            this.counters = counters;
            this.state = state;
            scrapes =
                    Timer.builder(MetricNames.SCRAPE_SECONDS)
                            .description("Time that a scrape took")
                            .register(prometheus);
            registerMessages();
            registerEvents();
            registerMatching();
            registerState();
            registerProcess();
        }

        String scrape() {
            long start = System.nanoTime();
            String text = prometheus.scrape();
            scrapes.record(System.nanoTime() - start, TimeUnit.NANOSECONDS);
            return text;
        }

        private void registerMessages() {
            count(MetricNames.RECEIVED, "Messages published", null, c -> c.received.sum());
            count(
                    MetricNames.DISPATCHED,
                    "Copies handed to subscriptions",
                    null,
                    c -> c.dispatched.sum());
            count(
                    MetricNames.RECEIVED_BYTES,
                    "Bytes of published messages",
                    "bytes",
                    c -> c.receivedBytes.sum());
            count(
                    MetricNames.DISPATCHED_BYTES,
                    "Bytes of copies",
                    "bytes",
                    c -> c.dispatchedBytes.sum());
        }

        private void registerEvents() {
            count(MetricNames.ACCEPTED, "Connections accepted", null, c -> c.accepted.sum());
            count(MetricNames.REFUSALS, "Requests refused", null, c -> c.refusals.sum());
            count(
                    MetricNames.PROTOCOL_ERRORS,
                    "Connections closed because the peer broke the protocol",
                    null,
                    c -> c.protocolErrors.sum());
            count(
                    MetricNames.HTTP_REFUSED,
                    "HTTP connections beyond the limit",
                    null,
                    c -> c.httpConnectionsRefused.sum());
            count(
                    MetricNames.AUTHENTICATION_FAILURES,
                    "Failed authentications",
                    null,
                    c -> c.authenticationFailures.sum());
            count(
                    MetricNames.DROPPED,
                    "Messages dropped because their consumers were slow",
                    null,
                    c -> c.dropped.sum());
            count(
                    MetricNames.SLOW_DISCONNECTED,
                    "Connections closed because their consumers were slow",
                    null,
                    c -> c.slowDisconnected.sum());
            count(
                    MetricNames.INTERNAL_ERRORS,
                    "Callbacks that failed by a fault of the broker",
                    null,
                    c -> c.internalErrors.sum());
            count(
                    MetricNames.PRODUCERS_BLOCKED,
                    "Times that a producer's credit was held back",
                    null,
                    c -> c.producersBlocked.sum());
        }

        private void registerMatching() {
            count(
                    MetricNames.PROBES,
                    "Values of messages looked up in indexes",
                    null,
                    c -> c.matching.probes.sum());
            count(
                    MetricNames.CANDIDATES,
                    "Distinct selectors that values led to",
                    null,
                    c -> c.matching.candidates.sum());
            count(
                    MetricNames.EVALUATIONS,
                    "Selectors evaluated",
                    null,
                    c -> c.matching.evaluations.sum());
            count(
                    MetricNames.MATCH_TIME,
                    "Time spent finding subscriptions, from samples",
                    "seconds",
                    c -> c.matching.nanos.sum() / NANOS_PER_SECOND);
            gauge(
                    MetricNames.TRANSMIT_TIME,
                    "Mean time that a copy takes to deliver, writes to sockets included",
                    "seconds",
                    () -> counters.transmitNanos() / NANOS_PER_SECOND);
        }

        private void registerState() {
            gauge(MetricNames.CONNECTIONS, "Connections open", null, counters.connections::get);
            gauge(MetricNames.SUBSCRIPTIONS, "Subscriptions", null, counters.subscriptions::get);
            gauge(MetricNames.TOPICS, "Topics", null, state.topics());
            gauge(
                    MetricNames.TOPICS_BLOCKED,
                    "Topics whose producers are held back",
                    null,
                    state.blockedTopics());
            gauge(
                    MetricNames.BACKLOG_BYTES,
                    "Memory of what waits for consumers",
                    "bytes",
                    state.backlogBytes());
            gauge(
                    MetricNames.BACKLOG_LIMIT_BYTES,
                    "Limit of that memory",
                    "bytes",
                    state.backlogLimitBytes());
            gauge(
                    MetricNames.METADATA_BYTES,
                    "Memory of subscriptions, selectors, handles, topics and names, estimated",
                    "bytes",
                    state.metadataBytes());
            gauge(
                    MetricNames.METADATA_LIMIT_BYTES,
                    "Limit of that memory",
                    "bytes",
                    state.metadataLimitBytes());
            gauge(
                    MetricNames.PARTIAL_FRAME_BYTES,
                    "Memory of frames that have not arrived whole",
                    "bytes",
                    state.partialFrameBytes());
            gauge(
                    MetricNames.PROPERTY_NAMES,
                    "Property names that have a number",
                    null,
                    state.propertyNames());
        }

        private void registerProcess() {
            new JvmMemoryMetrics().bindTo(prometheus);
            new JvmThreadMetrics().bindTo(prometheus);
            new FileDescriptorMetrics().bindTo(prometheus);
            new UptimeMetrics().bindTo(prometheus);
            var system = ManagementFactory.getOperatingSystemMXBean();
            if (system instanceof com.sun.management.OperatingSystemMXBean process) {
                count(
                        MetricNames.CPU_SECONDS,
                        "Processor time of the broker",
                        "seconds",
                        _ -> process.getProcessCpuTime() / NANOS_PER_SECOND);
            }
            count(
                    MetricNames.GC_SECONDS,
                    "Time spent in garbage collection",
                    "seconds",
                    _ ->
                            ManagementFactory.getGarbageCollectorMXBeans().stream()
                                            .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                                            .sum()
                                    / MILLIS_PER_SECOND);
        }

        private void count(
                String name,
                String description,
                @Nullable String unit,
                ToDoubleFunction<BrokerCounters> value) {
            if (prometheus.find(name).functionCounter() != null) {
                throw new IllegalStateException("counter registered twice: " + name);
            }
            FunctionCounter.builder(name, counters, value)
                    .description(description)
                    .baseUnit(unit)
                    .register(prometheus);
        }

        private void gauge(
                String name, String description, @Nullable String unit, DoubleSupplier value) {
            Gauge.builder(name, value::getAsDouble)
                    .description(description)
                    .baseUnit(unit)
                    .strongReference(true)
                    .register(prometheus);
        }
    }
}

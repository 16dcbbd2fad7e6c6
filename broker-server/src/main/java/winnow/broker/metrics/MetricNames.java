package winnow.broker.metrics;

/// Names of the broker's metrics as Micrometer knows them; Prometheus shows them with underscores,
/// and counters with `_total`.
public final class MetricNames {
    public static final String RECEIVED = "winnow.messages.received";
    public static final String DISPATCHED = "winnow.messages.dispatched";
    public static final String RECEIVED_BYTES = "winnow.received";
    public static final String DISPATCHED_BYTES = "winnow.dispatched";
    public static final String PROBES = "winnow.selector.probes";
    public static final String CANDIDATES = "winnow.selector.candidates";
    public static final String EVALUATIONS = "winnow.selector.evaluations";
    public static final String MATCH_TIME = "winnow.selector.match";
    public static final String SELECTOR_COST = "winnow.selector.cost";
    public static final String TRANSMIT_TIME = "winnow.transmit.mean";
    public static final String TOPIC_MESSAGES = "winnow.topic.messages";
    public static final String TOPIC_MATCHES = "winnow.topic.matches";
    public static final String TOPIC_PROBES = "winnow.topic.selector.probes";
    public static final String TOPIC_CANDIDATES = "winnow.topic.selector.candidates";
    public static final String TOPIC_EVALUATIONS = "winnow.topic.selector.evaluations";
    public static final String TOPIC_MATCH_TIME = "winnow.topic.selector.match";
    public static final String TOPIC_SUBSCRIPTIONS = "winnow.topic.subscriptions";
    public static final String TOPIC_SELECTORS = "winnow.topic.selectors";
    public static final String TOPIC_TERMS = "winnow.topic.index.terms";
    public static final String ACCEPTED = "winnow.connections.accepted";
    public static final String CONNECTIONS = "winnow.connections.open";
    public static final String SUBSCRIPTIONS = "winnow.subscriptions";
    public static final String TOPICS = "winnow.topics";
    public static final String TOPICS_BLOCKED = "winnow.topics.blocked";
    public static final String BACKLOG_BYTES = "winnow.backlog";
    public static final String BACKLOG_LIMIT_BYTES = "winnow.backlog.limit";
    public static final String PARTIAL_FRAME_BYTES = "winnow.frames.partial";
    public static final String PROPERTY_NAMES = "winnow.property.names";
    public static final String REFUSALS = "winnow.requests.refused";
    public static final String PROTOCOL_ERRORS = "winnow.protocol.errors";
    public static final String HTTP_REFUSED = "winnow.http.connections.refused";
    public static final String AUTHENTICATION_FAILURES = "winnow.authentication.failures";
    public static final String PRODUCERS_BLOCKED = "winnow.producers.blocked";
    public static final String INTERNAL_ERRORS = "winnow.internal.errors";
    public static final String CPU_SECONDS = "process.cpu";
    public static final String GC_SECONDS = "winnow.gc";
    public static final String SCRAPE_SECONDS = "winnow.scrape";

    private MetricNames() {}
}

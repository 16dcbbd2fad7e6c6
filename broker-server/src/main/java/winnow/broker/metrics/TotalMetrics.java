package winnow.broker.metrics;

import static winnow.broker.metrics.Metric.counter;
import static winnow.broker.metrics.Metric.gauge;

import java.util.List;
import winnow.broker.metrics.Metric.Kind;

/// The metrics of `/metrics`: totals of the broker, of each event loop and of the process. None has
/// the name of a topic or a selector.
final class TotalMetrics {
    static final Metric BUILD =
            Metric.of(
                    Kind.INFO,
                    "winnow_build",
                    "Version of the broker and of the Java it runs on.",
                    "",
                    "version",
                    "java");

    static final Metric RECEIVED =
            counter(
                    "winnow_messages_received",
                    "Messages that producers published to topics; queues have"
                            + " winnow_stored_messages_appended_total.",
                    "when it stands still while producers are connected: see"
                            + " winnow_producers_blocked.");
    static final Metric DISPATCHED =
            counter(
                    "winnow_messages_dispatched",
                    "Copies of messages handed to subscriptions.",
                    "when it is 0 while messages are received: then no selector matches.");
    static final Metric RECEIVED_BYTES =
            counter("winnow_received_bytes", "Bytes of published messages.", "");
    static final Metric DISPATCHED_BYTES =
            counter(
                    "winnow_dispatched_bytes",
                    "Bytes of copies handed to subscriptions.",
                    "near the limit of the network.");
    static final Metric MESSAGE_SIZE =
            Metric.of(
                    Kind.HISTOGRAM,
                    "winnow_message_size_bytes",
                    "Sizes of published messages, headers and properties included.",
                    "about messages of megabytes: each takes memory of many small ones.");
    static final Metric REPLICATION_GRADE =
            Metric.of(
                    Kind.HISTOGRAM,
                    "winnow_replication_grade",
                    "Copies per published message. Capacity falls with the grade, because each copy"
                            + " takes winnow_transmit_seconds.",
                    "when many messages have grade 0: nobody receives them.");
    static final Metric DWELL =
            Metric.of(
                    Kind.HISTOGRAM,
                    "winnow_dwell_seconds",
                    "Time that copies spent in the broker, from the reading of the message to the"
                            + " writing of the copy, waiting for the consumer's credit included; of"
                            + " one read in 16 and one release of waiting copies in 16.",
                    "when the 99th percentile exceeds what your consumers accept; compare with"
                            + " winnow_backlog_oldest_age_seconds.");

    static final Metric RECEIVE =
            Metric.of(
                    Kind.SUMMARY,
                    "winnow_receive_seconds",
                    "Time to handle what clients sent, per message, extrapolated from one read in"
                            + " 16: winnow_match_seconds, credit and requests included. Without the"
                            + " matching it is t_rcv."
                            + " Sum by count is the mean.",
                    "when the mean doubles at the same message size.");

    static final Metric PROBES =
            counter(
                    "winnow_selector_probes",
                    "Values of messages for names that selectors in indexes ask for.",
                    "");
    static final Metric CANDIDATES =
            counter(
                    "winnow_selector_candidates",
                    "Distinct selectors that these values led to.",
                    "when it is many times winnow_selector_matches_total: then selectors have no"
                            + " telling key; see winnow explain.");
    static final Metric EVALUATIONS =
            counter(
                    "winnow_selector_evaluations",
                    "Selectors that were evaluated, because no key says it all.",
                    "when it grows faster than winnow_selector_matches_total.");
    static final Metric MATCHES =
            counter("winnow_selector_matches", "Subscriptions found for messages.", "");
    static final Metric SLICED_MATCHES =
            counter(
                    "winnow_sliced_matches",
                    "Messages whose recipients were found in several turns of the event loop,"
                            + " because that took longer than a fraction of a millisecond,"
                            + " or because they came at the end of a long read.",
                    "when it grows as fast as winnow_messages_received_total: then selectors have"
                            + " no telling key, or topics very many subscribers.");
    static final Metric MATCH =
            Metric.of(
                    Kind.SUMMARY,
                    "winnow_match_seconds",
                    "Time to find the subscriptions of a message, extrapolated from one message in"
                            + " 256. Sum by count is the mean.",
                    "when the mean grows with the number of subscriptions.");
    static final Metric TRANSMIT =
            Metric.of(
                    Kind.SUMMARY,
                    "winnow_transmit_seconds",
                    "Time to bring a copy to its connection, its share of the writes to sockets"
                            + " included: t_tx. Sum by count is the mean.",
                    "when the mean doubles at the same message size: writes have become small or"
                            + " sockets slow.");

    static final Metric ACCEPTED =
            counter(
                    "winnow_connections_accepted",
                    "Connections accepted since the start.",
                    "when it grows by many a second: clients connect anew for each message.");
    static final Metric CLOSED =
            counter(
                    "winnow_connections_closed",
                    "Connections that the broker closed, by reason.",
                    "about heartbeat-timeout, limit-exceeded and internal-error.",
                    "reason");
    static final Metric REFUSED =
            counter(
                    "winnow_requests_refused",
                    "Requests of clients that were refused, by reason.",
                    "about limit-exceeded; other reasons are mistakes of clients.",
                    "reason");
    static final Metric AUTHORIZATION_REFUSALS =
            counter(
                    "winnow_authorization_refusals",
                    "Requests of both ports that security.permissions does not allow, by"
                            + " operation.",
                    "when it grows: a rule is missing, or somebody tries what is not theirs; the"
                            + " audit names user and object.",
                    "operation");
    static final Metric PROTOCOL_ERRORS =
            counter(
                    "winnow_protocol_errors",
                    "Connections closed because the peer broke the protocol.",
                    "when it grows: something else than a client of Winnow connects.");
    static final Metric HTTP_REFUSED =
            counter(
                    "winnow_http_connections_refused",
                    "HTTP connections beyond http.max-connections.",
                    "when it grows: scrapers or health checks do not reuse connections.");
    static final Metric AUTHENTICATION_FAILURES =
            counter(
                    "winnow_authentication_failures",
                    "Failed authentications of clients and of HTTP requests.",
                    "when it grows steadily: a client has an old password, or somebody guesses.");
    static final Metric AUTHENTICATION_CHECK =
            Metric.of(
                    Kind.HISTOGRAM,
                    "winnow_authentication_check_seconds",
                    "Time of checks of credentials, by what checks them: directory until it has"
                            + " answered all questions about a user, without the wait for a turn;"
                            + " token from its arrival to the result, with the wait for the keys"
                            + " of its issuer. A password that is remembered is not checked.",
                    "when the 99th percentile of directory nears security.ldap.timeout, or that"
                            + " of token a second: the directory or the issuer is slow or away.",
                    "by");
    static final Metric TLS_FAILURES =
            counter(
                    "winnow_tls_failures",
                    "TLS connections of both ports that did not come about, by reason:"
                            + " certificate-refused by the client, client-certificate missing or"
                            + " not accepted, client-alert of another kind, client-left during the"
                            + " handshake, clear-text to a port with TLS, unexpected-tls to a port"
                            + " without, other.",
                    "about certificate-refused; the log names the clients and what they said.",
                    "reason");
    static final Metric DROPPED =
            counter(
                    "winnow_messages_dropped",
                    "Copies that no consumer got, by reason: slow-consumer by the policy"
                            + " drop-oldest, subscription-closed while they waited.",
                    "about slow-consumer whenever a lost message matters.",
                    "reason");
    static final Metric SLOW_DISCONNECTED =
            counter(
                    "winnow_slow_consumers_disconnected",
                    "Connections closed because their consumers were slow: they were behind for too"
                            + " long or with too much, or the policy is disconnect.",
                    "when it grows: the consumer will not keep up after it reconnects, either.");
    static final Metric INTERNAL_ERRORS =
            counter(
                    "winnow_internal_errors",
                    "Callbacks that failed by a fault of the broker; its log has the stacks.",
                    "at any value above 0.");

    static final Metric PRODUCER_BLOCKS =
            counter(
                    "winnow_producer_blocks",
                    "Times that a producer's credit was held back, by reason.",
                    "",
                    "reason");
    static final Metric PRODUCERS_BLOCKED =
            gauge(
                    "winnow_producers_blocked",
                    "Producers whose credit is held back now, by reason: subscription-buffer if one"
                            + " subscription has too much waiting, total-buffer if all together"
                            + " have, loop-lag if another event loop lags.",
                    "when it stays above 0: /metrics/detailed names the consumer to blame.",
                    "reason");
    static final Metric BLOCKED_SECONDS =
            counter(
                    "winnow_producers_blocked_seconds",
                    "Time that producers were held back, summed over them, by reason. Its rate is"
                            + " how many were held back in the mean.",
                    "when the rate stays above 0.1.",
                    "reason");

    static final Metric CONNECTIONS =
            gauge(
                    "winnow_connections_open",
                    "Connections of clients that are open.",
                    "near transport.max-connections.");
    static final Metric AWAY =
            gauge(
                    "winnow_clients_away",
                    "Clients whose connections were lost and that find what they had when they come"
                            + " back within session.resume-timeout.",
                    "near session.max-away.");
    static final Metric RETURNED =
            counter(
                    "winnow_clients_returned",
                    "Clients that came back to what their lost connections had.",
                    "");
    static final Metric SUBSCRIPTIONS =
            gauge("winnow_subscriptions", "Subscriptions that exist.", "");
    static final Metric TOPICS = gauge("winnow_topics", "Topics in use.", "");
    static final Metric TOPICS_BLOCKED =
            gauge(
                    "winnow_topics_blocked",
                    "Topics whose producers are held back.",
                    "when it stays above 0.");
    static final Metric BACKLOG_MESSAGES =
            gauge(
                    "winnow_backlog_messages",
                    "Copies that wait for credit of their consumers; at most half a second old.",
                    "when it grows steadily: consumers are slower than producers.");
    static final Metric BACKLOG_AGE =
            gauge(
                    "winnow_backlog_oldest_age_seconds",
                    "Age of the oldest message that waits for a consumer of a live subscription, 0"
                            + " if none does; at most half a second old. Queues and stored"
                            + " subscriptions have winnow_stored_oldest_age_seconds.",
                    "when it exceeds what your consumers accept.");
    static final Metric BACKLOG_BYTES =
            gauge(
                    "winnow_backlog_bytes",
                    "Memory of messages that wait for consumers; each is kept once, however many"
                            + " wait for it.",
                    "above half of winnow_backlog_limit_bytes.");
    static final Metric BACKLOG_LIMIT_BYTES =
            gauge(
                    "winnow_backlog_limit_bytes",
                    "Upper limit of winnow_backlog_bytes (subscription.total-buffer); producers are"
                            + " held back above it until something has left.",
                    "");
    static final Metric SUBSCRIPTIONS_BEHIND =
            gauge(
                    "winnow_subscriptions_behind",
                    "Live subscriptions for which more waits than subscription.buffer, and that do"
                            + " not hold producers back.",
                    "when it stays above 0: /api/v1/behind names them; they are disconnected when"
                            + " subscription.spill-buffer or subscription.spill-timeout is used"
                            + " up.");
    static final Metric SPILLED_BYTES =
            gauge(
                    "winnow_spilled_bytes",
                    "Bytes on the disk of what waits for live subscriptions that are behind.",
                    "above half of winnow_spilled_limit_bytes.");
    static final Metric SPILLED_LIMIT_BYTES =
            gauge(
                    "winnow_spilled_limit_bytes",
                    "Upper limit of winnow_spilled_bytes (subscription.total-spill-buffer), 0 if"
                            + " nothing goes to the disk.",
                    "");
    static final Metric METADATA_BYTES =
            gauge(
                    "winnow_metadata_bytes",
                    "Estimated memory of subscriptions, selectors, handles, topics and names.",
                    "above nine tenths of winnow_metadata_limit_bytes.");
    static final Metric METADATA_LIMIT_BYTES =
            gauge(
                    "winnow_metadata_limit_bytes",
                    "Upper limit of winnow_metadata_bytes (session.metadata); subscriptions are"
                            + " refused above it.",
                    "");
    static final Metric PARTIAL_FRAME_BYTES =
            gauge(
                    "winnow_frames_partial_bytes",
                    "Memory of frames that have not arrived whole.",
                    "near transport.frame-buffer: large messages wait for each other.");
    static final Metric DIRECT_BYTES =
            gauge(
                    "winnow_direct_memory_bytes",
                    "Memory outside the heap that network buffers use.",
                    "near the limit of direct memory, which is the largest heap by default.");
    static final Metric PROPERTY_NAMES =
            gauge(
                    "winnow_property_names",
                    "Property names that have a number on the wire.",
                    "near destination.max-property-names: names seem to hold values.");

    static final Metric HEAP_PART_BYTES =
            gauge(
                    "winnow_heap_part_bytes",
                    "Heap that a budget may use without asking, by budget: its own (a sixteenth"
                            + " of its limit, or a quarter where no client gets in without it) and,"
                            + " in steps of 64 KiB, what it has taken beyond.",
                    "near winnow_heap_part_limit_bytes.",
                    "part");
    static final Metric HEAP_PART_LIMIT_BYTES =
            gauge(
                    "winnow_heap_part_limit_bytes",
                    "Upper limit of winnow_heap_part_bytes where enough is left.",
                    "",
                    "part");
    static final Metric HEAP_LEFT_BYTES =
            gauge(
                    "winnow_heap_left_bytes",
                    "Heap that no budget has taken; each may take it, up to its limit.",
                    "near 0: budgets refuse before their own limits are reached.");

    static final Metric CERTIFICATE_EXPIRATION =
            gauge(
                    "winnow_tls_certificate_expiration_timestamp_seconds",
                    "When the TLS certificate in force expires, or one of its issuers' that is sent"
                            + " with it if that is sooner, in seconds since 1970; missing without"
                            + " TLS.",
                    "when it is less than 14 days ahead.");

    static final Metric ITERATION =
            Metric.of(
                    Kind.HISTOGRAM,
                    "winnow_loop_iteration_seconds",
                    "Time of an event loop's iteration, from the return of its poll until it polls"
                            + " again, by the clock and without the sleep. A message waits for the"
                            + " rest of the iteration in which it arrives, and for the one that"
                            + " reads it.",
                    "when the 99th percentile exceeds some milliseconds: all connections of the"
                            + " loop wait that long.",
                    "loop");
    static final Metric ITERATION_MESSAGES =
            Metric.of(
                    Kind.HISTOGRAM,
                    "winnow_loop_messages_per_iteration",
                    "Messages that an iteration received from publishers, those to queues included;"
                            + " messages to topics in a transaction count when it commits, delayed"
                            + " ones when they are due. They share the cost of the iteration, so a"
                            + " message is the cheaper the more there are. Iterations for anything"
                            + " else have 0.",
                    "",
                    "loop");
    static final Metric LOOP_READS =
            counter(
                    "winnow_loop_reads",
                    "Reads of clients' sockets by an event loop.",
                    "when it grows as fast as winnow_messages_received_total at a high rate:"
                            + " producers send each message by itself.",
                    "loop");
    static final Metric LOOP_WRITES =
            counter(
                    "winnow_loop_writes",
                    "Writes to clients' sockets by an event loop; what a socket does not take at"
                            + " once is not counted again.",
                    "when it grows as fast as winnow_messages_dispatched_total at a high rate:"
                            + " copies leave one by one.",
                    "loop");
    static final Metric LOOP_WAKEUPS =
            counter(
                    "winnow_loop_wakeups",
                    "Iterations of an event loop that began after a sleep, because nothing was"
                            + " ready before; an estimate by the time of the poll.",
                    "when it stands still: the loop hangs, or has something to do all the time.",
                    "loop");
    static final Metric LOOP_BUSY =
            counter(
                    "winnow_event_loop_busy_seconds",
                    "Processor time of an event loop's thread. Its rate is the loop's busy share,"
                            + " which does not tell how much more the loop could take: see"
                            + " winnow_loop_messages_per_iteration.",
                    "",
                    "loop");
    static final Metric SCRAPE =
            Metric.of(
                    Kind.SUMMARY,
                    "winnow_scrape_seconds",
                    "Time to collect and write metrics, of the scrapes before this one, by page."
                            + " Scrapes run on the HTTP thread.",
                    "when the mean exceeds 0.1 s: ask for fewer topics with top=N.",
                    "page");

    static final Metric CPU =
            counter(
                    "process_cpu_seconds",
                    "Processor time of the process, user and system.",
                    "when its rate nears the number of processors.");
    static final Metric RESIDENT =
            gauge(
                    "process_resident_memory_bytes",
                    "Memory of the process that is in RAM.",
                    "near the container's limit.");
    static final Metric VIRTUAL =
            gauge("process_virtual_memory_bytes", "Address space of the process.", "");
    static final Metric OPEN_FDS =
            gauge("process_open_fds", "Open file descriptors.", "near process_max_fds.");
    static final Metric MAX_FDS = gauge("process_max_fds", "Limit of open file descriptors.", "");
    static final Metric START_TIME =
            gauge(
                    "process_start_time_seconds",
                    "When the process started, in seconds since 1970.",
                    "when it changes without a deployment.");

    static final List<Metric> ALL =
            List.of(
                    BUILD,
                    RECEIVED,
                    DISPATCHED,
                    RECEIVED_BYTES,
                    DISPATCHED_BYTES,
                    MESSAGE_SIZE,
                    REPLICATION_GRADE,
                    DWELL,
                    RECEIVE,
                    PROBES,
                    CANDIDATES,
                    EVALUATIONS,
                    MATCHES,
                    SLICED_MATCHES,
                    MATCH,
                    TRANSMIT,
                    BACKLOG_MESSAGES,
                    BACKLOG_AGE,
                    BACKLOG_BYTES,
                    BACKLOG_LIMIT_BYTES,
                    SUBSCRIPTIONS_BEHIND,
                    SPILLED_BYTES,
                    SPILLED_LIMIT_BYTES,
                    PRODUCERS_BLOCKED,
                    BLOCKED_SECONDS,
                    PRODUCER_BLOCKS,
                    TOPICS_BLOCKED,
                    DROPPED,
                    SLOW_DISCONNECTED,
                    CONNECTIONS,
                    AWAY,
                    RETURNED,
                    ACCEPTED,
                    CLOSED,
                    REFUSED,
                    AUTHORIZATION_REFUSALS,
                    PROTOCOL_ERRORS,
                    AUTHENTICATION_FAILURES,
                    AUTHENTICATION_CHECK,
                    HTTP_REFUSED,
                    TLS_FAILURES,
                    CERTIFICATE_EXPIRATION,
                    INTERNAL_ERRORS,
                    SUBSCRIPTIONS,
                    TOPICS,
                    HEAP_PART_BYTES,
                    HEAP_PART_LIMIT_BYTES,
                    HEAP_LEFT_BYTES,
                    METADATA_BYTES,
                    METADATA_LIMIT_BYTES,
                    PARTIAL_FRAME_BYTES,
                    DIRECT_BYTES,
                    PROPERTY_NAMES,
                    ITERATION,
                    ITERATION_MESSAGES,
                    LOOP_READS,
                    LOOP_WRITES,
                    LOOP_WAKEUPS,
                    LOOP_BUSY,
                    SCRAPE,
                    CPU,
                    RESIDENT,
                    VIRTUAL,
                    OPEN_FDS,
                    MAX_FDS,
                    START_TIME);

    private TotalMetrics() {}
}

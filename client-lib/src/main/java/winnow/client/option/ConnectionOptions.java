package winnow.client.option;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import winnow.client.acknowledge.UnacknowledgedMemory;
import winnow.client.link.ReturnTerms;
import winnow.client.message.AllowedClasses;
import winnow.client.message.SpillSpace;
import winnow.client.receive.ConsumerSpec;
import winnow.client.receive.ConsumptionPace;
import winnow.client.receive.PrefetchWindow;
import winnow.client.transport.endpoint.BrokerHost;
import winnow.client.transport.endpoint.ConnectionLimits;
import winnow.client.transport.endpoint.ConnectionTarget;
import winnow.client.transport.endpoint.Continuity;
import winnow.client.transport.endpoint.GivenTls;
import winnow.client.transport.endpoint.Login;
import winnow.client.transport.endpoint.RetryTerms;
import winnow.client.transport.endpoint.RoundLimit;
import winnow.client.transport.endpoint.SocketTerms;
import winnow.client.transport.endpoint.TlsOptions;
import winnow.wire.ConsumerRole;
import winnow.wire.PeerDescription;
import winnow.wire.ProductVersion;

/// Everything that a connection is told when it is made. Immutable.
///
/// @param given TLS of the application's own, null if there is none
/// @param interruptionListener null for none
public record ConnectionOptions(
        List<BrokerHost> hosts,
        boolean tls,
        Map<ClientOption, String> values,
        @Nullable GivenTls given,
        @Nullable InterruptionListener interruptionListener) {
    private static final String PRODUCT = "winnow-client/" + ProductVersion.text();

    /// A text takes the bytes that came and up to twice as many characters: three eighths of the
    /// heap.
    private static final int MESSAGE_HEAP_PART = 8;

    private static final int UNACKNOWLEDGED_HEAP_PART = 8;

    public ConnectionOptions {
        hosts = List.copyOf(hosts);
        values = Map.copyOf(values);
    }

    /// Options of the factory of such a connection: the URL with those that replace its own.
    ///
    /// @throws IllegalArgumentException if TLS is given and the URL has none, or there are a user
    ///   and a token
    public static ConnectionOptions of(
            ConnectionUrl url, Map<ClientOption, String> settings, @Nullable GivenTls given) {
        if (given != null && !url.tls()) {
            throw new IllegalArgumentException(
                    "an SSL context: expected a URL of TLS (winnows://) with it, found " + url);
        }
        Map<ClientOption, String> values = new EnumMap<>(ClientOption.class);
        values.putAll(url.options());
        values.putAll(settings);
        requireOneProof(values);
        return new ConnectionOptions(url.hosts(), url.tls(), values, given, null);
    }

    private static void requireOneProof(Map<ClientOption, String> values) {
        if (!values.getOrDefault(ClientOption.TOKEN_FILE, "").isEmpty()
                && !values.getOrDefault(ClientOption.USERNAME, "").isEmpty()) {
            throw new IllegalArgumentException(
                    "options username and tokenFile: expected one of them, found both");
        }
    }

    /// The same with a listener.
    public ConnectionOptions with(@Nullable InterruptionListener listener) {
        return new ConnectionOptions(hosts, tls, values, given, listener);
    }

    private String text(ClientOption option) {
        return values.getOrDefault(option, option.defaultValue());
    }

    private int number(ClientOption option) {
        return Integer.parseInt(text(option));
    }

    /// The client identifier that is configured, empty if none.
    public String clientId() {
        return text(ClientOption.CLIENT_ID);
    }

    public long sendTimeoutNanos() {
        return TimeUnit.MILLISECONDS.toNanos(number(ClientOption.SEND_TIMEOUT));
    }

    public int requestTimeoutMillis() {
        return number(ClientOption.REQUEST_TIMEOUT);
    }

    public int closeTimeoutMillis() {
        return number(ClientOption.CLOSE_TIMEOUT);
    }

    /// Window of messages that the broker sends ahead to a consumer. Those of a queue or a shared
    /// subscription are kept from the other consumers, so that the window follows the pace.
    public PrefetchWindow prefetchWindow(ConsumerSpec spec) {
        ConsumptionPace pace = isAlone(spec) ? null : new ConsumptionPace(System::nanoTime);
        return new PrefetchWindow(prefetchMessages(spec), prefetchBytes(), pace);
    }

    /// The same of a consumer that takes so many messages at most, all at once.
    public PrefetchWindow prefetchWindow(ConsumerSpec spec, int maxMessages) {
        int messages = Math.min(maxMessages, prefetchMessages(spec));
        return new PrefetchWindow(messages, prefetchBytes(), null);
    }

    private static boolean isAlone(ConsumerSpec spec) {
        ConsumerRole role = spec.role();
        return role == null || role == ConsumerRole.DURABLE || role == ConsumerRole.BROWSER;
    }

    private int prefetchMessages(ConsumerSpec spec) {
        return number(isAlone(spec) ? ClientOption.PREFETCH_MESSAGES : ClientOption.QUEUE_PREFETCH);
    }

    private int prefetchBytes() {
        return number(ClientOption.PREFETCH_BYTES);
    }

    /// Bytes of the longest message that is taken into the heap.
    public int maxMessageBytes() {
        int wanted = number(ClientOption.MAX_MESSAGE_BYTES);
        long ofHeap = Runtime.getRuntime().maxMemory() / MESSAGE_HEAP_PART;
        long bytes = wanted > 0 ? wanted : Math.min(Integer.MAX_VALUE, ofHeap);
        return (int) Math.max(ConnectionLimits.LEAST_MESSAGE_BYTES, bytes);
    }

    /// For messages that the broker does not keep.
    public UnacknowledgedMemory unacknowledgedMemory() {
        int wanted = number(ClientOption.MAX_UNACKNOWLEDGED_BYTES);
        long ofHeap = Runtime.getRuntime().maxMemory() / UNACKNOWLEDGED_HEAP_PART;
        return new UnacknowledgedMemory(wanted > 0 ? wanted : ofHeap);
    }

    /// Space for large bodies.
    public SpillSpace spillSpace() {
        return new SpillSpace(
                text(ClientOption.LARGE_MESSAGE_FOLDER),
                (long) number(ClientOption.LARGE_MESSAGE_DISK) << 20);
    }

    public AllowedClasses allowedClasses() {
        String classes = text(ClientOption.ALLOWED_CLASSES);
        return classes.isBlank()
                ? AllowedClasses.NONE
                : new AllowedClasses(List.of(classes.strip().split("\\s*,\\s*", -1)));
    }

    private String application() {
        String configured = text(ClientOption.APPLICATION);
        return configured.isBlank() ? LocalNames.program() : configured;
    }

    /// Target for the transport to connect to with that client identifier.
    public ConnectionTarget target(String clientId) {
        Login login =
                new Login(
                        clientId,
                        text(ClientOption.MECHANISM),
                        text(ClientOption.USERNAME),
                        text(ClientOption.PASSWORD),
                        number(ClientOption.HEARTBEAT),
                        new PeerDescription(PRODUCT, application(), LocalNames.host()).text(),
                        text(ClientOption.TOKEN_FILE),
                        new Continuity());
        return new ConnectionTarget(
                hosts,
                retryTerms(),
                login,
                new ConnectionLimits(
                        number(ClientOption.CONNECT_TIMEOUT),
                        requestTimeoutMillis(),
                        maxMessageBytes()),
                number(ClientOption.IO_THREADS),
                new SocketTerms(
                        number(ClientOption.SOCKET_BUFFER),
                        Boolean.parseBoolean(text(ClientOption.TCP_NO_DELAY))),
                tls ? tlsOptions() : null);
    }

    private RetryTerms retryTerms() {
        return new RetryTerms(
                new RoundLimit(
                        number(ClientOption.STARTUP_MAX_RECONNECT_ATTEMPTS),
                        TimeUnit.MILLISECONDS.toNanos(number(ClientOption.STARTUP_TIMEOUT))),
                number(ClientOption.RECONNECT_DELAY),
                Double.parseDouble(text(ClientOption.RECONNECT_BACK_OFF_MULTIPLIER)),
                number(ClientOption.MAX_RECONNECT_DELAY),
                number(ClientOption.WARN_AFTER_RECONNECT_ATTEMPTS),
                Boolean.parseBoolean(text(ClientOption.RANDOMIZE)));
    }

    /// Terms on which a lost connection comes back.
    public ReturnTerms returnTerms() {
        return new ReturnTerms(
                number(ClientOption.MAX_RECONNECT_ATTEMPTS),
                number(ClientOption.INITIAL_RECONNECT_DELAY),
                requestTimeoutMillis(),
                number(ClientOption.SEND_TIMEOUT));
    }

    private TlsOptions tlsOptions() {
        return new TlsOptions(
                text(ClientOption.TRUST_STORE),
                text(ClientOption.TRUST_STORE_PASSWORD),
                Boolean.parseBoolean(text(ClientOption.VERIFY_HOST)),
                Boolean.parseBoolean(text(ClientOption.TRUST_ALL)),
                text(ClientOption.KEY_STORE),
                text(ClientOption.KEY_STORE_PASSWORD),
                given);
    }

    /// Without the values, among which is the password.
    @Override
    public String toString() {
        return "ConnectionOptions" + hosts;
    }
}

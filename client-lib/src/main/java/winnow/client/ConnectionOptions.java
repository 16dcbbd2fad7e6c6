package winnow.client;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import winnow.client.message.AllowedClasses;
import winnow.client.message.SpillSpace;
import winnow.client.transport.ConnectionLimits;
import winnow.client.transport.ConnectionTarget;
import winnow.client.transport.Login;
import winnow.client.transport.TlsOptions;
import winnow.wire.ConsumerRole;
import winnow.wire.ProductVersion;

/// Everything that a connection is told when it is made. Immutable.
record ConnectionOptions(String host, int port, boolean tls, Map<ClientOption, String> values) {
    /// Ends in an empty line, which means nothing to a broker, but makes a server that reads lines,
    /// such as one of HTTP, answer at once, so that it can be told what it is.
    private static final String PRODUCT = "winnow-client/" + ProductVersion.text() + "\r\n\r\n";

    /// A text takes the bytes that came and up to twice as many characters: three eighths of the
    /// heap.
    private static final int MESSAGE_HEAP_PART = 8;

    private static final int UNACKNOWLEDGED_HEAP_PART = 8;

    ConnectionOptions {
        values = Map.copyOf(values);
    }

    private String text(ClientOption option) {
        return values.getOrDefault(option, option.defaultValue());
    }

    private int number(ClientOption option) {
        return Integer.parseInt(text(option));
    }

    /// The client identifier that is configured, empty if none.
    String clientId() {
        return text(ClientOption.CLIENT_ID);
    }

    long sendTimeoutNanos() {
        return TimeUnit.MILLISECONDS.toNanos(number(ClientOption.SEND_TIMEOUT));
    }

    int requestTimeoutMillis() {
        return number(ClientOption.REQUEST_TIMEOUT);
    }

    int closeTimeoutMillis() {
        return number(ClientOption.CLOSE_TIMEOUT);
    }

    /// Messages that the broker may send ahead to a consumer. What it sends ahead of a queue or a
    /// shared subscription is kept from the other consumers.
    int prefetchMessages(ConsumerSpec spec) {
        ConsumerRole role = spec.role();
        boolean alone =
                role == null || role == ConsumerRole.DURABLE || role == ConsumerRole.BROWSER;
        return number(alone ? ClientOption.PREFETCH_MESSAGES : ClientOption.QUEUE_PREFETCH);
    }

    int prefetchBytes() {
        return number(ClientOption.PREFETCH_BYTES);
    }

    /// Bytes of the longest message that is taken into the heap.
    int maxMessageBytes() {
        int wanted = number(ClientOption.MAX_MESSAGE_BYTES);
        long ofHeap = Runtime.getRuntime().maxMemory() / MESSAGE_HEAP_PART;
        long bytes = wanted > 0 ? wanted : Math.min(Integer.MAX_VALUE, ofHeap);
        return (int) Math.max(ConnectionLimits.LEAST_MESSAGE_BYTES, bytes);
    }

    /// For messages that the broker does not keep.
    UnacknowledgedMemory unacknowledgedMemory() {
        int wanted = number(ClientOption.MAX_UNACKNOWLEDGED_BYTES);
        long ofHeap = Runtime.getRuntime().maxMemory() / UNACKNOWLEDGED_HEAP_PART;
        return new UnacknowledgedMemory(wanted > 0 ? wanted : ofHeap);
    }

    /// Where large bodies go.
    SpillSpace spillSpace() {
        return new SpillSpace(
                text(ClientOption.LARGE_MESSAGE_FOLDER),
                (long) number(ClientOption.LARGE_MESSAGE_DISK) << 20);
    }

    AllowedClasses allowedClasses() {
        String classes = text(ClientOption.ALLOWED_CLASSES);
        return classes.isBlank()
                ? AllowedClasses.NONE
                : new AllowedClasses(List.of(classes.strip().split("\\s*,\\s*", -1)));
    }

    /// What the transport needs to connect with that client identifier.
    ConnectionTarget target(String clientId) {
        Login login =
                new Login(
                        clientId,
                        text(ClientOption.MECHANISM),
                        text(ClientOption.USERNAME),
                        text(ClientOption.PASSWORD),
                        number(ClientOption.HEARTBEAT),
                        PRODUCT);
        return new ConnectionTarget(
                host,
                port,
                login,
                new ConnectionLimits(
                        number(ClientOption.CONNECT_TIMEOUT),
                        requestTimeoutMillis(),
                        maxMessageBytes()),
                number(ClientOption.IO_THREADS),
                tls ? tlsOptions() : null);
    }

    private TlsOptions tlsOptions() {
        return new TlsOptions(
                text(ClientOption.TRUST_STORE),
                text(ClientOption.TRUST_STORE_PASSWORD),
                Boolean.parseBoolean(text(ClientOption.VERIFY_HOST)),
                Boolean.parseBoolean(text(ClientOption.TRUST_ALL)),
                text(ClientOption.KEY_STORE),
                text(ClientOption.KEY_STORE_PASSWORD));
    }

    /// Without the values, among which is the password.
    @Override
    public String toString() {
        return "ConnectionOptions[" + host + ":" + port + "]";
    }
}

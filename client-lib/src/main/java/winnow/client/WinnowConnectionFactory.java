package winnow.client;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.QueueConnection;
import jakarta.jms.QueueConnectionFactory;
import jakarta.jms.Session;
import jakarta.jms.TopicConnection;
import jakarta.jms.TopicConnectionFactory;
import java.io.Serializable;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Map;
import java.util.StringJoiner;
import javax.naming.Reference;
import javax.naming.Referenceable;
import javax.naming.StringRefAddr;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;
import winnow.client.option.ClientOption;
import winnow.client.option.ConnectionOptions;
import winnow.client.option.ConnectionUrl;
import winnow.client.option.InterruptionListener;
import winnow.client.session.JmsDomain;
import winnow.client.session.WinnowConnection;
import winnow.client.transport.endpoint.GivenTls;

/// Makes connections to a Winnow broker.
///
/// The URL is `winnow://host:port,host:port?option=value&…`, or `winnows://…` for TLS; one host is
/// enough. The options, with units, ranges and defaults, are in docs/SETTINGS, "Client"; each has a
/// setter here. Times are milliseconds. An unknown option or a value that does not fit is an
/// IllegalArgumentException. Setters replace what the URL says.
///
/// A connection that is lost comes back by itself, to any of the hosts (docs/APPLICATIONS, "Coming
/// back"). A started one with a message listener keeps the process running until it is closed, or
/// lost for good.
///
/// Set it up in one thread; after that it is thread-safe.
public sealed class WinnowConnectionFactory
        implements ConnectionFactory,
                QueueConnectionFactory,
                TopicConnectionFactory,
                Serializable,
                Referenceable
        permits WinnowXAConnectionFactory {
    /// Target of the no-argument constructor.
    public static final String DEFAULT_URL = "winnow://127.0.0.1:" + ConnectionUrl.DEFAULT_PORT;

    private static final long serialVersionUID = 1L;

    private String url;
    private final EnumMap<ClientOption, String> settings = new EnumMap<>(ClientOption.class);
    private transient volatile @Nullable GivenTls givenTls;
    private transient volatile @Nullable InterruptionListener interruptionListener;

    /// A factory for a broker on this machine, at [#DEFAULT_URL].
    public WinnowConnectionFactory() {
        this(DEFAULT_URL);
    }

    /// A factory for the broker at that URL.
    ///
    /// @throws IllegalArgumentException if the URL is not as described above
    public WinnowConnectionFactory(String url) {
        ConnectionUrl.parse(url);
        this.url = url;
    }

    /// A factory with credentials, which replace those of the URL.
    ///
    /// @throws IllegalArgumentException if the URL is not as described above
    public WinnowConnectionFactory(String url, @Nullable String user, @Nullable String password) {
        this(url);
        putCredentials(settings, user, password);
    }

    private static void putCredentials(
            Map<ClientOption, String> target, @Nullable String user, @Nullable String password) {
        target.put(ClientOption.USERNAME, user == null ? "" : user);
        target.put(ClientOption.PASSWORD, password == null ? "" : password);
    }

    final ConnectionOptions options() {
        return ConnectionOptions.of(ConnectionUrl.parse(url), settings, givenTls)
                .with(interruptionListener);
    }

    final ConnectionOptions options(@Nullable String user, @Nullable String password) {
        Map<ClientOption, String> replaced = new EnumMap<>(settings);
        putCredentials(replaced, user, password);
        return ConnectionOptions.of(ConnectionUrl.parse(url), replaced, givenTls)
                .with(interruptionListener);
    }

    @Override
    public Connection createConnection() throws JMSException {
        return WinnowConnection.open(options(), JmsDomain.ANY);
    }

    @Override
    public Connection createConnection(@Nullable String user, @Nullable String password)
            throws JMSException {
        return WinnowConnection.open(options(user, password), JmsDomain.ANY);
    }

    @Override
    public TopicConnection createTopicConnection() throws JMSException {
        return WinnowConnection.open(options(), JmsDomain.TOPIC);
    }

    @Override
    public TopicConnection createTopicConnection(@Nullable String user, @Nullable String password)
            throws JMSException {
        return WinnowConnection.open(options(user, password), JmsDomain.TOPIC);
    }

    @Override
    public QueueConnection createQueueConnection() throws JMSException {
        return WinnowConnection.open(options(), JmsDomain.QUEUE);
    }

    @Override
    public QueueConnection createQueueConnection(@Nullable String user, @Nullable String password)
            throws JMSException {
        return WinnowConnection.open(options(user, password), JmsDomain.QUEUE);
    }

    @Override
    public JMSContext createContext() {
        return createContext(Session.AUTO_ACKNOWLEDGE);
    }

    @Override
    public JMSContext createContext(int sessionMode) {
        return WinnowContext.open(options(), sessionMode);
    }

    @Override
    public JMSContext createContext(@Nullable String user, @Nullable String password) {
        return createContext(user, password, Session.AUTO_ACKNOWLEDGE);
    }

    @Override
    public JMSContext createContext(
            @Nullable String user, @Nullable String password, int sessionMode) {
        return WinnowContext.open(options(user, password), sessionMode);
    }

    private String get(ClientOption option) {
        return options().values().getOrDefault(option, option.defaultValue());
    }

    private int getNumber(ClientOption option) {
        return Integer.parseInt(get(option));
    }

    private void set(ClientOption option, @Nullable String value) {
        String text = value == null ? "" : value;
        option.check(text, true);
        settings.put(option, text);
    }

    private void set(ClientOption option, int value) {
        set(option, Integer.toString(value));
    }

    /// Sets who is told when connections that are made from now on are interrupted and are back.
    public void setInterruptionListener(@Nullable InterruptionListener listener) {
        interruptionListener = listener;
    }

    /// The URL with its hosts and options, as it was given.
    public String getUrl() {
        return url;
    }

    /// Replaces the URL; what setters have set stays.
    ///
    /// @throws IllegalArgumentException if the URL is not as described above
    public void setUrl(String url) {
        ConnectionUrl.parse(url);
        this.url = url;
    }

    public String getUsername() {
        return get(ClientOption.USERNAME);
    }

    /// User to authenticate as; null or empty to be anonymous.
    public void setUsername(@Nullable String username) {
        set(ClientOption.USERNAME, username);
    }

    public String getPassword() {
        return get(ClientOption.PASSWORD);
    }

    /// The user's password.
    public void setPassword(@Nullable String password) {
        set(ClientOption.PASSWORD, password);
    }

    public String getMechanism() {
        return get(ClientOption.MECHANISM);
    }

    /// Proof of the user: `SCRAM-SHA-256`, `PLAIN`, which sends the password, or `EXTERNAL`.
    public void setMechanism(String mechanism) {
        set(ClientOption.MECHANISM, mechanism);
    }

    public String getTokenFile() {
        return get(ClientOption.TOKEN_FILE);
    }

    /// File of a bearer token in place of user and password, read at each login; null for none.
    public void setTokenFile(@Nullable String file) {
        set(ClientOption.TOKEN_FILE, file);
    }

    public String getTrustStore() {
        return get(ClientOption.TRUST_STORE);
    }

    /// File of the certificates that are trusted, PEM or PKCS#12; null for the JDK's.
    public void setTrustStore(@Nullable String file) {
        set(ClientOption.TRUST_STORE, file);
    }

    /// Password of a PKCS#12 trust store.
    public void setTrustStorePassword(@Nullable String password) {
        set(ClientOption.TRUST_STORE_PASSWORD, password);
    }

    public boolean isVerifyHost() {
        return Boolean.parseBoolean(get(ClientOption.VERIFY_HOST));
    }

    /// Sets whether the broker's certificate must be for the host of the URL, as it is by default.
    public void setVerifyHost(boolean verify) {
        set(ClientOption.VERIFY_HOST, Boolean.toString(verify));
    }

    public boolean isTrustAll() {
        return Boolean.parseBoolean(get(ClientOption.TRUST_ALL));
    }

    /// Sets whether any certificate will do: for tests, as who reaches the connection can read it.
    public void setTrustAll(boolean trustAll) {
        set(ClientOption.TRUST_ALL, Boolean.toString(trustAll));
    }

    public String getKeyStore() {
        return get(ClientOption.KEY_STORE);
    }

    /// File of the client's own certificate and key, PEM or PKCS#12; null for none.
    public void setKeyStore(@Nullable String file) {
        set(ClientOption.KEY_STORE, file);
    }

    /// Password of a PKCS#12 key store, or of the encrypted key of a PEM one.
    public void setKeyStorePassword(@Nullable String password) {
        set(ClientOption.KEY_STORE_PASSWORD, password);
    }

    public String getClientID() {
        return get(ClientOption.CLIENT_ID);
    }

    /// Client identifier of every connection; null for none.
    public void setClientID(@Nullable String clientId) {
        set(ClientOption.CLIENT_ID, clientId);
    }

    public String getApplication() {
        return get(ClientOption.APPLICATION);
    }

    /// Name by which the broker's operator recognises the connections; null for the main class.
    public void setApplication(@Nullable String name) {
        set(ClientOption.APPLICATION, name);
    }

    /// The TLS context that was set, null if none was. It is what connections use, whatever
    /// [#getTrustStore], [#getKeyStore] and [#isTrustAll] say.
    public @Nullable SSLContext getSslContext() {
        GivenTls given = givenTls;
        return given == null ? null : given.context();
    }

    /// TLS of the application's own, in place of trust store, key store and trusting all; with a
    /// URL of `winnows://`. [#isVerifyHost] says if the certificate must be for the URL's host. It
    /// holds for later connections, and stays. It is neither serialized nor in a [Reference].
    ///
    /// @param choices its protocols and cipher suites, each null for those that are used otherwise
    public void setSslContext(SSLContext context, SSLParameters choices) {
        givenTls = GivenTls.of(context, choices);
    }

    public int getConnectTimeout() {
        return getNumber(ClientOption.CONNECT_TIMEOUT);
    }

    /// Longest wait for one host: name, TCP connection and handshake together, in milliseconds.
    public void setConnectTimeout(int millis) {
        set(ClientOption.CONNECT_TIMEOUT, millis);
    }

    public int getStartupMaxReconnectAttempts() {
        return getNumber(ClientOption.STARTUP_MAX_RECONNECT_ATTEMPTS);
    }

    /// Number of times that all hosts are tried again when a connection is made; -1 is no limit.
    public void setStartupMaxReconnectAttempts(int rounds) {
        set(ClientOption.STARTUP_MAX_RECONNECT_ATTEMPTS, rounds);
    }

    public int getStartupTimeout() {
        return getNumber(ClientOption.STARTUP_TIMEOUT);
    }

    /// Milliseconds after which the hosts are not tried again for a new connection; 0: no limit.
    public void setStartupTimeout(int millis) {
        set(ClientOption.STARTUP_TIMEOUT, millis);
    }

    public int getReconnectDelay() {
        return getNumber(ClientOption.RECONNECT_DELAY);
    }

    /// Longest pause before the second round, in milliseconds.
    public void setReconnectDelay(int millis) {
        set(ClientOption.RECONNECT_DELAY, millis);
    }

    public double getReconnectBackOffMultiplier() {
        return Double.parseDouble(get(ClientOption.RECONNECT_BACK_OFF_MULTIPLIER));
    }

    /// By how much the longest pause grows with each round.
    public void setReconnectBackOffMultiplier(double factor) {
        set(ClientOption.RECONNECT_BACK_OFF_MULTIPLIER, Double.toString(factor));
    }

    public int getMaxReconnectDelay() {
        return getNumber(ClientOption.MAX_RECONNECT_DELAY);
    }

    /// Limit of the longest pause, in milliseconds.
    public void setMaxReconnectDelay(int millis) {
        set(ClientOption.MAX_RECONNECT_DELAY, millis);
    }

    public int getWarnAfterReconnectAttempts() {
        return getNumber(ClientOption.WARN_AFTER_RECONNECT_ATTEMPTS);
    }

    /// Rounds after which a warning is logged; 0 is none.
    public void setWarnAfterReconnectAttempts(int rounds) {
        set(ClientOption.WARN_AFTER_RECONNECT_ATTEMPTS, rounds);
    }

    public boolean isRandomize() {
        return Boolean.parseBoolean(get(ClientOption.RANDOMIZE));
    }

    /// Sets whether hosts and their addresses are tried in random order.
    public void setRandomize(boolean randomize) {
        set(ClientOption.RANDOMIZE, Boolean.toString(randomize));
    }

    public int getRequestTimeout() {
        return getNumber(ClientOption.REQUEST_TIMEOUT);
    }

    /// Longest wait for the broker's answer to a request, in milliseconds.
    public void setRequestTimeout(int millis) {
        set(ClientOption.REQUEST_TIMEOUT, millis);
    }

    public int getSendTimeout() {
        return getNumber(ClientOption.SEND_TIMEOUT);
    }

    /// Longest wait of a send for credit, and then for its confirmation, in milliseconds.
    public void setSendTimeout(int millis) {
        set(ClientOption.SEND_TIMEOUT, millis);
    }

    public int getCloseTimeout() {
        return getNumber(ClientOption.CLOSE_TIMEOUT);
    }

    /// Longest wait of a close for the broker to handle what was sent, in milliseconds.
    public void setCloseTimeout(int millis) {
        set(ClientOption.CLOSE_TIMEOUT, millis);
    }

    public int getHeartbeat() {
        return getNumber(ClientOption.HEARTBEAT);
    }

    /// Longest silence that this side wishes for, in milliseconds; 0 is no wish.
    public void setHeartbeat(int millis) {
        set(ClientOption.HEARTBEAT, millis);
    }

    public int getPrefetchMessages() {
        return getNumber(ClientOption.PREFETCH_MESSAGES);
    }

    /// Messages that the broker may send ahead to each consumer, at most.
    public void setPrefetchMessages(int messages) {
        set(ClientOption.PREFETCH_MESSAGES, messages);
    }

    public int getQueuePrefetchMessages() {
        return getNumber(ClientOption.QUEUE_PREFETCH);
    }

    /// Most messages that the broker sends ahead to a consumer of a queue or shared subscription.
    public void setQueuePrefetchMessages(int messages) {
        set(ClientOption.QUEUE_PREFETCH, messages);
    }

    public int getPrefetchBytes() {
        return getNumber(ClientOption.PREFETCH_BYTES);
    }

    /// Heap in bytes of the messages that the broker may send ahead to each consumer.
    public void setPrefetchBytes(int bytes) {
        set(ClientOption.PREFETCH_BYTES, bytes);
    }

    public int getIoThreads() {
        return getNumber(ClientOption.IO_THREADS);
    }

    /// Event loops; connections of a process that want as many share them.
    public void setIoThreads(int threads) {
        set(ClientOption.IO_THREADS, threads);
    }

    public String getLargeMessageFolder() {
        return get(ClientOption.LARGE_MESSAGE_FOLDER);
    }

    /// Folder of large bodies of bytes messages; null for the JDK's folder of temporary files.
    public void setLargeMessageFolder(@Nullable String folder) {
        set(ClientOption.LARGE_MESSAGE_FOLDER, folder);
    }

    public int getLargeMessageDisk() {
        return getNumber(ClientOption.LARGE_MESSAGE_DISK);
    }

    /// Disk in MiB that these bodies may take for one connection.
    public void setLargeMessageDisk(int mebibytes) {
        set(ClientOption.LARGE_MESSAGE_DISK, mebibytes);
    }

    public String getAllowedClasses() {
        return get(ClientOption.ALLOWED_CLASSES);
    }

    /// Classes or packages (`com.example.*`) that object messages may name, joined by commas.
    public void setAllowedClasses(@Nullable String classes) {
        set(ClientOption.ALLOWED_CLASSES, classes);
    }

    /// Has one URL with all that was set, the password included; options of TLS only with TLS.
    @Override
    public Reference getReference() {
        StringJoiner query = new StringJoiner("&", "?", "").setEmptyValue("");
        ConnectionOptions options = options();
        options.values()
                .forEach((option, value) -> {
                    if (options.tls() || !option.isOfTls()) {
                        String text = URLEncoder.encode(value, StandardCharsets.UTF_8);
                        query.add(option.key() + "=" + text.replace("+", "%20"));
                    }
                });
        return new Reference(
                getClass().getName(),
                new StringRefAddr("url", ConnectionUrl.parse(url) + query.toString()),
                "winnow.client.jndi.WinnowObjectFactory",
                null);
    }

    @Override
    public String toString() {
        return getClass().getSimpleName() + "[" + ConnectionUrl.parse(url) + "]";
    }
}

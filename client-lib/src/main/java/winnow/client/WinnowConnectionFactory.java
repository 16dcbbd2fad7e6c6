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
import org.jspecify.annotations.Nullable;

/// Makes connections to a Winnow broker.
///
/// The URL is `winnow://host:port?option=value&…`, or `winnows://…` for TLS; what it may say is in
/// [ClientOption]: `username`, `password`, `mechanism`, `trustStore`, `trustStorePassword`,
/// `verifyHost`, `trustAll`, `keyStore`, `keyStorePassword`, `clientID`, `connectTimeout`,
/// `requestTimeout`, `sendTimeout`, `closeTimeout`, `heartbeat` (milliseconds), `prefetchMessages`,
/// `prefetchBytes`, `ioThreads`, `allowedClasses`. An unknown option or a value that does not fit
/// is an IllegalArgumentException. Setters replace what the URL says.
///
/// `prefetchMessages` and `prefetchBytes` limit what is sent ahead to each consumer: so many
/// messages, and so much heap, objects included. In a session of CLIENT_ACKNOWLEDGE messages count
/// until they are acknowledged, so an application that acknowledges rarely needs a window larger
/// than what it leaves unacknowledged at a time; otherwise its receive waits for ever.
///
/// A started connection with a message listener keeps the process running until it is closed or
/// lost.
///
/// Set it up in one thread; after that it is thread-safe.
public final class WinnowConnectionFactory
        implements ConnectionFactory,
                QueueConnectionFactory,
                TopicConnectionFactory,
                Serializable,
                Referenceable {
    /// Where the no-argument constructor connects to.
    public static final String DEFAULT_URL = "winnow://127.0.0.1:" + ConnectionUrl.DEFAULT_PORT;

    private static final long serialVersionUID = 1L;

    private String url;
    private final EnumMap<ClientOption, String> settings = new EnumMap<>(ClientOption.class);

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

    private ConnectionOptions options() {
        ConnectionUrl parsed = ConnectionUrl.parse(url);
        Map<ClientOption, String> values = new EnumMap<>(ClientOption.class);
        values.putAll(parsed.options());
        values.putAll(settings);
        return new ConnectionOptions(parsed.host(), parsed.port(), parsed.tls(), values);
    }

    private ConnectionOptions options(@Nullable String user, @Nullable String password) {
        ConnectionOptions configured = options();
        Map<ClientOption, String> values = new EnumMap<>(ClientOption.class);
        values.putAll(configured.values());
        putCredentials(values, user, password);
        return new ConnectionOptions(
                configured.host(), configured.port(), configured.tls(), values);
    }

    @Override
    public Connection createConnection() throws JMSException {
        return WinnowConnection.open(options(), Domain.ANY);
    }

    @Override
    public Connection createConnection(@Nullable String user, @Nullable String password)
            throws JMSException {
        return WinnowConnection.open(options(user, password), Domain.ANY);
    }

    @Override
    public TopicConnection createTopicConnection() throws JMSException {
        return WinnowConnection.open(options(), Domain.TOPIC);
    }

    @Override
    public TopicConnection createTopicConnection(@Nullable String user, @Nullable String password)
            throws JMSException {
        return WinnowConnection.open(options(user, password), Domain.TOPIC);
    }

    @Override
    public QueueConnection createQueueConnection() throws JMSException {
        return WinnowConnection.open(options(), Domain.QUEUE);
    }

    @Override
    public QueueConnection createQueueConnection(@Nullable String user, @Nullable String password)
            throws JMSException {
        return WinnowConnection.open(options(user, password), Domain.QUEUE);
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

    public void setUsername(@Nullable String username) {
        set(ClientOption.USERNAME, username);
    }

    public String getPassword() {
        return get(ClientOption.PASSWORD);
    }

    public void setPassword(@Nullable String password) {
        set(ClientOption.PASSWORD, password);
    }

    public String getMechanism() {
        return get(ClientOption.MECHANISM);
    }

    public void setMechanism(String mechanism) {
        set(ClientOption.MECHANISM, mechanism);
    }

    public String getTrustStore() {
        return get(ClientOption.TRUST_STORE);
    }

    public void setTrustStore(@Nullable String file) {
        set(ClientOption.TRUST_STORE, file);
    }

    public void setTrustStorePassword(@Nullable String password) {
        set(ClientOption.TRUST_STORE_PASSWORD, password);
    }

    public boolean isVerifyHost() {
        return Boolean.parseBoolean(get(ClientOption.VERIFY_HOST));
    }

    public void setVerifyHost(boolean verify) {
        set(ClientOption.VERIFY_HOST, Boolean.toString(verify));
    }

    public boolean isTrustAll() {
        return Boolean.parseBoolean(get(ClientOption.TRUST_ALL));
    }

    public void setTrustAll(boolean trustAll) {
        set(ClientOption.TRUST_ALL, Boolean.toString(trustAll));
    }

    public String getKeyStore() {
        return get(ClientOption.KEY_STORE);
    }

    public void setKeyStore(@Nullable String file) {
        set(ClientOption.KEY_STORE, file);
    }

    public void setKeyStorePassword(@Nullable String password) {
        set(ClientOption.KEY_STORE_PASSWORD, password);
    }

    public String getClientID() {
        return get(ClientOption.CLIENT_ID);
    }

    public void setClientID(@Nullable String clientId) {
        set(ClientOption.CLIENT_ID, clientId);
    }

    public int getConnectTimeout() {
        return getNumber(ClientOption.CONNECT_TIMEOUT);
    }

    public void setConnectTimeout(int millis) {
        set(ClientOption.CONNECT_TIMEOUT, millis);
    }

    public int getRequestTimeout() {
        return getNumber(ClientOption.REQUEST_TIMEOUT);
    }

    public void setRequestTimeout(int millis) {
        set(ClientOption.REQUEST_TIMEOUT, millis);
    }

    public int getSendTimeout() {
        return getNumber(ClientOption.SEND_TIMEOUT);
    }

    public void setSendTimeout(int millis) {
        set(ClientOption.SEND_TIMEOUT, millis);
    }

    public int getCloseTimeout() {
        return getNumber(ClientOption.CLOSE_TIMEOUT);
    }

    public void setCloseTimeout(int millis) {
        set(ClientOption.CLOSE_TIMEOUT, millis);
    }

    public int getHeartbeat() {
        return getNumber(ClientOption.HEARTBEAT);
    }

    public void setHeartbeat(int millis) {
        set(ClientOption.HEARTBEAT, millis);
    }

    public int getPrefetchMessages() {
        return getNumber(ClientOption.PREFETCH_MESSAGES);
    }

    public void setPrefetchMessages(int messages) {
        set(ClientOption.PREFETCH_MESSAGES, messages);
    }

    public int getPrefetchBytes() {
        return getNumber(ClientOption.PREFETCH_BYTES);
    }

    public void setPrefetchBytes(int bytes) {
        set(ClientOption.PREFETCH_BYTES, bytes);
    }

    public int getIoThreads() {
        return getNumber(ClientOption.IO_THREADS);
    }

    public void setIoThreads(int threads) {
        set(ClientOption.IO_THREADS, threads);
    }

    public String getAllowedClasses() {
        return get(ClientOption.ALLOWED_CLASSES);
    }

    public void setAllowedClasses(@Nullable String classes) {
        set(ClientOption.ALLOWED_CLASSES, classes);
    }

    /// What a directory keeps of it: one URL with all that was set, the password included, but no
    /// options of TLS without TLS, because such a URL would be refused.
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

    /// Where it connects to.
    @Override
    public String toString() {
        return "WinnowConnectionFactory[" + ConnectionUrl.parse(url) + "]";
    }
}

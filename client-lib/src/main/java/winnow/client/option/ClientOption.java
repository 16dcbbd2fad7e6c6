package winnow.client.option;

import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import winnow.client.transport.endpoint.Login;

/// Options in the query of a connection URL, with form, default, unit and meaning.
public enum ClientOption {
    USERNAME(
            "username",
            Form.TEXT,
            "",
            "text",
            "user to authenticate as; without one the connection is anonymous"),
    PASSWORD("password", Form.TEXT, "", "text", "the user's password"),
    MECHANISM(
            "mechanism",
            Form.MECHANISM,
            Login.SCRAM,
            "name",
            "how the password is proven: `SCRAM-SHA-256`, which does not send it and has the"
                    + " broker prove that it knows it, or `PLAIN`, which sends it; `EXTERNAL` is"
                    + " for a user whom the certificate in `keyStore` proves, without a password"),
    TOKEN_FILE(
            "tokenFile",
            Form.TEXT,
            "",
            "file",
            "with a bearer token (JWT) in place of user and password, sent by the mechanism"
                    + " OAUTHBEARER; read at each login, so that it can be renewed. Needs"
                    + " `winnows://`, unless the broker is on this machine"),
    TRUST_STORE(
            "trustStore",
            Form.TEXT,
            "",
            "file",
            "with `winnows://`: the certificates that are trusted, PEM or PKCS#12; without one the"
                    + " JDK's are"),
    TRUST_STORE_PASSWORD(
            "trustStorePassword", Form.TEXT, "", "text", "password of a PKCS#12 trust store"),
    VERIFY_HOST(
            "verifyHost",
            Form.BOOLEAN,
            "true",
            "true or false",
            "with `winnows://`: whether the broker's certificate must be for the host of the URL"),
    TRUST_ALL(
            "trustAll",
            Form.BOOLEAN,
            "false",
            "true or false",
            "with `winnows://`: whether any certificate will do, for tests; who can reach the"
                    + " connection can read it then"),
    KEY_STORE(
            "keyStore",
            Form.TEXT,
            "",
            "file",
            "with `winnows://`: the client's own certificate and key, PEM or PKCS#12, for brokers"
                    + " that ask for one"),
    KEY_STORE_PASSWORD(
            "keyStorePassword",
            Form.TEXT,
            "",
            "text",
            "password of a PKCS#12 key store, or of the encrypted key of a PEM one"),
    CLIENT_ID(
            "clientID",
            Form.TEXT,
            "",
            "text",
            "client identifier of every connection of the factory"),
    APPLICATION(
            "application",
            Form.TEXT,
            "",
            "text",
            "name of the application, by which the broker's operator recognises its connections,"
                    + " beside the name of this host; without one the main class, or the jar of"
                    + " `java -jar`"),
    CONNECT_TIMEOUT(
            "connectTimeout",
            Form.POSITIVE,
            "15000",
            "ms",
            "longest wait for one host of the URL: name, TCP connection and handshake together. Of"
                    + " several hosts each has 1 s in the first round, and twice as long in each"
                    + " that follows, up to this"),
    STARTUP_MAX_RECONNECT_ATTEMPTS(
            "startupMaxReconnectAttempts",
            Form.COUNT_OR_NO_LIMIT,
            "-1",
            "rounds",
            "how often all hosts of the URL are tried again when a connection is made and none"
                    + " answers, or those that do are full, start or stop; -1 is no limit but"
                    + " `startupTimeout`, 0 an error after the first round. A refused login, a"
                    + " certificate that is not trusted or another kind of server is an error at"
                    + " once, whatever the option"),
    /// Long enough for a broker that is started again, short enough to notice a wrong URL.
    STARTUP_TIMEOUT(
            "startupTimeout",
            Form.NOT_NEGATIVE,
            "30000",
            "ms",
            "time after which the hosts of the URL are not tried again when a connection is made;"
                    + " 0 is no limit, for services that may start long before their broker"),
    MAX_RECONNECT_ATTEMPTS(
            "maxReconnectAttempts",
            Form.COUNT_OR_NO_LIMIT,
            "-1",
            "rounds",
            "how often all hosts of the URL are tried when a connection was lost; -1 is no limit."
                    + " Sessions, consumers and producers go on once one answers. 0 ends the"
                    + " connection at once, as does a refused login, and the exception listener is"
                    + " told"),
    INITIAL_RECONNECT_DELAY(
            "initialReconnectDelay",
            Form.NOT_NEGATIVE,
            "0",
            "ms",
            "pause before the first round after a connection was lost"),
    RECONNECT_DELAY(
            "reconnectDelay",
            Form.POSITIVE,
            "10",
            "ms",
            "longest pause before the second round; each pause is random, between nothing and the"
                    + " longest, so that clients do not come all at once"),
    RECONNECT_BACK_OFF_MULTIPLIER(
            "reconnectBackOffMultiplier",
            Form.FACTOR,
            "2",
            "factor",
            "by how much the longest pause grows with each round; 1 leaves it as it is"),
    MAX_RECONNECT_DELAY(
            "maxReconnectDelay",
            Form.POSITIVE,
            "30000",
            "ms",
            "what the longest pause does not exceed; in the first 60 rounds it is at most 1 s"),
    WARN_AFTER_RECONNECT_ATTEMPTS(
            "warnAfterReconnectAttempts",
            Form.NOT_NEGATIVE,
            "10",
            "rounds",
            "rounds after which a warning, one, is logged with what failed; 0 is none"),
    RANDOMIZE(
            "randomize",
            Form.BOOLEAN,
            "false",
            "true or false",
            "whether each round tries the hosts, and the addresses of each, in another random order"
                    + " instead of that of the URL"),
    REQUEST_TIMEOUT(
            "requestTimeout",
            Form.POSITIVE,
            "30000",
            "ms",
            "longest wait for the broker's answer to a request, such as" + " creating a consumer"),
    SEND_TIMEOUT(
            "sendTimeout",
            Form.POSITIVE,
            "60000",
            "ms",
            "longest wait of a send for credit, and then for its confirmation"
                    + " if it needs one"),
    CLOSE_TIMEOUT(
            "closeTimeout",
            Form.POSITIVE,
            "15000",
            "ms",
            "longest wait of a close for the broker to handle what was sent"),
    SOCKET_BUFFER(
            "socketBufferBytes",
            Form.NOT_NEGATIVE,
            "0",
            "bytes",
            "bytes that the kernel holds in each direction (SO_SNDBUF, SO_RCVBUF); a wide-area"
                    + " network needs its bandwidth times its delay; 0 leaves it to the kernel,"
                    + " which lets them grow with the need"),
    TCP_NO_DELAY(
            "tcpNoDelay",
            Form.BOOLEAN,
            "true",
            "true or false",
            "whether small writes leave at once (TCP_NODELAY) instead of waiting for the broker to"
                    + " confirm earlier ones"),
    /// Two of them, after which a silent broker is lost, and an election are less than
    /// [#REQUEST_TIMEOUT]: so a commit that waits for a leader that stands still is not in doubt.
    HEARTBEAT(
            "heartbeat",
            Form.NOT_NEGATIVE,
            "10000",
            "ms",
            "longest silence that this side causes and wishes for; the broker"
                    + " may want a shorter one, and takes none below a second; 0 is no"
                    + " wish"),
    /// So many that a saturated broker never waits for credit.
    PREFETCH_MESSAGES(
            "prefetchMessages",
            Form.POSITIVE,
            "32000",
            "messages",
            "messages that the broker may send ahead to each consumer, at"
                    + " most: fewer if their objects would take more than 7/8 of"
                    + " `prefetchBytes`"),
    QUEUE_PREFETCH(
            "queuePrefetchMessages",
            Form.POSITIVE,
            "1000",
            "messages",
            "messages that the broker may send ahead to each consumer of a queue or of"
                    + " a shared subscription, at most: 16 at first, then as many as the"
                    + " consumer handles in 50 ms and a round trip, so 1 where a message takes"
                    + " longer; others get them only when they wait"),
    PREFETCH_BYTES(
            "prefetchBytes",
            Form.POSITIVE,
            "8388608",
            "bytes",
            "heap that the messages take which the broker may send ahead to"
                    + " each consumer: 224 bytes each and the bytes of their frames; one"
                    + " message may exceed it"),
    MAX_UNACKNOWLEDGED_BYTES(
            "maxUnacknowledgedBytes",
            Form.NOT_NEGATIVE,
            "0",
            "bytes",
            "heap that the messages of live subscriptions take which the sessions of a connection"
                    + " with CLIENT_ACKNOWLEDGE or a transaction leave unacknowledged; 0 is an"
                    + " eighth of the heap. Above it a consumer gets a window of messages more;"
                    + " then its receive fails, or the exception listener is told"),
    MAX_MESSAGE_BYTES(
            "maxMessageBytes",
            Form.NOT_NEGATIVE,
            "0",
            "bytes",
            "longest message that is taken into the heap, at least 1.25 MiB; 0 is an eighth of the"
                    + " heap. A longer one counts as a failed delivery and goes to the dead-letter"
                    + " queue after too many; one of a live subscription is left out. The body of a"
                    + " bytes message that comes in parts stays in a file"),
    IO_THREADS(
            "ioThreads",
            Form.POSITIVE,
            "1",
            "threads",
            "event loops; connections of a process that want as many share" + " them"),
    LARGE_MESSAGE_FOLDER(
            "largeMessageFolder",
            Form.TEXT,
            "",
            "folder",
            "where the bodies of bytes messages of more than 1 MiB are kept, which are written or"
                    + " have come; without one in that of the JDK for temporary files"
                    + " (`java.io.tmpdir`)"),
    LARGE_MESSAGE_DISK(
            "largeMessageDisk",
            Form.POSITIVE,
            "16384",
            "MiB",
            "disk that these bodies may take for one connection"),
    ALLOWED_CLASSES(
            "allowedClasses",
            Form.TEXT,
            "",
            "names joined by commas",
            "classes or packages (`com.example.*`) that object messages may name besides values of"
                    + " the JDK; `*` is all classes, which is dangerous: who may send can run code"
                    + " of any class that the receiver has");

    private static final Pattern FACTOR_FORM = Pattern.compile("[1-9]\\d{0,2}(\\.\\d{1,6})?");

    private final String key;
    private final Form form;
    private final String defaultValue;
    private final String unit;
    private final String meaning;

    /// @param meaning as a phrase; docs/SETTINGS.md is made of it
    ClientOption(String key, Form form, String defaultValue, String unit, String meaning) {
        this.key = key;
        this.form = form;
        this.defaultValue = defaultValue;
        this.unit = unit;
        this.meaning = meaning;
    }

    public String key() {
        return key;
    }

    public String defaultValue() {
        return defaultValue;
    }

    /// True if the value must not be shown.
    boolean isSecret() {
        return this == PASSWORD || this == TRUST_STORE_PASSWORD || this == KEY_STORE_PASSWORD;
    }

    /// True if it means something with TLS only.
    public boolean isOfTls() {
        return compareTo(TRUST_STORE) >= 0 && compareTo(KEY_STORE_PASSWORD) <= 0;
    }

    /// Of the value.
    public String unit() {
        return unit;
    }

    /// Purpose of the option.
    public String meaning() {
        return meaning;
    }

    /// The option with that key, or null if there is none.
    static @Nullable ClientOption ofKey(String key) {
        for (ClientOption option : values()) {
            if (option.key.equals(key)) {
                return option;
            }
        }
        return null;
    }

    /// All keys, for people.
    static String keys() {
        return Arrays.stream(values()).map(ClientOption::key).collect(Collectors.joining(", "));
    }

    /// Fails unless the value has the option's form.
    ///
    /// @param quotable whether the value may be shown
    /// @throws IllegalArgumentException with option, expectation and what was found
    public void check(String value, boolean quotable) {
        boolean fits =
                switch (form) {
                    case TEXT -> true;
                    case BOOLEAN -> value.equals("true") || value.equals("false");
                    case MECHANISM -> Login.MECHANISMS.contains(value);
                    case FACTOR -> FACTOR_FORM.matcher(value).matches();
                    case POSITIVE -> isWholeNumber(value, 1);
                    case NOT_NEGATIVE -> isWholeNumber(value, 0);
                    case COUNT_OR_NO_LIMIT -> isWholeNumber(value, -1);
                };
        if (!fits) {
            throw new IllegalArgumentException(
                    "option %s: expected %s, found %s"
                            .formatted(
                                    key,
                                    form.expectation,
                                    quotable ? "'" + value + "'" : "something else"));
        }
    }

    private static boolean isWholeNumber(String value, int least) {
        try {
            return Integer.parseInt(value) >= least;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    private enum Form {
        TEXT("a text"),
        BOOLEAN("true or false"),
        MECHANISM("one of " + String.join(", ", Login.MECHANISMS)),
        FACTOR("a number of 1 to 999, such as 1.5"),
        POSITIVE("a whole number of at least 1"),
        NOT_NEGATIVE("a whole number of at least 0"),
        COUNT_OR_NO_LIMIT("a whole number of at least 0, or -1 for no limit");

        final String expectation;

        Form(String expectation) {
            this.expectation = expectation;
        }
    }
}

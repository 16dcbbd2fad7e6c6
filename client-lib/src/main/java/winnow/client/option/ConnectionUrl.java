package winnow.client.option;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import winnow.client.transport.endpoint.BrokerHost;

/// A connection URL: `winnow://host:port,host:port?option=value&…`, or `winnows://…` for TLS. One
/// host is enough; ports and query may be left out. Values are percent-decoded; `+` stands for
/// itself. Immutable.
///
/// @param hosts at least one, as they are in the URL
/// @param tls whether the connection uses TLS
/// @param options what the query says, checked
public record ConnectionUrl(
        List<BrokerHost> hosts, boolean tls, Map<ClientOption, String> options) {
    /// Port where none is given.
    public static final int DEFAULT_PORT = 61616;

    private static final String SCHEME = "winnow://";
    private static final String TLS_SCHEME = "winnows://";

    /// All of them are tried in each round of attempts.
    private static final int MAX_HOSTS = 64;

    private static final String LIST = "winnow://a:61616,b:61616";

    private static final Pattern HARMLESS_SCHEME = Pattern.compile("[a-zA-Z][a-zA-Z0-9+.-]*://");

    private static final String HOST = "(?:[A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]*\\]?)";
    private static final String END = "(?=[/?&;,)]|$)";
    private static final String PORT = "(?::\\d{1,5}" + END + ")";

    private static final Pattern HARMLESS =
            Pattern.compile(
                    "%s\\(?(?:%s%s?(?:,%s%s?%s)*)?|%s%s"
                            .formatted(HARMLESS_SCHEME, HOST, PORT, HOST, PORT, END, HOST, PORT));

    private static final Pattern LISTED_NAME = Pattern.compile("[A-Za-z0-9._-]+");

    /// A key that is hardly the begin of a password: one that its user put in place of an option.
    private static final Pattern QUOTABLE_KEY = Pattern.compile("(?!pass)[a-z]{1,40}");

    public ConnectionUrl {
        hosts = List.copyOf(hosts);
        options = Map.copyOf(options);
    }

    /// Reads the text form.
    ///
    /// @throws IllegalArgumentException with what was expected and what was found, but no secrets
    public static ConnectionUrl parse(String url) {
        if (url == null) {
            throw new IllegalArgumentException(
                    "expected a URL " + SCHEME + "host:port, found null");
        }
        boolean tls = url.startsWith(TLS_SCHEME);
        String scheme = tls ? TLS_SCHEME : SCHEME;
        if (!url.startsWith(scheme)) {
            throw unusable(
                    url,
                    "expected %shost:port?option=value, or %s for TLS%s"
                            .formatted(SCHEME, TLS_SCHEME, foreignForm(url)));
        }
        String rest = url.substring(scheme.length());
        int mark = rest.indexOf('?');
        String authority = mark < 0 ? rest : rest.substring(0, mark);
        String query = mark < 0 ? "" : rest.substring(mark + 1);
        if (authority.endsWith("/")) {
            authority = authority.substring(0, authority.length() - 1);
        }
        List<BrokerHost> hosts = hosts(url, authority);
        Map<ClientOption, String> options = options(query);
        if (!tls) {
            requireNoneOfTls(options);
        }
        return new ConnectionUrl(hosts, tls, options);
    }

    private static void requireNoneOfTls(Map<ClientOption, String> options) {
        for (ClientOption option : options.keySet()) {
            if (option.isOfTls()) {
                throw new IllegalArgumentException(
                        "option %s: expected a URL of TLS (%s) with it, found %s"
                                .formatted(option.key(), TLS_SCHEME, SCHEME));
            }
        }
    }

    /// Explains how hosts are written here, to those who write them as for another broker.
    private static String foreignForm(String url) {
        if (url.startsWith("failover:") || url.startsWith("(")) {
            return "; several hosts are written %s?option=value, without 'failover:' and '('"
                    .formatted(LIST);
        }
        return "";
    }

    private static List<BrokerHost> hosts(String url, String authority) {
        if (authority.startsWith("(")) {
            throw unusable(url, "expected hosts without '(', such as " + LIST);
        }
        if (authority.contains("://")) {
            throw unusable(url, "expected the scheme once, found it again: write " + LIST);
        }
        if (authority.indexOf('/') >= 0 || authority.indexOf('@') >= 0) {
            throw unusable(url, "expected host:port behind " + SCHEME);
        }
        String[] texts = authority.split(",", -1);
        if (texts.length > MAX_HOSTS) {
            throw unusable(
                    url, "expected at most %d hosts, found %d".formatted(MAX_HOSTS, texts.length));
        }
        List<BrokerHost> hosts = new ArrayList<>();
        for (int i = 0; i < texts.length; i++) {
            // The text may be a password in a wrong place, so its number has to do.
            String place = texts.length == 1 ? "" : " in host " + (i + 1) + " of " + texts.length;
            hosts.add(host(url, texts[i], place));
        }
        return hosts;
    }

    private static BrokerHost host(String url, String text, String place) {
        if (text.chars().anyMatch(c -> Character.isWhitespace(c) || Character.isSpaceChar(c))) {
            throw unusable(url, "expected host:port, found white space" + place);
        }
        int colon = text.lastIndexOf(':');
        boolean hasPort = colon > text.lastIndexOf(']');
        String host = hasPort ? text.substring(0, colon) : text;
        boolean bracketed = host.startsWith("[") && host.endsWith("]");
        String name = bracketed ? host.substring(1, host.length() - 1) : host;
        if (name.isEmpty()) {
            throw unusable(
                    url,
                    place.isEmpty()
                            ? "expected host:port behind " + SCHEME
                            : "expected host:port, found no name" + place);
        }
        // Behind a comma there may be the rest of a password.
        if (!bracketed && !place.isEmpty() && !LISTED_NAME.matcher(name).matches()) {
            throw unusable(
                    url,
                    "expected a name of letters, digits, '.', '-' and '_', or an IPv6 address in"
                            + " brackets, found another character"
                            + place);
        }
        if (!bracketed && name.indexOf(':') >= 0) {
            throw unusable(
                    url, "expected an IPv6 address in brackets, such as " + SCHEME + "[::1]:61616");
        }
        int port = hasPort ? port(url, text.substring(colon + 1), place) : DEFAULT_PORT;
        return new BrokerHost(name, port);
    }

    private static int port(String url, String text, String place) {
        try {
            int port = Integer.parseInt(text);
            if (port >= 1 && port <= 65535) {
                return port;
            }
        } catch (NumberFormatException e) {
            throw badPort(url, place);
        }
        throw badPort(url, place);
    }

    private static IllegalArgumentException badPort(String url, String place) {
        return unusable(url, "expected a port of 1 to 65535 behind the host" + place);
    }

    private static IllegalArgumentException unusable(String url, String expectation) {
        return new IllegalArgumentException("URL '" + harmless(url) + "': " + expectation);
    }

    /// The begin of a text, as far as it is scheme, hosts and ports for sure. Exceptions end up in
    /// logs, where no password belongs, and a password may stand in many a wrong place. Where there
    /// is an `@`, what is before it may be one, and what is behind it, too.
    private static String harmless(String text) {
        Matcher begin = (text.indexOf('@') < 0 ? HARMLESS : HARMLESS_SCHEME).matcher(text);
        String shown = begin.lookingAt() ? begin.group() : "";
        return shown.length() == text.length() ? text : shown + "…";
    }

    private static Map<ClientOption, String> options(String query) {
        Map<ClientOption, String> options = new EnumMap<>(ClientOption.class);
        if (query.isEmpty()) {
            return options;
        }
        String[] parts = query.split("&", -1);
        for (int i = 0; i < parts.length; i++) {
            String part = parts[i];
            int equals = part.indexOf('=');
            ClientOption option = ClientOption.ofKey(equals < 0 ? part : part.substring(0, equals));
            // What follows a password may belong to it. Where there is an `@`, a user and a
            // password may stand before it that had a `?` in them.
            boolean quotable =
                    query.indexOf('@') < 0
                            && options.keySet().stream().noneMatch(ClientOption::isSecret);
            if (option == null) {
                throw unknown(part, i + 1, quotable && equals > 0);
            }
            if (equals < 0) {
                throw new IllegalArgumentException(
                        "option %s: expected %s=value, found no '='"
                                .formatted(option.key(), option.key()));
            }
            quotable &= !option.isSecret();
            String value = decode(option, part.substring(equals + 1), quotable);
            option.check(value, quotable);
            if (options.put(option, value) != null) {
                throw new IllegalArgumentException(
                        "option " + option.key() + ": expected one value, found two");
            }
        }
        return options;
    }

    /// @param place of the part in the query, from 1
    private static IllegalArgumentException unknown(String part, int place, boolean quotable) {
        String key = part.substring(0, Math.max(0, part.indexOf('=')));
        String ours = quotable ? ForeignOptions.hint(key) : null;
        if (ours != null) {
            return new IllegalArgumentException("option '%s' is unknown: %s".formatted(key, ours));
        }
        boolean quoted = quotable && QUOTABLE_KEY.matcher(key).matches();
        return new IllegalArgumentException(
                "option %s is unknown%s: expected one of %s"
                        .formatted(
                                quoted ? "'" + key + "'" : place,
                                quoted ? "" : " ('&' in a value is written %26)",
                                ClientOption.keys()));
    }

    private static String decode(ClientOption option, String value, boolean quotable) {
        try {
            return URLDecoder.decode(value.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "option %s: expected percent-encoded text, found %s"
                            .formatted(
                                    option.key(), quotable ? "'" + value + "'" : "something else"));
        }
    }

    /// Without the options, among which is the password.
    @Override
    public String toString() {
        return hosts.stream()
                .map(BrokerHost::text)
                .collect(Collectors.joining(",", tls ? TLS_SCHEME : SCHEME, ""));
    }
}

package winnow.client;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A connection URL: `winnow://host:port?option=value&…`, or `winnows://…` for TLS. Port and query
/// may be left out. Values are percent-decoded; `+` stands for itself. Immutable.
///
/// @param tls whether the connection uses TLS
/// @param options what the query says, checked
record ConnectionUrl(String host, int port, boolean tls, Map<ClientOption, String> options) {
    /// Port where none is given.
    static final int DEFAULT_PORT = 61616;

    private static final String SCHEME = "winnow://";
    private static final String TLS_SCHEME = "winnows://";

    private static final Pattern HARMLESS_SCHEME = Pattern.compile("[a-zA-Z][a-zA-Z0-9+.-]*://");

    private static final String HOST = "(?:[A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]*\\]?)";
    private static final String END = "(?=[/?&;,)]|$)";
    private static final String PORT = "(?::\\d{1,5}" + END + ")";

    private static final Pattern HARMLESS =
            Pattern.compile(
                    "%s\\(?(?:%s%s?(?:,%s%s?%s)*)?|%s%s"
                            .formatted(HARMLESS_SCHEME, HOST, PORT, HOST, PORT, END, HOST, PORT));

    /// A key that is hardly the begin of a password: one that its user put in place of an option.
    private static final Pattern QUOTABLE_KEY = Pattern.compile("(?!pass)[a-z]{1,40}");

    ConnectionUrl {
        options = Map.copyOf(options);
    }

    /// Reads the text form.
    ///
    /// @throws IllegalArgumentException with what was expected and what was found, but no secrets
    static ConnectionUrl parse(String url) {
        if (url == null) {
            throw new IllegalArgumentException(
                    "expected a URL " + SCHEME + "host:port, found null");
        }
        boolean tls = url.startsWith(TLS_SCHEME);
        String scheme = tls ? TLS_SCHEME : SCHEME;
        if (!url.startsWith(scheme)) {
            throw unusable(
                    url,
                    "expected %shost:port?option=value, or %s for TLS"
                            .formatted(SCHEME, TLS_SCHEME));
        }
        String rest = url.substring(scheme.length());
        int mark = rest.indexOf('?');
        String authority = mark < 0 ? rest : rest.substring(0, mark);
        String query = mark < 0 ? "" : rest.substring(mark + 1);
        if (authority.endsWith("/")) {
            authority = authority.substring(0, authority.length() - 1);
        }
        if (authority.indexOf(',') >= 0 || authority.startsWith("(")) {
            throw unusable(url, "several brokers are not supported yet, give one");
        }
        if (authority.indexOf('/') >= 0 || authority.indexOf('@') >= 0) {
            throw unusable(url, "expected host:port behind " + SCHEME);
        }
        int colon = authority.lastIndexOf(':');
        boolean hasPort = colon > authority.lastIndexOf(']');
        String host = host(url, hasPort ? authority.substring(0, colon) : authority);
        int port = hasPort ? port(url, authority.substring(colon + 1)) : DEFAULT_PORT;
        Map<ClientOption, String> options = options(query);
        if (!tls) {
            requireNoneOfTls(options);
        }
        return new ConnectionUrl(host, port, tls, options);
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

    private static String host(String url, String text) {
        boolean bracketed = text.startsWith("[") && text.endsWith("]");
        String host = bracketed ? text.substring(1, text.length() - 1) : text;
        if (host.isEmpty()) {
            throw unusable(url, "expected host:port behind " + SCHEME);
        }
        if (!bracketed && host.indexOf(':') >= 0) {
            throw unusable(
                    url, "expected an IPv6 address in brackets, such as " + SCHEME + "[::1]:61616");
        }
        return host;
    }

    private static int port(String url, String text) {
        try {
            int port = Integer.parseInt(text);
            if (port >= 1 && port <= 65535) {
                return port;
            }
        } catch (NumberFormatException e) {
            throw badPort(url);
        }
        throw badPort(url);
    }

    private static IllegalArgumentException badPort(String url) {
        return unusable(url, "expected a port of 1 to 65535 behind the host");
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
        String scheme = tls ? TLS_SCHEME : SCHEME;
        return scheme + (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }
}

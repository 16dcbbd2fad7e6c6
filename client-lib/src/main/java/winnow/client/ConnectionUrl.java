package winnow.client;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Map;

/// A connection URL: `winnow://host:port?option=value&…`. Port and query may be left out. Values
/// are percent-decoded; `+` stands for itself. Immutable.
///
/// @param options what the query says, checked
record ConnectionUrl(String host, int port, Map<ClientOption, String> options) {
    /// Port where none is given.
    static final int DEFAULT_PORT = 61616;

    private static final String SCHEME = "winnow://";

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
        if (url.startsWith("winnows://")) {
            throw unusable(url, "TLS is not supported yet, use " + SCHEME);
        }
        if (!url.startsWith(SCHEME)) {
            throw unusable(url, "expected " + SCHEME + "host:port?option=value");
        }
        String rest = url.substring(SCHEME.length());
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
        return new ConnectionUrl(host, port, options(query));
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
            throw badPort(url, text);
        }
        throw badPort(url, text);
    }

    private static IllegalArgumentException badPort(String url, String text) {
        return unusable(url, "expected a port of 1 to 65535, found '" + withoutSecrets(text) + "'");
    }

    private static IllegalArgumentException unusable(String url, String expectation) {
        return new IllegalArgumentException("URL '" + withoutSecrets(url) + "': " + expectation);
    }

    /// Leaves out the options, and a user in front of the host: exceptions end up in logs, where no
    /// password belongs. `&` and `;` where `?` should be are likely mistakes.
    private static String withoutSecrets(String text) {
        return text.replaceFirst("(?s)//.*@", "//…@").replaceFirst("(?s)[?&;].*", "…");
    }

    private static Map<ClientOption, String> options(String query) {
        Map<ClientOption, String> options = new EnumMap<>(ClientOption.class);
        if (query.isEmpty()) {
            return options;
        }
        for (String part : query.split("&", -1)) {
            int equals = part.indexOf('=');
            ClientOption option = ClientOption.ofKey(equals < 0 ? part : part.substring(0, equals));
            if (equals < 0) {
                throw new IllegalArgumentException(
                        "option " + option.key() + ": expected " + part + "=value, found no '='");
            }
            String value = decode(option, part.substring(equals + 1));
            option.check(value);
            if (options.put(option, value) != null) {
                throw new IllegalArgumentException(
                        "option " + option.key() + ": expected one value, found two");
            }
        }
        return options;
    }

    private static String decode(ClientOption option, String value) {
        try {
            return URLDecoder.decode(value.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            String found = option == ClientOption.PASSWORD ? "something else" : "'" + value + "'";
            throw new IllegalArgumentException(
                    "option %s: expected percent-encoded text, found %s"
                            .formatted(option.key(), found));
        }
    }
}

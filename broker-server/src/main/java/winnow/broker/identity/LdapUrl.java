package winnow.broker.identity;

import java.net.InetAddress;
import java.net.URI;
import java.util.List;

/// Address of a directory. Immutable.
///
/// @param tls whether TLS begins with the connection
record LdapUrl(boolean tls, String host, int port) {
    private static final int CLEAR_PORT = 389;
    private static final int TLS_PORT = 636;

    /// Checks the addresses of the settings.
    ///
    /// @throws IllegalArgumentException if one is none, or others could read what is sent there
    static void requireUsable(List<String> texts, boolean startTls, boolean allowClearText) {
        boolean first = parse(texts.getFirst()).tls;
        for (String text : texts) {
            LdapUrl url = parse(text);
            if (url.tls != first) {
                throw new IllegalArgumentException(
                        "url: expected ldaps:// in all addresses or in none, found '" + text + "'");
            }
            if (url.tls && startTls) {
                throw new IllegalArgumentException(
                        "start-tls: expected ldap:// with it, found '" + text + "'");
            }
            if (!url.tls && !startTls && !allowClearText && !isLoopback(url.host)) {
                throw new IllegalArgumentException(
                        "url: expected ldaps:// or start-tls=true, because others could read"
                                + " passwords that go in clear text beyond this machine"
                                + " (allow-clear-text), found '"
                                + text
                                + "'");
            }
        }
    }

    static LdapUrl parse(String text) {
        URI url;
        try {
            url = URI.create(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("url: expected a URL: " + e.getMessage(), e);
        }
        String host = url.getHost();
        boolean tls = "ldaps".equals(url.getScheme());
        boolean bare =
                url.getUserInfo() == null
                        && (url.getPath().isEmpty() || url.getPath().equals("/"))
                        && url.getQuery() == null
                        && url.getFragment() == null;
        if (host == null || !bare || (!tls && !"ldap".equals(url.getScheme()))) {
            throw new IllegalArgumentException(
                    "url: expected ldaps://HOST:PORT or ldap://HOST:PORT, found '" + text + "'");
        }
        int port = url.getPort() >= 0 ? url.getPort() : tls ? TLS_PORT : CLEAR_PORT;
        return new LdapUrl(tls, unbracketed(host), port);
    }

    private static String unbracketed(String host) {
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    static boolean isLoopback(String host) {
        if (host.equals("localhost")) {
            return true;
        }
        try {
            return InetAddress.ofLiteral(host).isLoopbackAddress();
        } catch (IllegalArgumentException _) {
            return false;
        }
    }
}

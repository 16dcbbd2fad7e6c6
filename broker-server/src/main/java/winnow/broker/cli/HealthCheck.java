package winnow.broker.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/// `winnow health`: asks a broker whether it is ready, for what watches a container or a service.
/// It uses a plain socket and no library, because it is started every few seconds beside the broker
/// and shares its memory limit.
public final class HealthCheck {
    private static final String PATH = "/health/ready";
    private static final String PAGE = "://127.0.0.1:8161" + PATH;
    private static final String DEFAULT_URL = "http" + PAGE;
    private static final int TIMEOUT_MILLIS = 3_000;
    private static final Map<String, Integer> DEFAULT_PORTS = Map.of("http", 80, "https", 443);
    private static final int MAX_PORT = 65_535;
    private static final int WRONG_USAGE = 2;
    private static final String NO_ANSWER = "no answer from ";

    private static final String USAGE =
            """
            Usage: winnow health [[--url] URL]
            Asks a broker whether it is ready: clients can connect and every event loop runs.
              URL   http or https, whose certificate is not checked, because nothing secret is sent;
                    without a path it asks for %s;
                    default: %s, and the same with https if the port speaks TLS
            Exit codes: 0 ready, 1 not ready or no answer, 2 wrong usage\
            """
                    .formatted(PATH, DEFAULT_URL);

    private HealthCheck() {}

    public static void main(String[] args) {
        System.exit(run(args));
    }

    static int run(String... args) {
        if (args.length > 0 && (args[0].equals("--help") || args[0].equals("-h"))) {
            System.out.println(USAGE);
            return 0;
        }
        try {
            String url = url(args);
            String problem = problem(url);
            if (url.equals(DEFAULT_URL) && problem.contains("use https")) {
                problem = problem("https" + PAGE);
            }
            System.out.println(problem.isEmpty() ? answer(url) : problem);
            return problem.isEmpty() ? 0 : 1;
        } catch (IllegalArgumentException e) {
            System.err.println("winnow health: " + e.getMessage());
            return WRONG_USAGE;
        }
    }

    /// The URL to ask: alone, or after `--url` as in the other commands.
    static String url(String... args) {
        List<String> given = new ArrayList<>(List.of(args));
        if (given.isEmpty()) {
            return defaultUrl(System.getenv());
        }
        if (given.getFirst().startsWith("--url=")) {
            given.set(0, given.getFirst().substring("--url=".length()));
        } else if (given.getFirst().equals("--url")) {
            given.removeFirst();
        }
        if (given.size() != 1 || given.getFirst().startsWith("-")) {
            throw new IllegalArgumentException(
                    "expected one URL, found '" + String.join(" ", args) + "'");
        }
        return given.getFirst();
    }

    /// By TLS at once if these variables give it to the broker, so that its log and its metrics do
    /// not count each check as a client that speaks in clear.
    static String defaultUrl(Map<String, String> environment) {
        boolean secured =
                !environment.getOrDefault("WINNOW_TLS_CERTIFICATE", "").isEmpty()
                        && !"false".equals(environment.get("WINNOW_TLS_HTTP"));
        return secured ? "https" + PAGE : DEFAULT_URL;
    }

    /// Meaning of a good answer: other pages than that for this question say nothing of it.
    private static String answer(String url) {
        String path = URI.create(url).getRawPath();
        boolean asked = path.isEmpty() || path.equals("/") || path.equals(PATH);
        return asked ? "ready" : "200 OK, but only " + PATH + " tells whether the broker is ready";
    }

    private static URI uri(String url) {
        try {
            return new URI(url);
        } catch (URISyntaxException e) {
            throw noUrl(url);
        }
    }

    private static IllegalArgumentException noUrl(String url) {
        return new IllegalArgumentException(
                "expected a URL such as " + DEFAULT_URL + ", found '" + url + "'");
    }

    /// Reason why the broker is not ready, empty if it is.
    ///
    /// @throws IllegalArgumentException if this is no URL of HTTP
    static String problem(String url) {
        URI uri = uri(url);
        String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
        Integer defaultPort = DEFAULT_PORTS.get(scheme);
        if (defaultPort == null || uri.getHost() == null || uri.getPort() > MAX_PORT) {
            throw noUrl(url);
        }
        int port = uri.getPort() < 0 ? defaultPort : uri.getPort();
        try (Socket socket = new Socket()) {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.connect(new InetSocketAddress(uri.getHost(), port), TIMEOUT_MILLIS);
            if (scheme.equals("https")) {
                try (Socket secured = secured(socket, uri.getHost(), port)) {
                    return ask(secured, uri);
                }
            }
            return ask(socket, uri);
        } catch (IOException | GeneralSecurityException e) {
            return NO_ANSWER + url + ": " + e.getMessage();
        }
    }

    private static Socket secured(Socket socket, String host, int port)
            throws IOException, GeneralSecurityException {
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(null, new TrustManager[] {new AnyCertificate()}, null);
        return tls.getSocketFactory().createSocket(socket, host, port, true);
    }

    /// A broker is ready or not whatever its certificate says.
    private static final class AnyCertificate extends X509ExtendedTrustManager {
        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    private static String ask(Socket socket, URI uri) throws IOException {
        String path = uri.getRawPath();
        String request =
                "GET %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n"
                        .formatted(
                                path.isEmpty() || path.equals("/") ? PATH : path,
                                uri.getRawAuthority());
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        BufferedReader answer =
                new BufferedReader(
                        new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        String status = answer.readLine();
        if (status == null || !status.startsWith("HTTP/1.1 ")) {
            return NO_ANSWER + uri + ": expected HTTP, found something else";
        }
        if (status.startsWith("HTTP/1.1 200 ")) {
            return "";
        }
        String line = answer.readLine();
        while (line != null && !line.isEmpty()) {
            line = answer.readLine();
        }
        String reason = answer.readLine();
        return reason == null ? status : status + ": " + reason;
    }
}

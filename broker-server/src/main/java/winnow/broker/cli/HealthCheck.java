package winnow.broker.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/// `winnow health`: asks a broker whether it is ready, for what watches a container or a service.
/// It uses a plain socket and no library, because it is started every few seconds beside the broker
/// and shares its memory limit.
public final class HealthCheck {
    private static final String DEFAULT_URL = "http://127.0.0.1:8161/health/ready";
    private static final int TIMEOUT_MILLIS = 3_000;
    private static final int DEFAULT_PORT = 80;
    private static final int WRONG_USAGE = 2;

    private static final String USAGE =
            """
            Usage: winnow health [URL]
            Asks a broker whether it is ready: clients can connect and every event loop runs.
              URL   default: %s
            Exit codes: 0 ready, 1 not ready or no answer, 2 wrong usage\
            """
                    .formatted(DEFAULT_URL);

    private HealthCheck() {}

    public static void main(String[] args) {
        System.exit(run(args));
    }

    private static int run(String... args) {
        String url = args.length == 0 ? DEFAULT_URL : args[0];
        if (url.equals("--help") || url.equals("-h")) {
            System.out.println(USAGE);
            return 0;
        }
        try {
            if (args.length > 1) {
                throw new IllegalArgumentException("expected one URL, found " + args.length);
            }
            String problem = problem(url);
            System.out.println(problem.isEmpty() ? "ready" : problem);
            return problem.isEmpty() ? 0 : 1;
        } catch (IllegalArgumentException e) {
            System.err.println("winnow health: " + e.getMessage());
            return WRONG_USAGE;
        }
    }

    /// Why the broker is not ready, empty if it is.
    ///
    /// @throws IllegalArgumentException if this is no URL of HTTP
    static String problem(String url) {
        URI uri = URI.create(url);
        if (!"http".equals(uri.getScheme()) || uri.getHost() == null) {
            throw new IllegalArgumentException(
                    "expected a URL such as " + DEFAULT_URL + ", found '" + url + "'");
        }
        int port = uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort();
        try (Socket socket = new Socket()) {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.connect(new InetSocketAddress(uri.getHost(), port), TIMEOUT_MILLIS);
            return ask(socket, uri);
        } catch (IOException e) {
            return "no answer from " + url + ": " + e.getMessage();
        }
    }

    private static String ask(Socket socket, URI uri) throws IOException {
        String request =
                "GET %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n"
                        .formatted(uri.getRawPath(), uri.getRawAuthority());
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        BufferedReader answer =
                new BufferedReader(
                        new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        String status = answer.readLine();
        if (status == null) {
            return "no answer from " + uri + ": the connection was closed";
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

package winnow.tests.hostile;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A real broker in a process of its own whose heap is 48 MB. Stopped by its process id.
final class SmallBroker implements AutoCloseable {
    static final String HEAP = "-Xmx48m";

    private static final Pattern READY =
            Pattern.compile("jms=127\\.0\\.0\\.1:(\\d+) http=127\\.0\\.0\\.1:(\\d+)");
    private static final Duration ANSWER_TIME = Duration.ofSeconds(10);
    private static final int STOP_SECONDS = 30;

    private final Process process;
    private final Path log;
    private final HttpClient http = HttpClient.newBuilder().connectTimeout(ANSWER_TIME).build();
    private final InetSocketAddress address;
    private final InetSocketAddress httpAddress;

    /// @param log takes what the broker prints as errors
    /// @param settings as for `--set`
    SmallBroker(Path log, Map<String, String> settings) throws IOException {
        this.log = log;
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                HEAP,
                                "-XX:+UseSerialGC",
                                "-XX:+UseCompactObjectHeaders",
                                "--enable-native-access=ALL-UNNAMED",
                                "--sun-misc-unsafe-memory-access=allow",
                                "-cp",
                                System.getProperty("java.class.path"),
                                "winnow.broker.Main",
                                "--port",
                                "0",
                                "--http-port",
                                "0"));
        settings.forEach((key, value) -> command.addAll(List.of("--set", key + "=" + value)));
        process = new ProcessBuilder(command).redirectError(log.toFile()).start();
        Matcher ready = awaitReady();
        address = loopback(ready.group(1));
        httpAddress = loopback(ready.group(2));
    }

    private static InetSocketAddress loopback(String port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(port));
    }

    private Matcher awaitReady() throws IOException {
        BufferedReader out =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            Matcher ready = READY.matcher(line);
            if (ready.find()) {
                return ready;
            }
        }
        throw new IOException("the broker ended before it was ready: " + errors());
    }

    InetSocketAddress address() {
        return address;
    }

    InetSocketAddress httpAddress() {
        return httpAddress;
    }

    String url() {
        return "winnow://127.0.0.1:" + address.getPort();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /// What the broker has printed as errors and log.
    String errors() throws IOException {
        return Files.readString(log);
    }

    /// Status of a page of the HTTP port.
    int status(String path) throws IOException, InterruptedException {
        return http.send(request(path), BodyHandlers.discarding()).statusCode();
    }

    private HttpRequest request(String path) {
        return HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + httpAddress.getPort() + path))
                .timeout(ANSWER_TIME)
                .build();
    }

    /// Metrics without labels, by name.
    Map<String, Double> metrics() throws IOException, InterruptedException {
        Map<String, Double> values = new HashMap<>();
        http.send(request("/metrics"), BodyHandlers.ofString())
                .body()
                .lines()
                .filter(line -> !line.startsWith("#") && !line.contains("{"))
                .map(line -> line.split(" "))
                .forEach(parts -> values.put(parts[0], Double.parseDouble(parts[1])));
        return values;
    }

    /// Ends the broker with SIGTERM.
    ///
    /// @return its exit code
    int stop() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the broker did not stop in time");
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        http.close();
        process.destroyForcibly();
    }
}

package winnow.tests.crash;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A broker in a process of its own, with the class path of this one, on a directory that outlives
/// it. Its log is appended to a file. Not thread-safe.
final class BrokerProcess implements AutoCloseable {
    private static final Pattern READY =
            Pattern.compile("winnow ready: jms=.*:(\\d+) http=.*:(\\d+).*");
    private static final long TIMEOUT_SECONDS = 60;
    private static final long LOOK_MILLIS = 100;

    /// Class of a broker as it ships.
    static final String MAIN = "winnow.broker.Main";

    private final String host;
    private final Path log;
    private final Process process;
    private String url = "";
    private int httpPort;

    private BrokerProcess(String host, Path log, Process process) {
        this.host = host;
        this.log = log;
        this.process = process;
    }

    /// Starts one, and does not wait for it.
    ///
    /// @param directory of its messages
    /// @param options of the virtual machine
    /// @param settings as `key=value`
    static BrokerProcess launch(Path directory, List<String> options, List<String> settings)
            throws IOException {
        return launch(NodePlace.local(directory), MAIN, options, settings);
    }

    /// Starts one somewhere, and does not wait for it.
    ///
    /// @param main class that is started
    /// @param options of the virtual machine
    /// @param settings as `key=value`, besides those of the machine
    static BrokerProcess launch(
            NodePlace place, String main, List<String> options, List<String> settings)
            throws IOException {
        Path directory = place.directory();
        List<String> command = new ArrayList<>(place.command());
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(
                List.of(
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow"));
        command.addAll(options);
        command.addAll(
                List.of(
                        "-cp",
                        System.getProperty("java.class.path"),
                        main,
                        "--data=" + directory,
                        "--http-port=0"));
        if (settings.stream().noneMatch(setting -> setting.startsWith("transport.port="))) {
            command.add("--port=0");
        }
        settings.forEach(setting -> command.add("--set=" + setting));
        place.settings().forEach(setting -> command.add("--set=" + setting));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.redirectError(ProcessBuilder.Redirect.appendTo(place.log().toFile()));
        return new BrokerProcess(place.host(), place.log(), builder.start());
    }

    /// Starts one, and waits until clients can connect.
    ///
    /// @throws IOException with the end of its log if it ends before
    static BrokerProcess start(Path directory, List<String> options, List<String> settings)
            throws IOException {
        BrokerProcess broker = launch(directory, options, settings);
        if (!broker.isReady()) {
            throw new IOException("the broker ended before it was ready: " + broker.endOfLog());
        }
        return broker;
    }

    /// Waits until clients can connect, or it has ended.
    ///
    /// @return whether they can
    boolean isReady() throws IOException {
        BufferedReader lines = process.inputReader();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            Matcher ready = READY.matcher(line);
            if (ready.matches()) {
                url = "winnow://" + host + ":" + ready.group(1);
                httpPort = Integer.parseInt(ready.group(2));
                return true;
            }
        }
        return false;
    }

    /// The URL that clients use.
    String url() {
        return url;
    }

    /// Waits until a page of its HTTP port has a text.
    ///
    /// @param pattern of that text
    void awaitPage(String path, String pattern) throws IOException, InterruptedException {
        Pattern expected = Pattern.compile(pattern, Pattern.MULTILINE);
        URI uri = URI.create("http://" + host + ":" + httpPort + path);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
        try (HttpClient client = HttpClient.newHttpClient()) {
            String found = "";
            while (System.nanoTime() < deadline) {
                found =
                        client.send(
                                        HttpRequest.newBuilder(uri).build(),
                                        HttpResponse.BodyHandlers.ofString())
                                .body();
                if (expected.matcher(found).find()) {
                    return;
                }
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            }
            throw new IOException("expected " + pattern + " in " + path + ", found " + found);
        }
    }

    /// Asks its HTTP port to change something.
    ///
    /// @return the answer and its status
    String ask(String method, String path) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            URI uri = URI.create("http://127.0.0.1:" + httpPort + path);
            HttpResponse<String> answer =
                    client.send(
                            HttpRequest.newBuilder(uri)
                                    .method(method, HttpRequest.BodyPublishers.noBody())
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            return answer.statusCode() + " " + answer.body();
        }
    }

    /// A page of its HTTP port, empty if it does not answer.
    String page(String path) throws InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest request =
                    HttpRequest.newBuilder(URI.create("http://" + host + ":" + httpPort + path))
                            .timeout(Duration.ofSeconds(1))
                            .build();
            return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
        } catch (IOException e) {
            return "";
        }
    }

    long pid() {
        return process.pid();
    }

    /// What it and those before it on the directory have logged.
    String log() throws IOException {
        return Files.readString(log);
    }

    /// Its last lines.
    String endOfLog() throws IOException {
        List<String> lines = Files.readAllLines(log);
        return String.join("\n", lines.subList(Math.max(0, lines.size() - 20), lines.size()));
    }

    /// Ends it by SIGKILL.
    void kill() throws IOException, InterruptedException {
        process.destroyForcibly();
        exitCode();
    }

    /// Ends it by SIGTERM.
    ///
    /// @return its exit code
    int stop() throws IOException, InterruptedException {
        process.destroy();
        return exitCode();
    }

    /// Waits for its end.
    int exitCode() throws IOException, InterruptedException {
        if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
            throw new IOException("the broker does not end: " + endOfLog());
        }
        return process.exitValue();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /// Sends a signal.
    ///
    /// @param name as `kill` knows it
    void signal(String name) throws IOException, InterruptedException {
        int code = new ProcessBuilder("kill", "-" + name, Long.toString(pid())).start().waitFor();
        if (code != 0) {
            throw new IOException("kill -" + name + " " + pid() + " failed with " + code);
        }
    }

    /// What the process has of the machine's memory, in bytes.
    long residentBytes() throws IOException {
        Path status = Path.of("/proc", Long.toString(pid()), "status");
        for (@Nullable String line : Files.readAllLines(status)) {
            if (line != null && line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("\\D", "")) << 10;
            }
        }
        throw new IOException("found no VmRSS in " + status);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}

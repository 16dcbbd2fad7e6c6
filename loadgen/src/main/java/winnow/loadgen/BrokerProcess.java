package winnow.loadgen;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import winnow.loadgen.run.LoadException;

/// A broker that the demo has started: free ports, its own process, ended with the demo. Owned by
/// the thread of the command; a virtual thread copies the broker's output to a log.
final class BrokerProcess implements AutoCloseable {

    /// The line that a broker prints when it accepts connections.
    private static final Pattern READY = Pattern.compile("winnow ready: jms=(\\S+) http=(\\S+)");

    private static final Duration START = Duration.ofSeconds(30);
    private static final Duration STOP = Duration.ofSeconds(10);

    private final Process process;

    /// A shell that waits for the end of its input, which comes with the end of this process,
    /// however it ends, and then stops the broker.
    private final Process watch;

    private String jmsAddress = "";
    private String httpAddress = "";

    private BrokerProcess(Process process) throws IOException {
        this.process = process;
        var pid = Long.toString(process.pid());
        watch = new ProcessBuilder("sh", "-c", "read _; kill $0", pid).start();
    }

    /// Starts a broker and waits until it is ready.
    ///
    /// @param home directory of the launcher
    /// @param settings each `key=value`
    /// @param log gets everything that the broker prints
    static BrokerProcess start(Path home, List<String> settings, Path log)
            throws LoadException, IOException, InterruptedException {
        var launcher = home.resolve("winnow").toString();
        var command =
                new ArrayList<>(List.of(launcher, "broker", "--port", "0", "--http-port", "0"));
        settings.forEach(setting -> command.addAll(List.of("--set", setting)));
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        var broker = new BrokerProcess(process);
        try {
            broker.awaitReady(log);
            return broker;
        } catch (LoadException | InterruptedException | RuntimeException failed) {
            broker.close();
            throw failed;
        }
    }

    /// `host:port` for clients.
    String jmsAddress() {
        return jmsAddress;
    }

    /// Where it shows its metrics.
    URI metrics() {
        return URI.create("http://" + httpAddress + "/metrics");
    }

    /// The launcher replaces itself with the broker, so this is the broker.
    long pid() {
        return process.pid();
    }

    /// SIGTERM, and force after ten seconds.
    @Override
    public void close() {
        watch.destroy();
        process.destroy();
        try {
            if (!process.waitFor(STOP.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException interrupted) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private void awaitReady(Path log) throws LoadException, InterruptedException {
        var ready = new CompletableFuture<MatchResult>();
        Thread.ofVirtual().name("broker output").start(() -> copyOutput(log, ready));
        try {
            var addresses = ready.get(START.toMillis(), TimeUnit.MILLISECONDS);
            jmsAddress = addresses.group(1);
            httpAddress = addresses.group(2);
        } catch (ExecutionException | TimeoutException notReady) {
            throw new LoadException("the broker did not get ready, see " + log, notReady);
        }
    }

    private void copyOutput(Path log, CompletableFuture<MatchResult> ready) {
        try (BufferedReader lines = process.inputReader();
                var copy = Files.newBufferedWriter(log)) {
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                copy.write(line);
                copy.newLine();
                copy.flush();
                var addresses = READY.matcher(line);
                if (addresses.find()) {
                    ready.complete(addresses.toMatchResult());
                }
            }
            ready.completeExceptionally(new IOException("the broker ended"));
        } catch (IOException closed) {
            ready.completeExceptionally(closed);
        }
    }
}

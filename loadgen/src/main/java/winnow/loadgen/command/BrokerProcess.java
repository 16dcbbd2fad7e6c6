package winnow.loadgen.command;

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
import winnow.loadgen.provider.WatchedProcess;
import winnow.loadgen.run.LoadException;

/// A broker that a command has started: free ports, its own process, ended with the command. Owned
/// by the thread of the command; a virtual thread copies the broker's output to a log.
final class BrokerProcess implements AutoCloseable {

    /// The line that a broker prints when it accepts connections.
    private static final Pattern READY =
            Pattern.compile("winnow ready: jms=(\\S+) http=([^\\s\"]+)");

    /// The line before that of a broker that rehearses.
    private static final Pattern REHEARSAL = Pattern.compile("winnow rehearsal: tls=(\\S+)");

    private static final Duration START = Duration.ofSeconds(30);

    private final Process process;

    /// The model is of a broker whose producers wait for its consumers.
    private static final List<String> PUSH_BACK =
            List.of("--set", "destination.slow-consumers=*=block");

    private final WatchedProcess watched;

    private String jmsAddress = "";
    private String httpAddress = "";
    private volatile String tlsAddress = "";

    private BrokerProcess(Process process) throws IOException {
        this.process = process;
        watched = new WatchedProcess(process, null);
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
        command.addAll(PUSH_BACK);
        settings.forEach(setting -> command.addAll(List.of("--set", setting)));
        return start(command, log);
    }

    /// The same by a command of its own.
    static BrokerProcess start(List<String> command, Path log)
            throws LoadException, IOException, InterruptedException {
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

    /// `host:port` for clients by TLS, empty if it says none, as ordinary brokers do.
    String tlsAddress() {
        return tlsAddress;
    }

    /// Address of its metrics page.
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
        watched.close();
    }

    /// SIGTERM, and force after a while.
    ///
    /// @return its exit code
    int stop(Duration patience) throws InterruptedException {
        return watched.stop(patience);
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
                var tls = REHEARSAL.matcher(line);
                if (tls.find()) {
                    tlsAddress = tls.group(1);
                }
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

package winnow.loadgen.provider;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.loadgen.provider.ProviderFile.StartedBroker;
import winnow.loadgen.run.LoadException;
import winnow.loadgen.worker.Provider;

/// A broker that is compared, as a process of its own on free ports of loopback, with a temporary
/// directory that is removed with it. Owned by the thread of the command.
public final class PeerBroker implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(PeerBroker.class);
    private static final Duration START = Duration.ofMinutes(1);
    private static final Duration POLL = Duration.ofMillis(50);
    private static final List<String> PORTS = List.of("${port}", "${port2}");

    private final WatchedProcess process;
    private final Path directory;

    private PeerBroker(WatchedProcess process, Path directory) {
        this.process = process;
        this.directory = directory;
    }

    /// The folders that a provider's file speaks of, and free ports.
    ///
    /// @param words what stands for each of them
    public record Places(Map<String, String> words) {

        public Places {
            words = Map.copyOf(words);
        }

        /// @param jars folder with the broker's jars; null for none
        /// @param home folder of the launcher; null if that is not known
        public static Places with(@Nullable Path jars, @Nullable Path home) throws IOException {
            var words = new HashMap<String, String>();
            if (jars != null) {
                words.put("${jars}", jars.toAbsolutePath().toString());
            }
            if (home != null) {
                words.put("${home}", home.toAbsolutePath().toString());
            }
            var sockets = new ArrayList<ServerSocket>();
            try {
                for (var port : PORTS) {
                    var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                    sockets.add(free);
                    words.put(port, Integer.toString(free.getLocalPort()));
                }
            } finally {
                for (var socket : sockets) {
                    socket.close();
                }
            }
            return new Places(words);
        }

        /// A text of the file with these places.
        public String in(String text) {
            var located = text;
            for (var word : words.entrySet()) {
                located = located.replace(word.getKey(), word.getValue());
            }
            return located;
        }

        private int port() {
            return Integer.parseInt(Objects.requireNonNull(words.get("${port}")));
        }

        /// The provider of a client library there.
        public Provider provider(ProviderFile file) {
            var client = file.client();
            return new Provider(
                    client.factory(), in(client.url()), client.user(), client.password());
        }
    }

    /// Starts a broker and waits until its port `${port}` accepts connections.
    ///
    /// @param heap such as `1g`, of every broker
    /// @param log gets everything that the broker prints, after what is there
    public static PeerBroker start(ProviderFile file, Places places, String heap, Path log)
            throws LoadException, IOException, InterruptedException {
        var started = Objects.requireNonNull(file.broker());
        var directory = Files.createTempDirectory("winnow-" + file.name() + "-");
        try {
            write(started, places, directory);
            var builder =
                    new ProcessBuilder(command(started, places, heap))
                            .directory(directory.toFile())
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
            builder.environment()
                    .merge("WINNOW_BROKER_OPTS", heap(heap), (own, ours) -> own + " " + ours);
            var broker = new PeerBroker(new WatchedProcess(builder.start(), directory), directory);
            try {
                broker.awaitPort(file.name(), places.port(), log);
                return broker;
            } catch (LoadException | InterruptedException | RuntimeException failed) {
                broker.close();
                throw failed;
            }
        } catch (IOException failed) {
            JarCache.remove(directory);
            throw failed;
        }
    }

    private static String heap(String heap) {
        return "-Xms%s -Xmx%s".formatted(heap, heap);
    }

    /// The command with `java` for the Java of this process, and the heap.
    static List<String> command(StartedBroker broker, Places places, String heap) {
        var command = new ArrayList<String>();
        broker.command().forEach(word -> command.add(places.in(word)));
        if (command.getFirst().equals("java")) {
            command.set(0, Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.addAll(1, List.of(heap(heap).split(" ", -1)));
        }
        return command;
    }

    private static void write(StartedBroker broker, Places places, Path directory)
            throws IOException {
        for (var file : broker.files().entrySet()) {
            var path = directory.resolve(file.getKey()).normalize();
            if (!path.startsWith(directory)) {
                throw new IOException(
                        "expected a file in the broker's folder, found '%s'"
                                .formatted(file.getKey()));
            }
            Files.createDirectories(Objects.requireNonNull(path.getParent()));
            Files.writeString(
                    path,
                    file.getValue().stream()
                            .map(line -> places.in(line) + "\n")
                            .collect(Collectors.joining()));
        }
    }

    private void awaitPort(String name, int port, Path log)
            throws LoadException, InterruptedException {
        var end = System.nanoTime() + START.toNanos();
        while (System.nanoTime() < end) {
            try (var socket = new Socket()) {
                socket.connect(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                        Math.toIntExact(START.toMillis()));
                return;
            } catch (IOException notYet) {
                if (process.hasEnded(POLL)) {
                    throw new LoadException(
                            "%s ended before it accepted connections, see %s".formatted(name, log));
                }
            }
        }
        throw new LoadException(
                "%s did not accept connections within %d s, see %s"
                        .formatted(name, START.toSeconds(), log));
    }

    /// Its process id.
    public long pid() {
        return process.pid();
    }

    /// Ends the process and removes its directory.
    @Override
    public void close() {
        process.close();
        try {
            JarCache.remove(directory);
        } catch (IOException left) {
            LOG.warn("cannot remove {}: {}", directory, left.getMessage());
        }
    }
}

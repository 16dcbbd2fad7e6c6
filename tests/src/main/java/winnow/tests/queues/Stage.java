package winnow.tests.queues;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Where a scenario measures one broker: starts it on a directory of its own, connects to it, and
/// cleans up. Used by one thread, but [#abandon] may be called by any.
final class Stage implements AutoCloseable {
    private final BenchmarkOptions options;
    private final Contender contender;
    private final Path files;
    private final Results results;
    private volatile @Nullable Server server;
    private volatile boolean abandoned;

    /// Makes the directory.
    Stage(BenchmarkOptions options, Contender contender, Results results) throws IOException {
        this.options = options;
        this.contender = contender;
        this.results = results;
        files = Files.createTempDirectory(options.out(), contender.name() + "-");
    }

    BenchmarkOptions options() {
        return options;
    }

    /// The broker that was started last.
    Server server() {
        return Objects.requireNonNull(server, "not started");
    }

    /// True if the broker is the one whose own promises are measured, too.
    boolean isWinnow() {
        return contender.name().equals("winnow");
    }

    /// Starts the broker, without messages or on those that it had when it was ended.
    Server start() throws IOException {
        checkNotAbandoned();
        Server started = new Server(contender, files);
        server = started;
        started.awaitReady();
        return started;
    }

    /// A client of the broker.
    Client client() throws ReflectiveOperationException {
        return new Client(contender, server().address());
    }

    Gauge gauge() throws IOException {
        return new Gauge(server().pid(), files);
    }

    /// Adds a row of this broker.
    void add(String scenario, String point, Figures figures) {
        add(scenario, point, contender.name(), figures);
    }

    /// Adds a row of something else.
    void add(String scenario, String point, String name, Figures figures) {
        results.add(scenario, point, name, figures);
    }

    /// Kills the broker and every other program of the scenario, so that whoever waits for them
    /// goes on; none is started any more.
    void abandon() {
        abandoned = true;
        Server last = server;
        if (last != null) {
            last.kill();
        }
        ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
    }

    private void checkNotAbandoned() throws IOException {
        if (abandoned) {
            throw new IOException("the scenario was given up");
        }
    }

    /// How long the broker takes to be ready if there are no messages, on files that it has made
    /// before. Another one must not run.
    double emptyRestartSeconds() throws IOException {
        Path empty = Files.createTempDirectory(options.out(), contender.name() + "-");
        try {
            double seconds = 0;
            for (int i = 0; i < 2; i++) {
                checkNotAbandoned();
                try (Server started = new Server(contender, empty)) {
                    server = started;
                    started.awaitReady();
                    seconds = started.startSeconds();
                }
            }
            return seconds;
        } finally {
            delete(empty);
        }
    }

    /// Where the broker keeps its messages.
    Path files() {
        return files;
    }

    @Override
    public void close() throws IOException {
        abandon();
        delete(files);
    }

    /// Deletes a directory with what is in it.
    static void delete(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}

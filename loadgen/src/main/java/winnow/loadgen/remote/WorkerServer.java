package winnow.loadgen.remote;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import winnow.loadgen.run.WorkerStart;
import winnow.loadgen.worker.Failures;

/// The machine of a worker: waits for coordinators and serves one at a time, each with a new worker
/// process of its own class path. Thread-safe.
public final class WorkerServer implements AutoCloseable {

    /// Connections that have not proven yet that they know the secret.
    private static final int MOST_HANDSHAKES = 16;

    /// Longer than it takes to end the process of a coordinator that has just gone.
    private static final Duration FREE = Duration.ofSeconds(2);

    private final ServerSocket listening = new ServerSocket();
    private final ArrayDeque<Socket> unproven = new ArrayDeque<>();
    private final Semaphore serving = new Semaphore(1, true);
    private final WorkerSecret secret;
    private final Offer offer;
    private final Duration handshakeTime;
    private final Consumer<String> log;
    private volatile String served = "";
    private volatile @Nullable WorkerService service;
    private volatile boolean closed;

    /// Worker process of every coordinator.
    ///
    /// @param provider class of the only connection factory that is used
    /// @param start of the worker process
    /// @param log gets its error output
    public record Offer(String provider, WorkerStart start, Path log) {}

    /// Listens.
    ///
    /// @param log gets a line for each event, with text of strangers
    public WorkerServer(
            WorkerAddress address, WorkerSecret secret, Offer offer, Consumer<String> log)
            throws IOException {
        this(address, secret, offer, log, WorkerHandshake.TIME);
    }

    WorkerServer(
            WorkerAddress address,
            WorkerSecret secret,
            Offer offer,
            Consumer<String> log,
            Duration handshakeTime)
            throws IOException {
        this.secret = secret;
        this.offer = offer;
        this.log = log;
        this.handshakeTime = handshakeTime;
        listening.setReuseAddress(true);
        listening.bind(address.resolved());
    }

    /// Address at which it listens.
    public WorkerAddress address() {
        var local = (InetSocketAddress) listening.getLocalSocketAddress();
        return new WorkerAddress(local.getAddress().getHostAddress(), local.getPort());
    }

    /// Serves coordinators until it is closed.
    public void serve() throws IOException {
        while (!closed) {
            try {
                var socket = listening.accept();
                begin(socket);
                Thread.ofVirtual().name("coordinator").start(() -> meet(socket));
            } catch (IOException failed) {
                if (!closed) {
                    throw failed;
                }
            }
        }
    }

    /// Makes room by closing the oldest connection: silent ones keep nobody out.
    private void begin(Socket socket) throws IOException {
        Socket oldest = null;
        synchronized (unproven) {
            if (unproven.size() == MOST_HANDSHAKES) {
                oldest = unproven.removeFirst();
            }
            unproven.addLast(socket);
        }
        if (oldest != null) {
            oldest.close();
        }
    }

    private void meet(Socket socket) {
        try (socket) {
            WorkerLink link;
            try {
                link = WorkerHandshake.ofWorker(socket, secret, handshakeTime);
            } catch (IOException failed) {
                tell(socket, "refused: " + Failures.describe(failed));
                return;
            } finally {
                synchronized (unproven) {
                    unproven.remove(socket);
                }
            }
            serve(link);
        } catch (IOException failed) {
            tell(socket, Failures.describe(failed));
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private void serve(WorkerLink link) throws IOException, InterruptedException {
        try (link) {
            if (!serving.tryAcquire(FREE.toMillis(), TimeUnit.MILLISECONDS)) {
                var reason = "serves another coordinator: " + served;
                log.accept("%s: refused: %s".formatted(link.peer(), reason));
                WorkerService.refuse(link, reason);
                return;
            }
            try {
                served = link.peer();
                log.accept(served + ": served");
                var current = new WorkerService(link, offer);
                service = current;
                var end = current.serve();
                log.accept("%s: ended: %s".formatted(served, end));
            } finally {
                serving.release();
            }
        }
    }

    private void tell(Socket socket, String what) {
        var peer = String.valueOf(socket.getRemoteSocketAddress()).replaceFirst("^.*/", "");
        log.accept("%s: %s".formatted(peer, what));
    }

    /// Ends the worker process, too.
    @Override
    public void close() throws IOException {
        closed = true;
        listening.close();
        var current = service;
        if (current != null) {
            current.kill();
        }
    }
}

package winnow.loadgen.roundtrip;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Stands between clients and a server, counts the bytes that pass, and delays them if it is to be
/// a wide-area network. Thread-safe: a pair of threads for each direction of a connection.
final class WireRelay implements AutoCloseable {

    private static final int CHUNK_BYTES = 64 * 1024;

    private final InetSocketAddress server;
    private final @Nullable Wan wan;
    private final ServerSocket listener = new ServerSocket();
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final AtomicLong bytes = new AtomicLong();

    /// @param wan null for no delay
    WireRelay(InetSocketAddress server, @Nullable Wan wan) throws IOException {
        this.server = server;
        this.wan = wan;
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        start("relay", this::accept);
    }

    /// Address for clients.
    InetSocketAddress address() {
        return (InetSocketAddress) listener.getLocalSocketAddress();
    }

    /// All that has passed, in both directions.
    long bytes() {
        return bytes.get();
    }

    private static void start(String name, Runnable task) {
        Thread.ofPlatform().daemon().name(name).start(task);
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                connect(listener.accept());
            } catch (IOException closed) {
                // The loop ends.
            }
        }
    }

    private void connect(Socket client) throws IOException {
        sockets.add(client);
        try {
            var upstream = new Socket(server.getAddress(), server.getPort());
            sockets.add(upstream);
            client.setTcpNoDelay(true);
            upstream.setTcpNoDelay(true);
            start("relay up", () -> pass(client, upstream));
            start("relay down", () -> pass(upstream, client));
        } catch (IOException nobody) {
            // Its client sees that nobody is there.
            close(client);
            sockets.remove(client);
        }
    }

    private void pass(Socket from, Socket to) {
        try (from;
                to) {
            if (wan == null) {
                copy(from, to);
            } else {
                new Direction(wan, from, to).run();
            }
        } catch (IOException ended) {
            // One of the two has closed; the other is closed with it.
        } finally {
            sockets.remove(from);
            sockets.remove(to);
        }
    }

    private void copy(Socket from, Socket to) throws IOException {
        var buffer = new byte[CHUNK_BYTES];
        var in = from.getInputStream();
        var out = to.getOutputStream();
        for (var size = in.read(buffer); size >= 0; size = in.read(buffer)) {
            bytes.addAndGet(size);
            out.write(buffer, 0, size);
        }
    }

    /// Bytes and the time at which they arrive.
    private static final class Chunk {
        private final byte[] bytes;
        private final long dueNanos;

        Chunk(byte[] bytes, long dueNanos) {
            this.bytes = bytes;
            this.dueNanos = dueNanos;
        }
    }

    /// Bytes and the time at which their confirmation arrives.
    private record Confirmation(int bytes, long dueNanos) {}

    /// One direction of a wide-area connection: one thread reads and finds out when bytes arrive,
    /// another one writes them then. What is under way is bounded by the window.
    private final class Direction {

        private final Wan wan;
        private final Socket from;
        private final Socket to;
        private final LinkedBlockingQueue<Chunk> underWay = new LinkedBlockingQueue<>();
        private final Queue<Confirmation> unconfirmed = new ArrayDeque<>();
        private int unconfirmedBytes;
        private long lineFreeNanos = System.nanoTime();

        Direction(Wan wan, Socket from, Socket to) {
            this.wan = wan;
            this.from = from;
            this.to = to;
        }

        void run() throws IOException {
            start("relay line", this::write);
            var buffer = new byte[Math.min(CHUNK_BYTES, wan.windowBytes())];
            var in = from.getInputStream();
            try {
                for (var size = in.read(buffer); size >= 0; size = in.read(buffer)) {
                    awaitWindow(size);
                    bytes.addAndGet(size);
                    lineFreeNanos =
                            Math.max(lineFreeNanos, System.nanoTime()) + wan.sendingNanos(size);
                    var arrival = lineFreeNanos + wan.roundTripNanos() / 2;
                    unconfirmed.add(new Confirmation(size, arrival + wan.roundTripNanos() / 2));
                    unconfirmedBytes += size;
                    underWay.add(new Chunk(Arrays.copyOf(buffer, size), arrival));
                }
            } finally {
                underWay.add(new Chunk(new byte[0], lineFreeNanos));
            }
        }

        private void awaitWindow(int size) {
            while (!unconfirmed.isEmpty()) {
                var first = unconfirmed.peek();
                if (first.dueNanos() > System.nanoTime()) {
                    if (unconfirmedBytes + size <= wan.windowBytes()) {
                        return;
                    }
                    await(first.dueNanos());
                }
                unconfirmedBytes -= first.bytes();
                unconfirmed.remove();
            }
        }

        private void write() {
            try {
                var out = to.getOutputStream();
                for (var chunk = underWay.take(); chunk.bytes.length > 0; chunk = underWay.take()) {
                    await(chunk.dueNanos);
                    out.write(chunk.bytes);
                }
            } catch (IOException closed) {
                close(from);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        private static void await(long dueNanos) {
            for (var left = dueNanos - System.nanoTime();
                    left > 0;
                    left = dueNanos - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException closed) {
            // It is.
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        sockets.forEach(WireRelay::close);
    }
}

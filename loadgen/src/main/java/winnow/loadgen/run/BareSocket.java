package winnow.loadgen.run;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import winnow.loadgen.workload.LoadSettings;
import winnow.loadgen.workload.WireBytes;

/// Rate of a TCP connection of this machine, one way and without a broker: the line of the physical
/// limit in section 4.3 of the FioranoMQ paper. Messages are written in batches, as a good provider
/// does. Owned by the coordinator's thread; another one sends.
public final class BareSocket {

    private static final int BATCH_BYTES = 1 << 16;

    private BareSocket() {}

    /// The rates for some sizes of bodies.
    ///
    /// @param bodies sizes in bytes
    /// @param duration of each
    public static List<SocketRate> measure(List<Integer> bodies, Duration duration)
            throws IOException, InterruptedException {
        var rates = new ArrayList<SocketRate>();
        for (var body : bodies) {
            rates.add(new SocketRate(body, messagesPerSecond(body, duration)));
        }
        return List.copyOf(rates);
    }

    private static double messagesPerSecond(int bodyBytes, Duration duration)
            throws IOException, InterruptedException {
        var message = WireBytes.ofSocket(bodyBytes);
        var received = new AtomicLong();
        try (var server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            try (var sending = SocketChannel.open(server.getLocalAddress());
                    var receiving = server.accept()) {
                sending.setOption(StandardSocketOptions.TCP_NODELAY, true);
                start("bare-socket-reader", () -> receive(receiving, received));
                start("bare-socket-writer", () -> send(sending, batch(message)));
                Thread.sleep(duration.dividedBy(LoadSettings.BARE_SOCKET_WARM_UP_PART));
                var begin = System.nanoTime();
                var before = received.get();
                Thread.sleep(duration);
                var bytes = received.get() - before;
                return bytes / (double) message / ((System.nanoTime() - begin) / 1e9);
            }
        }
    }

    private static ByteBuffer batch(int message) {
        return ByteBuffer.allocateDirect(Math.max(1, BATCH_BYTES / message) * message);
    }

    @FunctionalInterface
    private interface Transfer {
        void run() throws IOException;
    }

    /// Until the connection is closed.
    private static void start(String name, Transfer transfer) {
        Thread.ofPlatform()
                .daemon()
                .name(name)
                .start(() -> {
                    try {
                        transfer.run();
                    } catch (IOException closed) {
                        // The time is over, and this or the other end was closed.
                        return;
                    }
                });
    }

    private static void send(SocketChannel channel, ByteBuffer batch) throws IOException {
        while (channel.isOpen()) {
            batch.clear();
            while (batch.hasRemaining()) {
                channel.write(batch);
            }
        }
    }

    private static void receive(SocketChannel channel, AtomicLong received) throws IOException {
        var buffer = ByteBuffer.allocateDirect(BATCH_BYTES);
        for (var read = 0; read >= 0; read = channel.read(buffer)) {
            received.addAndGet(read);
            buffer.clear();
        }
    }
}

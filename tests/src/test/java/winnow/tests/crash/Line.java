package winnow.tests.crash;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.concurrent.atomic.AtomicLong;

/// A line between one client and the broker, which breaks after so many bytes. Thread-safe.
final class Line implements AutoCloseable {
    private final ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    private final int brokerPort;
    private final AtomicLong left;
    private volatile boolean broken;

    /// @param url of the broker
    /// @param bytes both ways together, after which it breaks
    Line(String url, long bytes) throws IOException {
        brokerPort = URI.create(url).getPort();
        left = new AtomicLong(bytes);
        Thread.ofVirtual().start(this::accept);
    }

    private void accept() {
        try (listener;
                Socket client = listener.accept()) {
            copy(client, brokerPort, left, () -> broken = true);
        } catch (IOException | InterruptedException e) {
            // The client has not come, or the broker is gone.
            broken = true;
        }
    }

    /// Connects a client with a broker until that breaks after so many bytes both ways together.
    static void copy(Socket client, int brokerPort, long bytes)
            throws IOException, InterruptedException {
        copy(client, brokerPort, new AtomicLong(bytes), () -> {});
    }

    private static void copy(Socket client, int brokerPort, AtomicLong left, Runnable onBreak)
            throws IOException, InterruptedException {
        try (Socket broker = new Socket(InetAddress.getLoopbackAddress(), brokerPort)) {
            // Closing them resets the connections.
            client.setSoLinger(true, 0);
            broker.setSoLinger(true, 0);
            Thread back = Thread.ofVirtual().start(() -> copy(broker, client, left, onBreak));
            copy(client, broker, left, onBreak);
            back.join();
        }
    }

    private static void copy(Socket from, Socket to, AtomicLong left, Runnable onBreak) {
        byte[] buffer = new byte[16 * 1024];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int size = in.read(buffer); size >= 0; size = in.read(buffer)) {
                long rest = left.getAndAdd(-size);
                if (rest <= size) {
                    onBreak.run();
                    out.write(buffer, 0, (int) Math.max(0, rest));
                    return;
                }
                out.write(buffer, 0, size);
            }
        } catch (IOException e) {
            // One of the two has closed; the other is closed with it.
        }
    }

    /// The URL that the client uses.
    String url() {
        return "winnow://127.0.0.1:" + listener.getLocalPort();
    }

    /// True if it has broken. It is known before either side notices.
    boolean isBroken() {
        return broken;
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}

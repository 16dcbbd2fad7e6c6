package winnow.tests;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/// Stands between a client and a broker and counts the bytes each way. One connection.
final class CountingProxy implements AutoCloseable {
    private final ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final AtomicLong toBroker = new AtomicLong();
    private final AtomicLong toClient = new AtomicLong();

    CountingProxy(int brokerPort) throws IOException {
        threads.execute(() -> accept(brokerPort));
    }

    private void accept(int brokerPort) {
        try {
            Socket client = listener.accept();
            Socket broker = new Socket(InetAddress.getLoopbackAddress(), brokerPort);
            threads.execute(() -> copy(client, broker, toBroker));
            threads.execute(() -> copy(broker, client, toClient));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void copy(Socket from, Socket to, AtomicLong counter) {
        byte[] buffer = new byte[64 * 1024];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int size = in.read(buffer); size >= 0; size = in.read(buffer)) {
                counter.addAndGet(size);
                out.write(buffer, 0, size);
            }
        } catch (IOException e) {
            // One of the two has closed; the other is closed with it.
        }
    }

    /// The URL that a client uses.
    String url() {
        return "winnow://127.0.0.1:" + listener.getLocalPort();
    }

    long bytesToBroker() {
        return toBroker.get();
    }

    long bytesToClient() {
        return toClient.get();
    }

    @Override
    public void close() throws IOException {
        listener.close();
        threads.shutdownNow();
    }
}

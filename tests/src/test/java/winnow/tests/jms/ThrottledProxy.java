package winnow.tests.jms;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/// Stands between a client and a broker, and breaks the connection or stops forwarding after so
/// many bytes in one direction. One connection.
public final class ThrottledProxy implements AutoCloseable {
    private final ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final CountDownLatch stalled = new CountDownLatch(1);
    private final CountDownLatch goesOn = new CountDownLatch(1);
    private volatile long breakAfter = Long.MAX_VALUE;
    private volatile long stallAfter = Long.MAX_VALUE;

    public ThrottledProxy(int brokerPort) throws IOException {
        threads.execute(() -> accept(brokerPort));
    }

    private void accept(int brokerPort) {
        try {
            Socket client = listener.accept();
            Socket broker = new Socket(InetAddress.getLoopbackAddress(), brokerPort);
            threads.execute(() -> copy(client, broker, false));
            threads.execute(() -> copy(broker, client, true));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void copy(Socket from, Socket to, boolean toClient) {
        byte[] buffer = new byte[64 * 1024];
        long copied = 0;
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int size = in.read(buffer); size >= 0; size = in.read(buffer)) {
                copied += size;
                if (copied > breakAfter) {
                    return;
                }
                if (toClient && copied > stallAfter) {
                    stalled.countDown();
                    goesOn.await();
                }
                out.write(buffer, 0, size);
            }
        } catch (IOException e) {
            // One of the two has closed; the other is closed with it.
            return;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// The URL that a client uses.
    public String url() {
        return "winnow://127.0.0.1:" + listener.getLocalPort();
    }

    /// Breaks the connection when more has come from one side.
    void breakAfter(long bytes) {
        breakAfter = bytes;
    }

    /// Forwards no more to the client when more has come for it.
    public void stallAfter(long bytes) {
        stallAfter = bytes;
    }

    /// Waits until nothing is forwarded to the client any more.
    public void awaitStall() throws InterruptedException {
        if (!stalled.await(20, TimeUnit.SECONDS)) {
            throw new AssertionError("not so much has come for the client");
        }
    }

    void goOn() {
        stallAfter = Long.MAX_VALUE;
        goesOn.countDown();
    }

    /// Breaks the connection.
    public void cut() {
        threads.shutdownNow();
    }

    @Override
    public void close() throws IOException {
        listener.close();
        cut();
    }
}

package winnow.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/// Passes so many bytes on to a port of this machine, and then nothing any more, in either
/// direction, though its connections stay open: a machine that has died in the middle.
final class CutLine implements AutoCloseable {
    private final ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    private final Queue<Socket> open = new ConcurrentLinkedQueue<>();
    private final CountDownLatch cut = new CountDownLatch(1);
    private final CountDownLatch released;
    private final AtomicLong left;
    private final int port;

    CutLine(int port, long bytes) throws IOException {
        this(port, bytes, 0);
    }

    private CutLine(int port, long bytes, int holds) throws IOException {
        this.port = port;
        left = new AtomicLong(bytes);
        released = new CountDownLatch(holds);
        Thread.startVirtualThread(this::accept);
    }

    /// One that passes nothing on until it is released, and then everything.
    static CutLine held(int port) throws IOException {
        return new CutLine(port, Long.MAX_VALUE, 1);
    }

    void release() {
        released.countDown();
    }

    int port() {
        return server.getLocalPort();
    }

    void awaitCut() throws InterruptedException {
        cut.await();
    }

    private void accept() {
        try {
            while (true) {
                Socket from = server.accept();
                open.add(from);
                released.await();
                Socket to = new Socket(InetAddress.getLoopbackAddress(), port);
                open.add(to);
                Thread.startVirtualThread(() -> pass(from, to));
                Thread.startVirtualThread(() -> pass(to, from));
            }
        } catch (IOException | InterruptedException ended) {
            return;
        }
    }

    private void pass(Socket from, Socket to) {
        byte[] bytes = new byte[8192];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int n = in.read(bytes); n >= 0; n = in.read(bytes)) {
                if (left.addAndGet(-n) <= 0) {
                    cut.countDown();
                    return;
                }
                out.write(bytes, 0, n);
            }
        } catch (IOException ended) {
            return;
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket one : open) {
            one.close();
        }
    }
}
